// OpenMP of clang. Up to four threads add their sums as they finish, more by a binomial tree.
#include "crosscheck/runtimes/openmp_cases.hpp"

namespace orderlab {

namespace {

constexpr RuntimeBuild kLibompBuilds[] = {{"clang++"},    {"clang++-20"}, {"clang++-19"}, {"clang++-18"},
                                          {"clang++-17"}, {"clang++-16"}, {"clang++-15"}, {"clang++-14"}};
constexpr const char* kLibompFlags[] = {"-fopenmp"};
constexpr std::size_t kLibompThreads = 8;
constexpr std::size_t kLibompThreadsInFull = 16;
constexpr std::size_t kThreadsInATree = 5;  // and more: kmp_runtime.cpp, __kmp_determine_reduction_method

OpenMpRule libomp_rule(std::size_t threads) {
  const std::string t = std::to_string(threads);
  if (threads < kThreadsInATree) return {"openmp(t)", "openmp(" + t + ")"};
  return {"openmp_llvm(t)", "openmp_llvm(" + t + ")", {"chunks(" + t + ") | seq(from=zero)"}};
}

std::vector<RuntimeSetting> libomp_settings(const RuntimeScope& scope, const RuntimeBuild&) {
  return openmp_settings(scope, scope.full ? kLibompThreadsInFull : kLibompThreads, libomp_rule);
}

}  // namespace

extern const Runtime kLibomp;
const Runtime kLibomp{
    .name = "libomp",
    .device = "openmp",
    .packages = "clang-16 libomp-16-dev",
    .source = "openmp",
    .builds = kLibompBuilds,
    .flags = kLibompFlags,
    .version = "libomp",
    .settings = libomp_settings,
};

}  // namespace orderlab
