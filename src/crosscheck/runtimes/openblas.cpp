// OpenBLAS: dot products and sums of magnitudes, whose orders depend on the kernels that it chooses for the processor.
// Source: OpenBLAS 0.3.21, kernel/x86_64: ddot.c, sdot.c, dasum.c, sasum.c and what they include; measured.
#include <algorithm>
#include <optional>

#include "crosscheck/runtimes/runtime.hpp"

namespace orderlab {

namespace {

constexpr RuntimeBuild kOpenBlasBuilds[] = {{"g++"}, {"clang++"}};
constexpr const char* kOpenBlasFlags[] = {"-lopenblas"};

const std::vector<std::size_t> kDotSizes{1,  2,  3,  7,  15,  16,  17,   31,   32,   33,   34,  35,
                                         48, 63, 64, 65, 100, 131, 1003, 1024, 1027, 8192, 9999};
const std::vector<std::size_t> kAsumSizes{8, 16, 104, 248, 256, 512, 1024, 99840};

const std::vector<std::size_t> kSharedDotSizes{10'001, 20'000, 99'999};

constexpr std::size_t kBlasThreads[] = {1, 4};
constexpr std::size_t kMostOfOneThread[] = {10'000, 100'000};  // terms of dot and asum that more threads do not share

using SizeRule = std::optional<std::string> (*)(std::size_t n);  // the order of n terms; none: no order is known

// The last terms are added in fp64, the sum of the lanes after them.
const std::string kRestInDouble = " | in(fp64) | rotate(1) | seq(from=zero)";

std::optional<std::string> lanes_and_rest(const std::string& lanes, std::size_t rest) {
  constexpr std::size_t kMostRest = 3;  // adjacent(4) would add more of them as it does lanes
  if (rest > kMostRest) return std::nullopt;
  return rest == 0 ? lanes : lanes + kRestInDouble;
}

// Its sum and the terms after the last 16 are added in turn.
constexpr const char* kDdotOfHaswell = "strided(16,acc=fma,rest=keep) | lanes(2,8,rows=adjacent,rest=keep)";

std::optional<std::string> ddot_of_haswell(std::size_t n) {
  if (n < 16) return "seq(from=zero)";
  return kDdotOfHaswell + std::string(" | seq(from=zero)");
}

std::optional<std::string> sdot_of_haswell(std::size_t n) {
  if (n < 32) return "in(fp64) | seq(from=zero)";
  return lanes_and_rest("strided(32,acc=fma,rest=keep) | lanes(4,8,rows=adjacent,rest=keep) | adjacent(4,rest=keep)",
                        n % 32);
}

// The terms after the last 16 are fused into the sum of the lanes, which no order says.
std::optional<std::string> ddot_of_skylakex(std::size_t n) {
  if (n < 16) return "seq(acc=fma)";
  if (n == 16) return "strided(16,acc=fma) | lanes(4,4) | halving(4)";
  if (n % 32 != 0) return std::nullopt;
  return "strided(32,acc=fma) | lanes(4,2) | lanes(4,4) | halving(4)";
}

std::optional<std::string> sdot_of_skylakex(std::size_t n) {
  const std::string lanes = "lanes(8,4,rest=keep) | lanes(4,2,rest=keep) | adjacent(4,rest=keep)";
  if (n < 32) return "in(fp64) | seq(from=zero)";
  if (n < 64) return lanes_and_rest("strided(32,acc=fma,rest=keep) | " + lanes, n % 32);
  return lanes_and_rest("strided(64,acc=fma,rest=keep) | lanes(8,2,rest=keep) | " + lanes, n % 64);
}

// Runs of 256 terms in wide vectors, then runs of 8 in vectors of 16 bytes. Here one or the other.
std::optional<std::string> asum_of(std::size_t n, const char* wide, const char* narrow) {
  if (n % 256 == 0) return wide;
  if (n < 256 && n % 8 == 0) return narrow;
  return std::nullopt;
}

constexpr const char* kNarrowDasum = "strided(8) | lanes(2,4) | adjacent(2)";
constexpr const char* kNarrowSasum = "strided(8) | lanes(4,2) | adjacent(4)";

std::optional<std::string> dasum_of_haswell(std::size_t n) {
  return asum_of(n, "strided(16) | lanes(4,4) | halving(4)", kNarrowDasum);
}

std::optional<std::string> sasum_of_haswell(std::size_t n) {
  return asum_of(n, "strided(32) | lanes(8,4) | lanes(4,2) | adjacent(4)", kNarrowSasum);
}

std::optional<std::string> dasum_of_skylakex(std::size_t n) {
  return asum_of(n, "strided(32) | lanes(8,4) | halving(8)", kNarrowDasum);
}

std::optional<std::string> sasum_of_skylakex(std::size_t n) {
  return asum_of(n, "strided(64) | lanes(16,4) | halving(16)", kNarrowSasum);
}

struct BlasKernel {
  const char* call;
  const char* label;
  Format format;
  SizeRule rule;
  const char* each = nullptr;  ///< of the part of each of several threads; null: no order is known
};

/// The kernels of a processor.
struct BlasCore {
  std::string_view name;
  BlasKernel kernels[4];
};

constexpr BlasCore haswell_kernels(std::string_view name) {
  return {name,
          {{"dot", "ddot", Format::fp64, ddot_of_haswell, kDdotOfHaswell},
           {"dot", "sdot", Format::fp32, sdot_of_haswell},
           {"asum", "dasum", Format::fp64, dasum_of_haswell},
           {"asum", "sasum", Format::fp32, sasum_of_haswell}}};
}

constexpr BlasCore skylakex_kernels(std::string_view name) {
  return {name,
          {{"dot", "ddot", Format::fp64, ddot_of_skylakex},
           {"dot", "sdot", Format::fp32, sdot_of_skylakex},
           {"asum", "dasum", Format::fp64, dasum_of_skylakex},
           {"asum", "sasum", Format::fp32, sasum_of_skylakex}}};
}

constexpr BlasCore kBlasCores[] = {haswell_kernels("Haswell"), haswell_kernels("Zen"), skylakex_kernels("SkylakeX"),
                                   skylakex_kernels("Cooperlake"), skylakex_kernels("SapphireRapids")};

// The order of n terms on some threads; none: no order is known.
std::optional<std::string> order_of(const BlasKernel& kernel, std::size_t n, std::size_t threads) {
  const bool shared = threads > 1 && n > kMostOfOneThread[kernel.call == std::string_view("dot") ? 0 : 1];
  if (!shared) return kernel.rule(n);
  if (kernel.each == nullptr) return std::nullopt;
  return "chunks(" + std::to_string(threads) + ",each=" + kernel.each + ") | seq(from=zero)";
}

std::vector<std::size_t> sizes_of(const BlasKernel& kernel, const RuntimeScope& scope) {
  if (!scope.sizes.empty()) return scope.sizes;
  if (kernel.call != std::string_view("dot")) return kAsumSizes;
  std::vector<std::size_t> sizes = kDotSizes;
  sizes.insert(sizes.end(), kSharedDotSizes.begin(), kSharedDotSizes.end());
  return sizes;
}

// One case of each kernel, number of threads and size that has an order.
std::vector<RuntimeCase> cases_of(const BlasCore& core, const RuntimeScope& scope) {
  std::vector<RuntimeCase> cases;
  for (const BlasKernel& kernel : core.kernels) {
    if (std::find(scope.formats.begin(), scope.formats.end(), kernel.format) == scope.formats.end()) continue;
    const bool dot = kernel.call == std::string_view("dot");
    for (const std::size_t threads : kBlasThreads)
      for (const std::size_t n : sizes_of(kernel, scope)) {
        const std::optional<std::string> order = order_of(kernel, n, threads);
        if (!order) continue;
        RuntimeCase one;
        one.call = kernel.call;
        one.label = kernel.label;
        one.format = kernel.format;
        one.n = n;
        one.workers = threads;
        one.products = dot;
        one.terms = dot ? "logspread(-8,8)" : "uniform(0,10)";
        one.calls = 3;
        one.rule = *order;
        one.orders = {{0, *order}};
        one.others = {"seq(from=zero)", "simd(8)", "pairwise"};
        if (const auto alone = kernel.rule(n); alone && alone != order) one.others.push_back(*alone);
        cases.push_back(one);
      }
  }
  return cases;
}

std::vector<RuntimeSetting> openblas_settings(const RuntimeScope& scope, const RuntimeBuild&) {
  if (scope.version.empty()) return {{}};
  for (const BlasCore& core : kBlasCores)
    if (scope.version.ends_with("kernels of " + std::string(core.name))) {
      const RuntimeSetting all{{}, {}, cases_of(core, scope)};
      if (!all.cases.empty()) return {all};
    }
  return {};
}

}  // namespace

extern const Runtime kOpenBlas;
const Runtime kOpenBlas{
    .name = "OpenBLAS",
    .device = "blas",
    .packages = "g++ libopenblas-dev",
    .source = "blas",
    .builds = kOpenBlasBuilds,
    .flags = kOpenBlasFlags,
    .version = "OpenBLAS",
    .settings = openblas_settings,
};

}  // namespace orderlab
