// Devices: their memory, and launches with what the schedule draws for them.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <utility>

#include "core/float_environment.hpp"
#include "order/resolve.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/simt.hpp"
#include "orderlab/simt_thread.hpp"
#include "simt/machine.hpp"

namespace orderlab::simt {
namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
constexpr std::size_t kMaxThreads = 1024;  // in a thread block
constexpr Dim3 kMaxBlock{1024, 1024, 64};
constexpr Dim3 kMaxGrid{0x7FFFFFFF, 65535, 65535};

constexpr std::size_t kMostAtOnce = std::size_t{1} << 16;  // each has a stack; a page or two of it is used

std::string extent_text(Dim3 extent) {
  return std::to_string(extent.x) + " x " + std::to_string(extent.y) + " x " + std::to_string(extent.z);
}

bool fits(Dim3 extent, Dim3 most) { return extent.x <= most.x && extent.y <= most.y && extent.z <= most.z; }

/// Shared memory of a thread block with opting in, of the architecture that __CUDA_ARCH__ names.
std::size_t shared_bytes_of(int architecture) {
  const int major = architecture / 100;
  const int minor = architecture / 10 % 10;
  if (major < 7) return kSharedBytes;
  const std::size_t kib = major == 7    ? (minor == 5 ? 64 : 96)
                          : major == 8  ? (minor == 6 || minor == 9 ? 99 : 163)
                          : major == 12 ? 99
                                        : kMaxDynamicSharedBytes >> 10;
  return kib << 10;
}

std::string architecture_text(int architecture) {
  return "compute capability " + std::to_string(architecture / 100) + "." + std::to_string(architecture / 10 % 10) +
         " (__CUDA_ARCH__ is " + std::to_string(architecture) + ")";
}

void check_shape(const std::string& what, Dim3 grid, Dim3 block, std::size_t max_threads) {
  if (block.count() == 0 || block.count() > kMaxThreads || !fits(block, kMaxBlock))
    throw Error(ErrorKind::usage, what + "a thread block of " + extent_text(block) + " threads; it has 1 to " +
                                      std::to_string(kMaxThreads) + ", at most " + extent_text(kMaxBlock));
  if (max_threads != 0 && block.count() > max_threads)
    throw Error(ErrorKind::usage, what + "a thread block of " + extent_text(block) +
                                      " threads; its __launch_bounds__ allow " + std::to_string(max_threads));
  if (grid.count() == 0 || !fits(grid, kMaxGrid))
    throw Error(ErrorKind::usage, what + "a grid of " + extent_text(grid) +
                                      " thread blocks; it has at least 1, at most " + extent_text(kMaxGrid));
}

constexpr int kNoArchitecture = 0;
std::atomic<int> named_architecture = kNoArchitecture;  // set before main

}  // namespace

CompiledFor::CompiledFor(int architecture) {
  const int before = named_architecture;
  if (before == kNoArchitecture || shared_bytes_of(architecture) < shared_bytes_of(before))
    named_architecture = architecture;
}

int compute_architecture() {
  return named_architecture == kNoArchitecture ? kDefaultArchitecture : named_architecture.load();
}

class Device::State {
 public:
  explicit State(Schedule schedule) : schedule_(std::move(schedule)), arrival_(parse_arrival(schedule_.arrival)) {
    if (schedule_.resident == 0)
      throw Error(ErrorKind::usage, "schedule: 0 thread blocks run at once; at least 1 is resident");
  }

  DeviceMemory memory;
  bool next_is_cooperative = false;
  unsigned tensor_cores = kDefaultTensorCores;
  std::vector<AtomicArrival> arrivals;

  void allow_dynamic_shared(const void* kernel, std::size_t bytes) {
    const int architecture = compute_architecture();
    if (bytes > shared_bytes_of(architecture))
      throw Error(ErrorKind::usage, "allow_dynamic_shared: " + std::to_string(bytes) +
                                        " bytes of dynamic shared memory; " + architecture_text(architecture) +
                                        " has " + std::to_string(shared_bytes_of(architecture)));
    dynamic_shared_[kernel] = bytes;
  }

