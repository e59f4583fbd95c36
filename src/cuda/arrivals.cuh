// Kernels that note when and where their units arrive: spa, warp and index_add_large, with a ticket just before each
// atomic. `Registers` says where and when a thread runs: gpu_registers.cuh, or a stand-in on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cuda/arrival_recorder.hpp"
#include "cuda/many_outputs.cuh"
#include "cuda/trees.cuh"
#include "orderlab/error.hpp"

namespace orderlab::cuda {

/// Where units write their notes: a place for each unit in every list. Tickets go on from launch to launch.
struct NoteArrays {
  unsigned* next_ticket;
  std::uint32_t* ticket;
  std::uint32_t* sm;
  std::uint64_t* started_cycles;
  std::uint64_t* ticket_cycles;
  std::uint64_t* ticket_ns;
};

struct Arrival {
  std::uint64_t cycles;
  std::uint64_t ns;
  unsigned ticket;
};

/// Reads the clocks and takes a ticket as soon as what the atomic needs is there: `value`, which is no NaN, and `bin`,
/// which is not negative, of an atomic with an index. They decide whether to.
template <class Registers, class T>
__device__ Arrival take_ticket(const NoteArrays& notes, T value, std::int64_t bin = 0) {
  Arrival arrival{};
  if (value == value && bin >= 0) {
    arrival.cycles = Registers::cycles();
    arrival.ns = Registers::nanoseconds();
    arrival.ticket = atomicAdd(notes.next_ticket, 1U);
  }
  return arrival;
}

/// Writes the notes down, after the atomic.
template <class Registers>
__device__ void write_notes(const NoteArrays& notes, std::size_t unit, std::uint64_t started, const Arrival& arrival) {
  notes.ticket[unit] = arrival.ticket;
  notes.sm[unit] = Registers::multiprocessor();
  notes.started_cycles[unit] = started;
  notes.ticket_cycles[unit] = arrival.cycles;
  notes.ticket_ns[unit] = arrival.ns;
}

template <class Registers, class T>
__global__ void noting_spa(const T* x, std::size_t n, unsigned items, bool reversed, T* sum, NoteArrays notes) {
  const std::uint64_t started = Registers::cycles();
  const unsigned tile = reversed ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  const T block_sum = block_tree(thread_sum(x, n, items, tile));
  if (threadIdx.x != 0) return;
  const Arrival arrival = take_ticket<Registers>(notes, block_sum);
  atomicAdd(sum, block_sum);
  write_notes<Registers>(notes, blockIdx.x, started, arrival);
}

template <class Registers, class T>
__global__ void noting_warp(const T* x, std::size_t n, T* sum, NoteArrays notes) {
  const std::uint64_t started = Registers::cycles();
  const std::size_t i = grid_thread();
  const T warp_sum = warp_tree(i < n ? x[i] : T{});
  if (i % kWarp != 0 || i >= n) return;
  const Arrival arrival = take_ticket<Registers>(notes, warp_sum);
  atomicAdd(sum, warp_sum);
  write_notes<Registers>(notes, i / kWarp, started, arrival);
}

/// Of a source with one column and a multiple of 32 rows. A warp arrives anew in each pass.
template <class Registers, class T>
__global__ void noting_index_add(const T* source, const std::int64_t* index, std::size_t n, T* outputs,
                                 NoteArrays notes) {
  for (std::size_t p = grid_thread(); p < n; p += grid_threads()) {
    const std::uint64_t started = Registers::cycles();
    const std::int64_t bin = index[p];
    const T value = source[p];
    const bool first_lane = p % kWarp == 0;
    Arrival arrival{};
    if (first_lane) arrival = take_ticket<Registers>(notes, value, bin);
    __syncwarp();  // no lane is ahead of the ticket
    add_contribution<false>(outputs, output_of(bin, 1, p), value, static_cast<T*>(nullptr), p);
    if (first_lane) write_notes<Registers>(notes, p / kWarp, started, arrival);
  }
}

/// Launches of one request, in arrays that stay. Device: Gpu, or the simulated device.
template <class Registers, class Device>
class NotingLaunches {
 public:
  NotingLaunches(Device& device, const ArrivalRequest& request)
      : device_(device), request_(request), units_(units_of(request.what)), grid_(request.what.shape.grid) {
    const std::string& kernel = request.what.kernel;
    if (kernel == "spa")
      prepare_spa();
    else if (kernel == "warp")
      prepare_warp();
    else if (kernel == "index_add_large")
      prepare_index_add();
    else
      throw Error(ErrorKind::usage, kernel + ": cannot be recorded; spa, warp and index_add_large can");
  }

