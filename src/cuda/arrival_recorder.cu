// Launches under recorded conditions. What each needs is reserved before the first, for cudaFree waits for all streams.
#include <chrono>
#include <memory>
#include <thread>

#include "cuda/arrivals.cuh"
#include "cuda/gpu.cuh"
#include "cuda/gpu_registers.cuh"

namespace orderlab::cuda {

namespace {

using Launches = NotingLaunches<GpuRegisters, Gpu>;

constexpr std::chrono::milliseconds kIdleTime(200);
constexpr std::chrono::seconds kMostWait(5);
constexpr std::uint64_t kLongestLoad = 2'000'000'000;  // ns: it ends even if nobody tells it to
constexpr unsigned kLoadThreads = 256;

__global__ void read_multiprocessor_ids(unsigned* ids) { *ids = GpuRegisters::multiprocessor_ids(); }

/// Words in memory of the host that a kernel and the host both see.
struct LoadSwitch {
  volatile unsigned running;
  volatile unsigned stop;
};

/// Reads an array over and over until it is told to stop.
__global__ void keep_reading(const unsigned* values, std::size_t count, LoadSwitch* load, unsigned* sink) {
  const std::uint64_t first = GpuRegisters::nanoseconds();
  if (blockIdx.x == 0 && threadIdx.x == 0) load->running = 1;
  unsigned sum = 0;
  while (load->stop == 0 && GpuRegisters::nanoseconds() - first < kLongestLoad)
    for (std::size_t i = grid_thread(); i < count; i += grid_threads()) sum += values[i];
  if (sum == 1) *sink = sum;  // never so: the values are 0
}

/// A kernel that reads memory in a stream of its own, one thread block for each multiprocessor.
class Load {
 public:
  Load(Gpu& gpu, std::size_t bytes)
      : count_(bytes / sizeof(unsigned)), values_(gpu.zeros<unsigned>(count_)), sink_(gpu.zeros<unsigned>(1)) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, sizeof(LoadSwitch), cudaHostAllocMapped), "cudaHostAlloc");
    switch_ = new (memory) LoadSwitch{};
    start();  // loads its code, which may wait for whatever runs
    stop();
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  ~Load() {
    switch_->stop = 1;
    static_cast<void>(cudaStreamSynchronize(stream_));  // an error came out before
    static_cast<void>(cudaStreamDestroy(stream_));
    static_cast<void>(cudaFreeHost(switch_));
  }

  /// Returns when it runs.
  void start() {
    switch_->running = 0;
    switch_->stop = 0;
    keep_reading<<<Gpu::multiprocessors(), kLoadThreads, 0, stream_>>>(values_, count_, switch_, sink_);
    check(cudaGetLastError(), "launch of keep_reading");
    const auto deadline = std::chrono::steady_clock::now() + kMostWait;
    while (switch_->running == 0)
      if (std::chrono::steady_clock::now() > deadline)
        throw Error(ErrorKind::device, "a kernel in a second stream did not start within 5 seconds");
  }

  void stop() {
    switch_->stop = 1;
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }

 private:
  std::size_t count_;
  const unsigned* values_;
  unsigned* sink_;
  cudaStream_t stream_ = nullptr;
  LoadSwitch* switch_ = nullptr;
};

/// Twice the L2 cache, so that reading or writing it leaves nothing else there.
std::size_t more_than_l2() {
  int device = 0;
  int bytes = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
  return 2 * static_cast<std::size_t>(bytes);
}

/// Brings about the condition of a launch.
class Condition {
 public:
  Condition(LaunchCondition condition, Gpu& gpu) : condition_(condition) {
    if (condition == LaunchCondition::flushed) other_memory_ = gpu.scratch<char>(other_bytes_);
    if (condition == LaunchCondition::loaded) load_ = std::make_unique<Load>(gpu, other_bytes_);
  }

  void before_launch() {
    if (other_memory_ != nullptr) check(cudaMemset(other_memory_, 0, other_bytes_), "cudaMemset");
    if (load_ == nullptr) check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (condition_ == LaunchCondition::idle) std::this_thread::sleep_for(kIdleTime);
    if (load_ != nullptr) load_->start();
  }

  void after_launch() {
    if (load_ != nullptr) load_->stop();
  }

 private:
  LaunchCondition condition_;
  std::size_t other_bytes_ = more_than_l2();
  char* other_memory_ = nullptr;
  std::unique_ptr<Load> load_;
};

/// The first launch of a new context.
UnitNotes cold_launch(const ArrivalRequest& request) {
  check(cudaDeviceReset(), "cudaDeviceReset");
  FreshMemory memory;
  Gpu gpu(memory);
  return Launches(gpu, request).launch();
}

void describe(const Launches& launches, const RecordedLaunches& what, Gpu& gpu, NotedLaunches& noted) {
  unsigned* const ids = gpu.zeros<unsigned>(1);
  gpu.launch("read_multiprocessor_ids", read_multiprocessor_ids, 1, 1, 0, ids);
  noted.sm_ids = gpu.read(ids, 1).front();
  noted.multiprocessors = Gpu::multiprocessors();
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, launches.kernel(),
                                                      static_cast<int>(what.shape.threads), launches.shared_bytes()),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  noted.resident = static_cast<unsigned>(resident);
}

}  // namespace

NotedLaunches record_on_gpu(const ArrivalRequest& request) {
  NotedLaunches noted;
  if (request.what.condition == LaunchCondition::cold)
    for (std::size_t i = 0; i < request.launches; ++i) noted.launches.push_back(cold_launch(request));
  FreshMemory memory;
  Gpu gpu(memory);
  Launches launches(gpu, request);
  describe(launches, request.what, gpu, noted);
  if (!noted.launches.empty()) return noted;
  launches.launch();  // loads the code
  Condition condition(request.what.condition, gpu);
  while (noted.launches.size() < request.launches) {
    condition.before_launch();
    noted.launches.push_back(launches.launch());
    condition.after_launch();
  }
  return noted;
}

}  // namespace orderlab::cuda
