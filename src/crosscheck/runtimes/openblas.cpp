// OpenBLAS.
#include "crosscheck/runtimes/runtime.hpp"

namespace orderlab {

namespace {

constexpr RuntimeBuild kOpenBlasBuilds[] = {{"g++"}, {"clang++"}};
constexpr const char* kOpenBlasFlags[] = {"-lopenblas"};
const std::vector<std::size_t> kVectorSizes{1, 2, 3, 7, 16, 31, 32, 33, 64, 100, 1003, 9999};

std::vector<RuntimeSetting> openblas_settings(const RuntimeScope& scope, const RuntimeBuild&) {
  RuntimeSetting all;
  for (const Format format : scope.formats)
    for (const std::size_t n : scope.sizes.empty() ? kVectorSizes : scope.sizes) {
      RuntimeCase one;
      one.call = "dot";
      one.label = format == Format::fp64 ? "ddot" : "sdot";
      one.format = format;
      one.n = n;
      one.products = true;
      one.rule = "?";
      one.orders = {{0, "seq"}};
      all.cases.push_back(one);
    }
  return {all};
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
