// Fibers on Boost.Context's fcontext: an abandoned stack is not unwound, so a fault needs no exception through a
// kernel.
#include "simt/fiber.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace orderlab::simt {
namespace {

namespace context = boost::context::detail;

// An odd number of cache lines, so that the tops of consecutive stacks, which every switch touches, lie in different
// cache sets.
constexpr std::size_t kStackBytes = std::size_t{64} * 1031;
constexpr std::size_t kStacksPerSlab = 32;  // as many as a warp needs

// A function's frame is noticed to be outside of its stack when it is there, in the stack below, which the fault then
// abandons: one more stack, never used, is below the lowest.
constexpr std::size_t kSlabBytes = kStackBytes * (kStacksPerSlab + 1);
static_assert(FiberPool::kFrameBytes + FiberPool::kReserveBytes <= kStackBytes);

}  // namespace

void FiberPool::begin(context::transfer_t transfer) {
  const Fiber& self = *static_cast<Fiber*>(transfer.data)->next;
  arrive(self, transfer);
  self.pool->body_(self.pool->argument_);
  std::abort();  // unreachable: a body never returns
}

FiberPool::~FiberPool() {
  for (void* slab : slabs_) munmap(slab, kSlabBytes);
}

Fiber& FiberPool::take() {
  if (idle_.empty()) add_slab();
  Fiber& fiber = *idle_.back();
  idle_.pop_back();
  return fiber;
}

void FiberPool::abandon_all() {
  idle_.clear();
  for (const auto& fiber : fibers_) {
    announce_abandoned(*fiber);
    prepare(*fiber);
    idle_.push_back(fiber.get());
  }
}

void FiberPool::add_slab() {
  void* slab =
      mmap(nullptr, kSlabBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (slab == MAP_FAILED) throw std::bad_alloc();
  slabs_.push_back(slab);
  for (std::size_t i = kStacksPerSlab; i-- > 0;) {
    auto fiber = std::make_unique<Fiber>();
    fiber->low = static_cast<std::byte*>(slab) + (i + 1) * kStackBytes;
    fiber->bytes = kStackBytes;
    fiber->pool = this;
    prepare(*fiber);
    idle_.push_back(fiber.get());
    fibers_.push_back(std::move(fiber));
  }
}

void FiberPool::prepare(Fiber& fiber) {
  fiber.context = context::make_fcontext(fiber.low + fiber.bytes, fiber.bytes, &FiberPool::begin);
}

}  // namespace orderlab::simt
