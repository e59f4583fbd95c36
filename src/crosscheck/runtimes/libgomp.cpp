// OpenMP of g++: the threads' sums are added as the threads finish.
#include "crosscheck/runtimes/openmp_cases.hpp"

namespace orderlab {

namespace {

constexpr RuntimeBuild kLibgompBuilds[] = {{"g++"}};
constexpr const char* kLibgompFlags[] = {"-fopenmp"};
constexpr std::size_t kLibgompThreads = 8;  // all orders of arrival are enumerated: 8! of them

OpenMpRule libgomp_rule(std::size_t threads) { return {"openmp(t)", "openmp(" + std::to_string(threads) + ")"}; }

std::vector<RuntimeSetting> libgomp_settings(const RuntimeScope& scope, const RuntimeBuild&) {
  return openmp_settings(scope, kLibgompThreads, libgomp_rule);
}

}  // namespace

extern const Runtime kLibgomp;
const Runtime kLibgomp{
    .name = "libgomp",
    .device = "openmp",
    .packages = "g++",
    .source = "openmp",
    .builds = kLibgompBuilds,
    .flags = kLibgompFlags,
    .version = "libgomp",
    .settings = libgomp_settings,
};

}  // namespace orderlab
