// Devices: their memory, and launches with what the schedule draws for them.
#include <algorithm>
#include <cstring>

#include "order/resolve.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/simt.hpp"
#include "simt/machine.hpp"

namespace orderlab::simt {
namespace {

constexpr std::size_t kMaxThreads = 1024;  // of a thread block, CUDA C++ Programming Guide, "Technical Specifications"

std::string extent_text(Dim3 extent) {
  return std::to_string(extent.x) + " x " + std::to_string(extent.y) + " x " + std::to_string(extent.z);
}

void check_shape(std::string_view name, Dim3 grid, Dim3 block, std::size_t shared_bytes) {
  const std::string what = "launch of kernel " + std::string(name) + ": ";
  if (block.count() == 0 || block.count() > kMaxThreads)
    throw Error(ErrorKind::usage, what + "a thread block of " + extent_text(block) + " threads; it has 1 to " +
                                      std::to_string(kMaxThreads));
  if (grid.count() == 0)
    throw Error(ErrorKind::usage, what + "a grid of " + extent_text(grid) + " thread blocks; it has at least 1");
  if (shared_bytes > kDynamicSharedBytes)
    throw Error(ErrorKind::usage, what + std::to_string(shared_bytes) + " bytes of dynamic shared memory; at most " +
                                      std::to_string(kDynamicSharedBytes) + " can be had");
}

}  // namespace

class Device::State {
 public:
  explicit State(Schedule schedule) : schedule_(std::move(schedule)), arrival_(parse_arrival(schedule_.arrival)) {
    if (schedule_.resident == 0)
      throw Error(ErrorKind::usage, "schedule: 0 thread blocks run at once; at least 1 is resident");
  }

  DeviceMemory memory;
  std::vector<AtomicArrival> arrivals;

  void run(std::string_view name, Dim3 grid, Dim3 block, std::size_t shared_bytes, const Thread& thread) {
    check_shape(name, grid, block, shared_bytes);
    arrival_.model->check(*arrival_.arguments, grid.count());
    ++launches_;
    order_.resize(grid.count());
    arrival_.model->draw(*arrival_.arguments, stream(0), order_);
    auto* parameters = const_cast<std::byte*>(static_cast<const std::byte*>(thread.parameters));
    Machine::of_this_thread().run({.name = name,
                                   .grid = grid,
                                   .block = block,
                                   .shared_bytes = shared_bytes,
                                   .parameters = {parameters, thread.bytes},
                                   .thread = thread.run,
                                   .memory = &memory,
                                   .number = launches_,
                                   .order = order_,
                                   .resident = std::min(schedule_.resident, order_.size()),
                                   .turns = stream(1),
                                   .arrivals = &arrivals});
  }

 private:
  RandomStream stream(std::uint64_t purpose) const {
    const std::uint64_t number = (2 * launches_ + purpose) % streams::kLaunchStreams;
    return RandomStream(schedule_.seed, static_cast<std::uint16_t>(streams::kFirstLaunch + number), schedule_.sample);
  }

  Schedule schedule_;
  ArrivalCall arrival_;
  std::vector<std::uint32_t> order_;
  std::uint64_t launches_ = 0;
};

Device::Device(Schedule schedule) : state_(std::make_unique<State>(std::move(schedule))) {}
Device::~Device() = default;

const std::vector<AtomicArrival>& Device::atomic_arrivals() const { return state_->arrivals; }

void* Device::allocate(const void* values, std::size_t bytes, bool writable) {
  return state_->memory.allocate(values, bytes, writable);
}

void Device::copy_out(const void* array, void* values, std::size_t bytes) const {
  if (bytes == 0) return;
  if (state_->memory.find(array, bytes) == nullptr)
    throw Error(ErrorKind::usage, "read of " + std::to_string(bytes) +
                                      " bytes: they are not all in one array of this device; read what it holds");
  std::memcpy(values, array, bytes);
}

void Device::run(std::string_view name, Dim3 grid, Dim3 block, std::size_t shared_bytes, const Thread& thread) {
  state_->run(name, grid, block, shared_bytes, thread);
}

}  // namespace orderlab::simt