  NotingLaunches(const NotingLaunches&) = delete;
  NotingLaunches& operator=(const NotingLaunches&) = delete;

  UnitNotes launch() {
    launch_();
    UnitNotes noted{device_.read(notes_.ticket, units_), device_.read(notes_.sm, units_),
                    device_.read(notes_.started_cycles, units_), device_.read(notes_.ticket_cycles, units_),
                    device_.read(notes_.ticket_ns, units_)};
    for (std::uint32_t& ticket : noted.ticket) ticket -= tickets_before_;
    tickets_before_ += static_cast<std::uint32_t>(units_);
    return noted;
  }

  /// The kernel and its bytes of dynamic shared memory, for the occupancy.
  const void* kernel() const { return kernel_; }
  std::size_t shared_bytes() const { return shared_bytes_; }

 private:
  template <class T>
  std::span<const T> terms() const {
    if (request_.terms.format != kFormatOf<T>)
      throw Error(ErrorKind::usage,
                  request_.what.kernel + ": is recorded in " + std::string(info(kFormatOf<T>).name) + " only");
    return {static_cast<const T*>(request_.terms.x), request_.terms.n};
  }

  template <class... Parameters, class... Values>
  void prepare(void (*noting)(Parameters...), std::size_t bytes, Values... values) {
    kernel_ = reinterpret_cast<const void*>(noting);
    shared_bytes_ = bytes;
    launch_ = [=, this] {
      device_.launch(request_.what.kernel, noting, grid_, request_.what.shape.threads, bytes, values..., notes_);
    };
  }

  void prepare_spa() {
    using T = double;
    const RecordedLaunches& what = request_.what;
    prepare(noting_spa<Registers, T>, what.shape.threads * sizeof(T), device_.input(terms<T>(), "x"), what.n,
            what.shape.items, what.tiles == TileOrder::reversed, device_.template zeros<T>(1, "sum"));
  }

  void prepare_warp() {
    using T = double;
    prepare(noting_warp<Registers, T>, 0, device_.input(terms<T>(), "x"), request_.what.n,
            device_.template zeros<T>(1, "sum"));
  }

  void prepare_index_add() {
    using T = float;
    prepare(noting_index_add<Registers, T>, 0, device_.input(terms<T>(), "source"),
            device_.input(request_.index, "index"), request_.what.n,
            device_.template zeros<T>(request_.bins, "outputs"));
  }

  template <class N>
  N* list(const char* name) {
    return device_.template zeros<N>(units_, name);
  }

  Device& device_;
  const ArrivalRequest request_;
  std::size_t units_;
  unsigned grid_;
  NoteArrays notes_{device_.template zeros<unsigned>(1, "next_ticket"),
                    list<std::uint32_t>("ticket"),
                    list<std::uint32_t>("sm"),
                    list<std::uint64_t>("started_cycles"),
                    list<std::uint64_t>("ticket_cycles"),
                    list<std::uint64_t>("ticket_ns")};
  std::uint32_t tickets_before_ = 0;
  std::function<void()> launch_;
  const void* kernel_ = nullptr;
  std::size_t shared_bytes_ = 0;
};

}  // namespace orderlab::cuda
