// Fibers: flows of control on stacks of their own, all of one OS thread. The only place that knows Boost.Context.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <memory>
#include <vector>

#include "simt/fiber_annotations.hpp"

namespace orderlab::simt {

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
  static void jump(Fiber& from, Fiber& to) {
    from.next = &to;
    announce_jump(from, to);
    arrive(from, boost::context::detail::jump_fcontext(to.context, &from));
  }

  /// Asks for what a jump to `fiber` reads first: the registers that it saved, and the frames above them.
  static void prefetch(const Fiber& fiber) {
    const auto* const top = static_cast<const std::byte*>(fiber.context);
    for (std::size_t i = 0; i < 4; ++i) __builtin_prefetch(top + 64 * i);
  }

  /// Forgets what all fibers were doing, without unwinding their stacks: what is on them must own nothing.
  void abandon_all();

  /// Room below which a function on a fiber must not go, for what it calls here.
  static constexpr std::size_t kReserveBytes = std::size_t{16} << 10;

  /// Largest frame of a function on a fiber. The compiler refuses larger ones: orderlab_kernel_flags.
  static constexpr std::size_t kFrameBytes = std::size_t{48} << 10;

 private:
  static void arrive(const Fiber& self, const boost::context::detail::transfer_t& transfer) {
    Fiber& previous = *static_cast<Fiber*>(transfer.data);
    previous.context = transfer.fctx;
    announce_arrival(self, previous);
  }
  static void begin(boost::context::detail::transfer_t transfer);
  void add_slab();
  void prepare(Fiber& fiber);

  void (*body_)(void*);
  void* argument_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  std::vector<void*> slabs_;
};

}  // namespace orderlab::simt
