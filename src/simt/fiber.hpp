// Fibers: flows of control on stacks of their own, all of one OS thread. Switches between them are switch_stacks where
// there is that; elsewhere, and for AddressSanitizer, which must be told of them, those of Boost.Context, which only
// this place knows.
#pragma once

#include "simt/fiber_annotations.hpp"

#if !defined(__x86_64__) || defined(ORDERLAB_ADDRESS_SANITIZER)
#define ORDERLAB_BOOST_FIBERS
#include <boost/context/detail/fcontext.hpp>
#endif
#include <cstddef>
#include <vector>

#include "orderlab/simt_thread.hpp"

namespace orderlab::simt {

/// The fibers of one OS thread. Each runs `body(argument)`, which never returns, and is kept when it idles.
///
/// Cost: 72 KiB of address space a fiber, of which it touches a page or two.
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

  /// Leaves `from`, the fiber that runs, for `to`: the switch that the caller has to do next, if there is one left to
  /// do; a fiber that was left comes back behind it.
  Switch leave(Fiber& from, Fiber& to) {
#ifdef ORDERLAB_BOOST_FIBERS
    from_ = &from;
    to_ = &to;
    announce_jump(from, to);
    arrive(boost::context::detail::jump_fcontext(to.context, this));
    return {};
#else
    return {&from.context, to.context};
#endif
  }

  /// Asks for what a switch to `fiber` reads first: the frames above the place where it goes on.
  static void prefetch(const Fiber& fiber) {
    const auto* const top = static_cast<const std::byte*>(fiber.context);
    if (top == nullptr) return;  // it has not begun
    for (std::size_t i = 0; i < 4; ++i) __builtin_prefetch(top + 64 * i);
  }

  /// Forgets what all fibers were doing, without unwinding their stacks: what is on them must own nothing.
  void abandon_all();

  /// Room below which a function on a fiber must not go, for what it calls here.
  static constexpr std::size_t kReserveBytes = std::size_t{24} << 10;

  /// Largest frame of a function on a fiber. The compiler refuses larger ones: orderlab_kernel_flags.
  static constexpr std::size_t kFrameBytes = std::size_t{48} << 10;

 private:
#ifdef ORDERLAB_BOOST_FIBERS
  static FiberPool& arrive(const boost::context::detail::transfer_t& transfer) {
    FiberPool& pool = *static_cast<FiberPool*>(transfer.data);
    pool.from_->context = transfer.fctx;
    announce_arrival(*pool.to_, *pool.from_);
    return pool;
  }
  static void begin(boost::context::detail::transfer_t transfer);

  Fiber* from_ = nullptr;  ///< where the switch in progress starts
  Fiber* to_ = nullptr;
#else
  static void begin();
#endif
  void* first_context(std::byte* top);
  void add_slab();
  void add_fibers(std::byte* slab);

  void (*body_)(void*);
  void* argument_;
  std::vector<Fiber> idle_;
  std::vector<std::byte*> slabs_;
  std::size_t guarded_ = 0;  ///< of them, those with pages between stacks that code must not touch
};

}  // namespace orderlab::simt
