// Fibers: flows of control on stacks of their own, all of one OS thread. The only place that knows Boost.Context.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
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
  Fiber take();

  /// The running fiber, which is to be left from the place returned and nothing else in between.
  Fiber& give_back(const Fiber& fiber) { return idle_.emplace_back(fiber); }

  /// Leaves `from`, the fiber that runs; returns when something jumps back to it.
  void jump(Fiber& from, Fiber& to) {
    from_ = &from;
    to_ = &to;
    announce_jump(from, to);
    arrive(boost::context::detail::jump_fcontext(to.context, this));
  }

  /// Asks for what a jump to `fiber` reads first: the registers that it saved, and the frames above them.
  static void prefetch(const Fiber& fiber) {
    const auto* const top = static_cast<const std::byte*>(fiber.context);
    if (top == nullptr) return;  // it has not begun
    for (std::size_t i = 0; i < 4; ++i) __builtin_prefetch(top + 64 * i);
  }

  /// Forgets what all fibers were doing, without unwinding their stacks: what is on them must own nothing.
  void abandon_all();

  /// Room below which a function on a fiber must not go, for what it calls here.
  static constexpr std::size_t kReserveBytes = std::size_t{16} << 10;

  /// Largest frame of a function on a fiber. The compiler refuses larger ones: orderlab_kernel_flags.
  static constexpr std::size_t kFrameBytes = std::size_t{48} << 10;

 private:
  static FiberPool& arrive(const boost::context::detail::transfer_t& transfer) {
    FiberPool& pool = *static_cast<FiberPool*>(transfer.data);
    pool.from_->context = transfer.fctx;
    announce_arrival(*pool.to_, *pool.from_);
    return pool;
  }
  static void begin(boost::context::detail::transfer_t transfer);
  void add_slab();
  void add_fibers(std::byte* slab);

  void (*body_)(void*);
  void* argument_;
  Fiber* from_ = nullptr;  ///< where the jump in progress starts
  Fiber* to_ = nullptr;
  std::vector<Fiber> idle_;
  std::vector<std::byte*> slabs_;
};

}  // namespace orderlab::simt
