// Timing kernels by events.
#include "core/dyadic.hpp"
#include "cuda/bench_memory.cuh"
#include "cuda/bench_statistics.hpp"
#include "cuda/gpu_table.cuh"
#include "cuda/prices.hpp"

namespace orderlab::cuda {

namespace {

constexpr Format kPricedFormats[] = {Format::fp32, Format::fp64};
constexpr int kFirstPower = 12;
constexpr int kLastPower = 28;
constexpr int kLastQuickPower = 20;
constexpr int kPowerStep = 2;

constexpr int kWarmUps = 3;
constexpr int kFewestRuns = 7;
constexpr int kMostRuns = 200;
constexpr double kEnoughSeconds = 0.2;  // of measuring one method at one size
constexpr double kSlowSeconds = 0.25;   // a method that takes this long is not timed on more terms

constexpr std::size_t kPoolBytes = std::size_t{1} << 28;

/// A pair of events around work on the default stream.
class Stopwatch {
 public:
  Stopwatch() {
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    static_cast<void>(cudaEventDestroy(start_));
    static_cast<void>(cudaEventDestroy(stop_));
  }

  template <class F>
  double seconds(F&& work) {
    float milliseconds = 0;
    check(cudaEventRecord(start_), "cudaEventRecord");
    work();
    check(cudaEventRecord(stop_), "cudaEventRecord");
    check(cudaEventSynchronize(stop_), "cudaEventSynchronize");
    check(cudaEventElapsedTime(&milliseconds, start_, stop_), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

template <class F>
double median_seconds(F&& work) {
  Stopwatch stopwatch;
  for (int i = 0; i < kWarmUps; ++i) work();
  std::vector<double> times;
  double total = 0;
  for (int i = 0; i < kMostRuns && (i < kFewestRuns || total < kEnoughSeconds); ++i) {
    times.push_back(stopwatch.seconds(work));
    total += times.back();
  }
  return median(std::move(times));
}

std::vector<std::byte> term_pattern(Format format) {
  constexpr std::size_t kTerms = std::size_t{1} << 20;
  const Dyadic uniform{24, -23, 0};
  const auto bytes = static_cast<std::size_t>(info(format).bits) / 8;
  std::vector<std::byte> pattern(kTerms * bytes);
  for (std::size_t i = 0; i < kTerms; ++i) {
    const std::uint64_t bits = uniform.term_bits(format, 1, i);
    std::memcpy(&pattern[i * bytes], &bits, bytes);
  }
  return pattern;
}

/// Whether the GPU has room for the buffers, the target of a copy, and some more.
bool fits(std::size_t bytes) {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return 4 * bytes < free;
}

std::size_t l2_bytes() {
  int device = 0;
  int bytes = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
  return static_cast<std::size_t>(bytes);
}

/// All methods on n terms of one format.
class SizePrices {
 public:
  SizePrices(Format format, std::size_t n, const std::vector<std::byte>& pattern, BenchMemory& memory)
      : format_(format),
        n_(n),
        bytes_(n * static_cast<std::size_t>(info(format).bits) / 8),
        memory_(memory),
        buffers_(bytes_, l2_bytes(), pattern),
        copy_speed_(copy_speed()) {}

  Price time(const GpuKernel& kernel, const LaunchShape& shape) {
    const KernelInfo& info = *kernel.info;
    Price price;
    price.kernel = info.name;
    price.format = format_;
    price.n = n_;
    price.fixed_order = info.unit == ArrivalUnit::none;
    price.terms_bytes = static_cast<double>(bytes_) * (info.products ? 2 : 1);
    Gpu gpu(memory_);
    price.seconds = median_seconds([&] {
      const TermView terms{format_, n_, buffers_.next(), info.products ? buffers_.next() : nullptr};
      memory_.begin();
      price.shape = kernel.run({info.name, terms, shape, false}, gpu).shape;
    });
    price.copy_fraction = gigabytes_per_second(price.terms_bytes, price.seconds) / copy_speed_;
    return price;
  }

 private:
  // What it reads and what it writes both count.
  double copy_speed() {
    FreshMemory target_memory;
    void* const target = target_memory.scratch(bytes_);
    const double seconds = median_seconds(
        [&] { check(cudaMemcpyAsync(target, buffers_.next(), bytes_, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync"); });
    return gigabytes_per_second(2 * static_cast<double>(bytes_), seconds);
  }

  Format format_;
  std::size_t n_;
  std::size_t bytes_;
  BenchMemory& memory_;
  TermBuffers buffers_;
  double copy_speed_;
};

struct Candidate {
  const GpuKernel* kernel;
  LaunchShape shape;
  bool too_slow = false;
};

std::vector<Candidate> candidates(std::string_view only) {
  std::vector<Candidate> all;
  for (const KernelInfo* info : gpu_kernels()) {
    const auto shape = price_shape(*info, Gpu::multiprocessors());
    if (shape && (only.empty() || info->name == only || info->name == "spa"))
      all.push_back({&find_gpu_kernel(info->name), *shape});
  }
  return all;
}

void time_all(SizePrices& size, std::vector<Candidate>& candidates, std::vector<Price>& prices) {
  for (Candidate& candidate : candidates) {
    if (candidate.too_slow) continue;
    try {
      prices.push_back(size.time(*candidate.kernel, candidate.shape));
      candidate.too_slow = prices.back().seconds > kSlowSeconds;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsupported) throw;
      candidate.too_slow = true;  // asks for too much memory, and would for more terms
    }
  }
}

}  // namespace

std::vector<Price> gpu_prices(const PriceRequest& request) {
  std::vector<Price> prices;
  BenchMemory memory(kPoolBytes);
  for (const Format format : kPricedFormats) {
    const std::vector<std::byte> pattern = term_pattern(format);
    std::vector<Candidate> methods = candidates(request.kernel);
    for (int power = kFirstPower; power <= (request.quick ? kLastQuickPower : kLastPower); power += kPowerStep) {
      if (request.progress)
        request.progress(std::string(info(format).name) + ", 2^" + std::to_string(power) + " terms");
      if (!fits((std::size_t{1} << power) * static_cast<std::size_t>(info(format).bits) / 8)) break;
      SizePrices size(format, std::size_t{1} << power, pattern, memory);
      time_all(size, methods, prices);
    }
  }
  compare_with_spa(prices);
  return prices;
}

}  // namespace orderlab::cuda
