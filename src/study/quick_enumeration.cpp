#include "study/quick_enumeration.hpp"

#include "orderlab/error.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

std::optional<Enumeration> enumerate_space(const OrderSpace& space, double memory_bytes, int threads,
                                           const Watch& watch) {
  const WatchedStage stage(watch, "subsets");
  WalkOptions options;
  options.memory_bytes = memory_bytes;
  options.threads = threads;
  stage.follow(options);
  return orderlab::enumerate(space, options);
}

QuickEnumeration enumerate_if_quick(const Evaluator& evaluator, double memory_bytes, int threads, const Watch& watch) {
  if (!countable(evaluator)) return {};
  const RecognizedSpace recognized = order_space(evaluator);
  if (!recognized.space || !quickly_enumerable(*recognized.space)) return {};
  try {
    return {enumerate_space(*recognized.space, memory_bytes, threads, watch), {}};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsupported) throw;
    return {std::nullopt, std::string("sampled, as the orders could not be enumerated: ") + error.what()};
  }
}

}  // namespace orderlab::study
