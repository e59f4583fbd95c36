#include "simt/gpu.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "order/resolve.hpp"
#include "orderlab/simt_thread.hpp"
#include "simt/machine.hpp"

/// Of libtsan alone.
extern "C" [[gnu::weak]] void __tsan_acquire(void* address);  // NOLINT(readability-identifier-naming)

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

struct DuringLaunch {
  explicit DuringLaunch(DeviceMemory& used) : memory(used) { memory.begin_launch(); }
  ~DuringLaunch() { memory.end_launch(); }
  DeviceMemory& memory;
};

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

Gpu::Gpu(Schedule schedule)
    : tensor_cores(kDefaultTensorCores), schedule_(std::move(schedule)), arrival_(parse_arrival(schedule_.arrival)) {
  if (schedule_.resident == 0)
    throw Error(ErrorKind::usage, "schedule: 0 thread blocks run at once; at least 1 is resident");
}

void Gpu::allow_dynamic_shared(const void* kernel, std::size_t bytes) {
  const int architecture = compute_architecture();
  if (bytes > shared_bytes_of(architecture))
    throw Error(ErrorKind::usage, "allow_dynamic_shared: " + std::to_string(bytes) +
                                      " bytes of dynamic shared memory; " + architecture_text(architecture) + " has " +
                                      std::to_string(shared_bytes_of(architecture)));
  dynamic_shared_[kernel] = bytes;
}

void Gpu::check(std::string_view name, Dim3 grid, Dim3 block, std::size_t shared_bytes, const KernelCall& call,
                bool cooperative) const {
  const std::string what = "launch of kernel " + std::string(name) + ": ";
  if (&__tsan_acquire != nullptr)
    throw Error(ErrorKind::unsupported, what +
                                            "the program is linked with -fsanitize=thread, whose library takes the "
                                            "calls that would check accesses; compile kernels with it, link without");
  check_shape(what, grid, block, call.max_threads);
  if (cooperative && grid.count() * block.count() > kMostAtOnce)
    throw Error(ErrorKind::usage, what + std::to_string(grid.count() * block.count()) + " threads in a cooperative " +
                                      "launch; at most " + std::to_string(kMostAtOnce) + " can run at once");
  const auto opted_in = dynamic_shared_.find(call.kernel);
  const std::size_t most = opted_in == dynamic_shared_.end() ? kSharedBytes : opted_in->second;
  if (shared_bytes > most)
    throw Error(
        ErrorKind::usage,
        what + std::to_string(shared_bytes) + " bytes of dynamic shared memory; at most " + std::to_string(most) +
            (opted_in == dynamic_shared_.end() ? ", or more after cudaFuncSetAttribute or Device::allow_dynamic_shared"
                                               : ""));
}

std::size_t Gpu::run(std::string_view name, Dim3 grid, Dim3 block, std::size_t shared_bytes, const KernelCall& call) {
  const bool cooperative = std::exchange(next_is_cooperative, false);
  check(name, grid, block, shared_bytes, call, cooperative);
  arrival_.model->check(*arrival_.arguments, grid.count());
  ++launches_;
  ++generation_;
  order_.resize(grid.count());
  arrival_.model->draw(*arrival_.arguments, stream(0), order_);
  const std::size_t resident = cooperative ? order_.size() : std::min(schedule_.resident, order_.size());
  const std::size_t checked = resident == 1 ? choose_checked(order_.size()) : order_.size();
  if (checked == order_.size()) checked_.clear();
  auto* parameters = const_cast<std::byte*>(static_cast<const std::byte*>(call.parameters));
  const DuringLaunch during(memory);
  Machine::of_this_thread().run(
      {.name = name,
       .grid = grid,
       .block = block,
       .shared_bytes = shared_bytes,
       .shared_limit = !dynamic_shared_.contains(call.kernel) ? kSharedBytes : shared_bytes_of(compute_architecture()),
       .parameters = {parameters, call.bytes},
       .thread = call.run,
       .unchecked_thread = call.run_unchecked == nullptr || warp_synchronous ? call.run : call.run_unchecked,
       .memory = &memory,
       .number = launches_,
       .order = order_,
       .checked = checked_.empty() ? nullptr : &checked_,
       .resident = resident,
       .in_turn = schedule_.in_turn,
       .cooperative = cooperative,
       .warp_synchronous = warp_synchronous,
       .tensor_cores = tensor_cores,
       .generation = &generation_,
       .turns = stream(1),
       .arrivals = &arrivals,
       .exchanges = &exchanges,
       .equal_writes = takes_equal_writes ? &equal_writes : nullptr});
  if (checked < order_.size()) memory.forget_unwritten();
  return checked;
}

std::size_t Gpu::choose_checked(std::size_t blocks) {
  if (checks.first >= blocks || checks.sampled >= blocks - checks.first) return blocks;
  checked_.assign(blocks, false);
  for (std::size_t i = 0; i < checks.first; ++i) checked_[i] = true;
  // One of each of as many equal parts: the order is drawn, and so are the thread blocks.
  for (std::size_t i = 0; i < checks.sampled; ++i)
    checked_[checks.first + (blocks - checks.first) * i / checks.sampled] = true;
  return checks.first + checks.sampled;
}

RandomStream Gpu::stream(std::uint64_t purpose) const {
  const std::uint64_t number = (2 * launches_ + purpose) % streams::kLaunchStreams;
  return RandomStream(schedule_.seed, static_cast<std::uint16_t>(streams::kFirstLaunch + number), schedule_.sample);
}

}  // namespace orderlab::simt
