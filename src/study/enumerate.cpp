#include "orderlab/study/enumerate.hpp"

#include <utility>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "orderlab/error.hpp"
#include "study/bound_order.hpp"
#include "study/enumerated_order.hpp"
#include "study/quick_enumeration.hpp"
#include "study/sample_options.hpp"

namespace orderlab::study {

void validate(const EnumerateRequest& request) {
  const FloatEnvironment environment;
  kEnumerateOptions.check(request);
  require_fixed_baseline(request.baseline);
}

std::optional<EnumerateFinding> enumerate(const Input& input, const EnumerateRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  validate(request);
  if (request.baseline) request.baseline->check(input.facts.n, input.facts.products, input.facts.formats.accumulate);
  const auto evaluator = make_evaluator(request.order, input, request.seed, request.threads);
  auto enumeration = enumerate_space(space_of(request.order, *evaluator),
                                     request.memory_bytes.value_or(available_bytes() / 2), request.threads, watch);
  if (!enumeration) return std::nullopt;
  EnumerateFinding finding;
  finding.input = input.facts;
  const OrderRun run{request.order, request.baseline ? &*request.baseline : nullptr, request.seed};
  finding.order = measured(run, *evaluator, input, *std::move(enumeration));
  if (request.baseline) finding.baseline = request.baseline->expression();
  finding.max_distinct = request.max_distinct;
  return finding;
}

}  // namespace orderlab::study