  void run(std::string_view name, Dim3 grid, Dim3 block, std::size_t shared_bytes, const Thread& thread) {
    const std::string what = "launch of kernel " + std::string(name) + ": ";
    const bool cooperative = std::exchange(next_is_cooperative, false);
    check_shape(what, grid, block, thread.max_threads);
    if (cooperative && grid.count() * block.count() > kMostAtOnce)
      throw Error(ErrorKind::usage, what + std::to_string(grid.count() * block.count()) + " threads in a cooperative " +
                                        "launch; at most " + std::to_string(kMostAtOnce) + " can run at once");
    const auto opted_in = dynamic_shared_.find(thread.kernel);
    const std::size_t most = opted_in == dynamic_shared_.end() ? kSharedBytes : opted_in->second;
    if (shared_bytes > most)
      throw Error(ErrorKind::usage,
                  what + std::to_string(shared_bytes) + " bytes of dynamic shared memory; at most " +
                      std::to_string(most) +
                      (opted_in == dynamic_shared_.end() ? ", or more after Device::allow_dynamic_shared" : ""));
    arrival_.model->check(*arrival_.arguments, grid.count());
    ++launches_;
    ++generation_;
    order_.resize(grid.count());
    arrival_.model->draw(*arrival_.arguments, stream(0), order_);
    auto* parameters = const_cast<std::byte*>(static_cast<const std::byte*>(thread.parameters));
    const DuringLaunch during(memory);
    Machine::of_this_thread().run(
        {.name = name,
         .grid = grid,
         .block = block,
         .shared_bytes = shared_bytes,
         .shared_limit = opted_in == dynamic_shared_.end() ? kSharedBytes : shared_bytes_of(compute_architecture()),
         .parameters = {parameters, thread.bytes},
         .thread = thread.run,
         .memory = &memory,
         .number = launches_,
         .order = order_,
         .resident = cooperative ? order_.size() : std::min(schedule_.resident, order_.size()),
         .in_turn = schedule_.in_turn,
         .cooperative = cooperative,
         .tensor_cores = tensor_cores,
         .generation = &generation_,
         .turns = stream(1),
         .arrivals = &arrivals});
  }

 private:
  struct DuringLaunch {
    explicit DuringLaunch(DeviceMemory& used) : memory(used) { memory.begin_launch(); }
    ~DuringLaunch() { memory.end_launch(); }
    DeviceMemory& memory;
  };

  RandomStream stream(std::uint64_t purpose) const {
    const std::uint64_t number = (2 * launches_ + purpose) % streams::kLaunchStreams;
    return RandomStream(schedule_.seed, static_cast<std::uint16_t>(streams::kFirstLaunch + number), schedule_.sample);
  }

  Schedule schedule_;
  ArrivalCall arrival_;
  std::map<const void*, std::size_t> dynamic_shared_;  ///< limits of kernels that have opted in to more
  std::vector<std::uint32_t> order_;
  std::uint64_t launches_ = 0;
  std::uint64_t generation_ = 0;  ///< launches, and barriers of the grid in them
};

Device::Device(Schedule schedule)
    : state_(in_float_environment([&] { return std::make_unique<State>(std::move(schedule)); })) {}
Device::~Device() = default;

const std::vector<AtomicArrival>& Device::atomic_arrivals() const { return state_->arrivals; }

void* Device::allocate(const void* values, std::size_t bytes, Kind kind, std::string_view name) {
  const Contents contents = kind == Kind::zeros           ? Contents::zeros
                            : kind == Kind::uninitialised ? Contents::unwritten
                                                          : Contents::values;
  return state_->memory.allocate(values, bytes, kind != Kind::input, contents, name);
}

void Device::copy_out(const void* array, void* values, std::size_t bytes) const {
  if (bytes == 0) return;
  const std::byte* const from = state_->memory.after_launches(array, bytes);
  if (from == nullptr)
    throw Error(ErrorKind::usage, "read of " + std::to_string(bytes) +
                                      " bytes: they are not all in one array of this device; read what it holds");
  std::memcpy(values, from, bytes);
}

void Device::allow(const void* kernel, std::size_t bytes) { state_->allow_dynamic_shared(kernel, bytes); }

void Device::use_tensor_cores_of(unsigned architecture) {
  state_->tensor_cores = architecture == 0 ? kDefaultTensorCores : architecture;
}

void Device::next_is_cooperative() { state_->next_is_cooperative = true; }

void Device::run(std::string_view name, Dim3 grid, Dim3 block, std::size_t shared_bytes, const Thread& thread) {
  const FloatEnvironment environment;
  state_->run(name, grid, block, shared_bytes, thread);
}

}  // namespace orderlab::simt
