// An abandoned stack is not unwound, so a fault needs no exception through a kernel.
#include "simt/fiber.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "core/float_environment.hpp"

namespace orderlab::simt {
namespace {

// Size of a stack: an odd number of cache lines, so that the tops of consecutive ones, which every switch touches, lie
// in different cache sets.
constexpr std::size_t kStackBytes = Fiber::kBytes;
static_assert(kStackBytes % 128 == 64);
constexpr std::size_t kStacksPerSlab = 32;  // as many as a warp needs

// A function's frame is noticed to be outside of its stack when it is there, in the stack below, which the fault then
// abandons: one more stack, never used, is below the lowest.
constexpr std::size_t kSlabBytes = kStackBytes * (kStacksPerSlab + 1);
static_assert(FiberPool::kFrameBytes + FiberPool::kReserveBytes <= kStackBytes);

// Code without checks ends the program where it needs too much of its stack: it touches every page of a frame. A
// process may have a limited number of mappings, usually 65530, of which such a page adds two.
constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kGuardedSlabs = 256;  // of all pools
std::atomic<std::size_t> guarded_slabs = 0;
static_assert(2 * kPageBytes <= FiberPool::kReserveBytes / 2);

void guard(std::byte* low) {
  const std::size_t into_page = reinterpret_cast<std::uintptr_t>(low) % kPageBytes;
  if (mprotect(low + (kPageBytes - into_page) % kPageBytes, kPageBytes, PROT_NONE) != 0) throw std::bad_alloc();
}

/// Whether one more slab may have such pages.
bool take_guarded_slab() {
  if (guarded_slabs++ < kGuardedSlabs) return true;
  --guarded_slabs;
  return false;
}

#ifndef ORDERLAB_BOOST_FIBERS
/// The pool whose fiber was taken last, on this OS thread: a fiber begins at once.
thread_local constinit const FiberPool* pool_of_beginner = nullptr;
#endif

}  // namespace

#ifdef ORDERLAB_BOOST_FIBERS
void FiberPool::begin(boost::context::detail::transfer_t transfer) {
  const FloatEnvironment environment(FloatEnvironment::Of::task);  // a context has control registers of its own
  const FiberPool& pool = arrive(transfer);
  pool.body_(pool.argument_);
  std::abort();  // unreachable: a body never returns
}

void* FiberPool::first_context(std::byte* top) {
  return boost::context::detail::make_fcontext(top, kStackBytes, &FiberPool::begin);
}
#else
void FiberPool::begin() {
  const FiberPool& pool = *pool_of_beginner;
  pool.body_(pool.argument_);
  std::abort();  // unreachable: a body never returns
}

/// As a call has it: above the address where it goes on, that of a caller, which there is none of.
void* FiberPool::first_context(std::byte* top) {
  auto* const words = reinterpret_cast<void**>(top) - 2;
  words[0] = reinterpret_cast<void*>(&FiberPool::begin);
  words[1] = nullptr;
  return words;
}
#endif

FiberPool::~FiberPool() {
  for (std::byte* slab : slabs_) {
    for (std::size_t i = 0; i <= kStacksPerSlab; ++i) {  // what is mapped here later is not stacks
      Fiber fiber;
      fiber.low = slab + i * kStackBytes;
      announce_abandoned(fiber);
    }
    munmap(slab, kSlabBytes);
  }
  guarded_slabs -= guarded_;
}

Fiber FiberPool::take() {
  if (idle_.empty()) add_slab();
  const Fiber fiber = idle_.back();
  idle_.pop_back();
#ifndef ORDERLAB_BOOST_FIBERS
  pool_of_beginner = this;
#endif
  return fiber;
}

void FiberPool::abandon_all() {
  idle_.clear();
  for (std::byte* slab : slabs_) add_fibers(slab);
}

void FiberPool::add_slab() {
  void* slab =
      mmap(nullptr, kSlabBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (slab == MAP_FAILED) throw std::bad_alloc();
  slabs_.push_back(static_cast<std::byte*>(slab));
  if (take_guarded_slab()) {
    ++guarded_;
    for (std::size_t i = 1; i <= kStacksPerSlab; ++i) guard(slabs_.back() + i * kStackBytes);
  }
  add_fibers(slabs_.back());
}

/// Adds the fibers of a slab, none of which has begun its body.
void FiberPool::add_fibers(std::byte* slab) {
  for (std::size_t i = kStacksPerSlab; i-- > 0;) {
    Fiber fiber;
    fiber.low = slab + (i + 1) * kStackBytes;
    announce_abandoned(fiber);
    fiber.context = first_context(fiber.low + kStackBytes);
    idle_.push_back(fiber);
  }
}

}  // namespace orderlab::simt
