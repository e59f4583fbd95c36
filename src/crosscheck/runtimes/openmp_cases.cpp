#include "crosscheck/runtimes/openmp_cases.hpp"

namespace orderlab {

namespace {

// Fewer terms than threads, as many, one more; parts of equal and of unequal length.
const std::vector<std::size_t> kLoopSizes{1, 2, 3, 5, 7, 16, 17, 64, 100, 1003, 10007};
constexpr std::size_t kCallsOfLoop = 10;

}  // namespace

std::vector<RuntimeSetting> openmp_settings(const RuntimeScope& scope, std::size_t most_threads,
                                            OpenMpRule (*rule)(std::size_t threads)) {
  RuntimeSetting all;
  all.environment = {"OMP_DYNAMIC=false", "KMP_BLOCKTIME=0"};
  for (const Format format : scope.formats)
    for (std::size_t threads = 1; threads <= most_threads; ++threads)
      for (const std::size_t n : scope.sizes.empty() ? kLoopSizes : scope.sizes)
        for (const auto& [call, label] :
             {std::pair{"for", "for reduction"}, {"parallel_for", "parallel for reduction"}}) {
          const OpenMpRule said = rule(threads);
          RuntimeCase one;
          one.call = call;
          one.label = label;
          one.format = format;
          one.n = n;
          one.workers = threads;
          one.calls = kCallsOfLoop;
          one.rule = said.rule;
          one.orders = {{0, said.order}};
          one.others = said.others;
          all.cases.push_back(one);
        }
  return {all};
}

}  // namespace orderlab
