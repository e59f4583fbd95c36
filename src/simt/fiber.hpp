// Fibers: flows of control on stacks of their own, all of one OS thread. The only place that knows Boost.Context.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace orderlab::simt {

class FiberPool;

/// One stack and, while it is left, where on it to go on.
struct Fiber {
  void* context = nullptr;
  std::byte* low = nullptr;  ///< of the stack
  std::size_t bytes = 0;
  void* fake_stack = nullptr;  ///< AddressSanitizer's
  FiberPool* pool = nullptr;
};

/// The fibers of one OS thread. Each runs `body(argument)`, which never returns, and is kept when it idles.
///
/// Cost: 64 KiB of address space a fiber, of which it touches a page or two.
class FiberPool {
 public:
  FiberPool(void (*body)(void*), void* argument) : body_(body), argument_(argument) {}
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// A fiber that idles in its body, or has not begun it.
  Fiber& take();
  void give_back(Fiber& fiber) { idle_.push_back(&fiber); }

  /// Leaves `from`, the fiber that runs; returns when something jumps back to it.
  static void jump(Fiber& from, Fiber& to);

  /// Forgets what all fibers were doing, without unwinding their stacks: what is on them must own nothing.
  void abandon_all();

  /// Room below which a function on a fiber must not go, for what it calls here.
  static constexpr std::size_t kReserveBytes = std::size_t{16} << 10;

 private:
  struct Handoff;
  struct Entry;
  void add_slab();
  void prepare(Fiber& fiber);

  void (*body_)(void*);
  void* argument_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  std::vector<void*> slabs_;
};

}  // namespace orderlab::simt
