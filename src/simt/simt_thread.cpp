// What threads of a kernel call, handed on to the machine that runs them.
#include "orderlab/simt_thread.hpp"

#include "simt/machine.hpp"

namespace orderlab::simt {
namespace {

[[noreturn, gnu::noinline, gnu::cold]] void refuse(const char* what) {
  throw Error(ErrorKind::usage, std::string(what) + ": called outside of a kernel; only threads of a launch can");
}

const Machine& machine(const char* what) {
  if (Machine::running == nullptr) refuse(what);
  return *Machine::running;
}

/// The machine, which chooses who goes on: then the running thread again, or another one behind the switch.
template <class Begin>
Switch begun(const char* what, Begin&& begin) {
  Machine* const machine = Machine::running;
  if (machine == nullptr) refuse(what);
  Machine::running = nullptr;
  const Switch next = begin(*machine);
  if (next.to == nullptr) Machine::running = machine;
  return next;
}

/// The machine, whose own accesses are not checked until the thread goes on.
class Inside {
 public:
  explicit Inside(const char* what) : machine_(Machine::running) {
    if (machine_ == nullptr) refuse(what);
    Machine::running = nullptr;
  }
  ~Inside() { Machine::running = machine_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  Machine* operator->() const { return machine_; }

 private:
  Machine* machine_;
};

}  // namespace

Index3 thread_index() { return machine("threadIdx").thread_index(); }
Index3 block_index() { return machine("blockIdx").block().position; }
Dim3 block_extent() { return machine("blockDim").launch().block; }
Dim3 grid_extent() { return machine("gridDim").launch().grid; }

Switch begin_barrier(bool predicate, std::source_location where) {
  return begun("__syncthreads", [&](Machine& running) { return running.begin_barrier(predicate, where); });
}
int barrier_votes(BarrierVote vote) { return machine("__syncthreads_count").votes(vote); }

void grid_barrier(const std::source_location& where) { Inside("grid_group::sync")->grid_barrier(where); }

Switch begin_warp_barrier(unsigned mask, std::source_location where) {
  return begun("__syncwarp", [&](Machine& running) { return running.begin_warp_barrier(mask, where); });
}

Switch begin_shuffle(Shuffle kind, unsigned mask, std::uint64_t value, unsigned lane, int width,
                     std::source_location where) {
  return begun("__shfl_sync",
               [&](Machine& running) { return running.begin_shuffle(kind, mask, value, lane, width, where); });
}

Switch begin_ballot(unsigned mask, bool predicate, std::source_location where) {
  return begun("__ballot_sync", [&](Machine& running) { return running.begin_ballot(mask, predicate, where); });
}

std::uint64_t met_value() { return machine("__shfl_sync").met_value(); }

void multiply_matrices(const MatrixProduct& product, const LaneMatrices& matrices, const std::source_location& where) {
  Inside("a matrix product")->multiply_matrices(product, matrices, where);
}

void whole_warp(const void* memory, std::size_t alignment, std::size_t stride, std::size_t step,
                const std::source_location& where) {
  Inside("a matrix access")->whole_warp(memory, alignment, stride, step, where);
}

unsigned active_mask(const std::source_location& where) { return Inside("__activemask")->active_mask(where, false); }
unsigned converged_mask(const std::source_location& where) {
  return Inside("a primitive without a mask")->active_mask(where, true);
}

std::uint64_t next_clock() { return Inside("clock64")->next_clock(); }

void fence(FenceScope scope, const std::source_location& where) { Inside("__threadfence")->fence(scope, where); }

void unsupported(const char* what, const std::source_location& where) {
  Machine* const machine = Machine::running;
  if (machine == nullptr) refuse(what);
  Machine::running = nullptr;
  machine->unsupported(what, where);
}

bool in_kernel() { return Machine::running != nullptr; }

void keep(const void* address, std::size_t bytes, const std::source_location& where) {
  Inside("__ldg")->keep(address, bytes, where);
}

Switch begin_atomic(AtomicOperation operation, AtomicType type, void* cell, std::source_location where) {
  return begun("an atomic operation",
               [&](Machine& running) { return running.begin_atomic(operation, type, cell, where); });
}

std::uint64_t end_atomic(AtomicOperation operation, AtomicType type, void* cell, std::uint64_t operand,
                         std::uint64_t compare) {
  return Inside("an atomic operation")->end_atomic(operation, type, cell, operand, compare);
}

}  // namespace orderlab::simt
