#include "study/groups.hpp"

#include <string>
#include <utility>

#include "core/enum_names.hpp"

namespace orderlab::study {

namespace {

GroupAnswer answer_about(std::string group, const InputFacts& input) {
  GroupAnswer answer;
  answer.group = std::move(group);
  answer.input = input;
  return answer;
}

void take_metrics(GroupAnswer& answer, const Metrics& metrics) {
  answer.largest_error = metrics.of<ErrorSummary>().relative.max_abs;
  answer.same_bits = metrics.of<SameBits>().probability;
}

}  // namespace

GroupAnswer group_without_answer(std::string group, const InputFacts& input, std::string problem) {
  GroupAnswer answer = answer_about(std::move(group), input);
  answer.problem = std::move(problem);
  return answer;
}

GroupAnswer group_answer(std::string group, const EnumerateFinding& finding) {
  GroupAnswer answer = answer_about(std::move(group), finding.input);
  const auto& results = finding.order.enumeration.results.values;
  answer.results = results.size();
  answer.least = results.front().value;
  answer.greatest = results.back().value;
  take_metrics(answer, finding.order.metrics);
  return answer;
}

GroupAnswer group_answer(std::string group, const SampleFinding& finding) {
  GroupAnswer answer = answer_about(std::move(group), finding.input);
  const SampledOrder& order = finding.orders.front();
  if (!order.counts.binned()) {
    const Distribution results = order.counts.results();
    answer.results = results.size();
    answer.least = results.values.front().value;
    answer.greatest = results.values.back().value;
  } else {
    answer.more_than = finding.max_distinct;
  }
  take_metrics(answer, order.metrics);
  return answer;
}

GroupAnswer group_answer(std::string group, const CheckFinding& finding) {
  GroupAnswer answer = answer_about(std::move(group), finding.input);
  answer.verdict = name_of(finding.result.verdict());
  return answer;
}

GroupAnswer group_answer(std::string group, const ToleranceFinding& finding) {
  GroupAnswer answer = answer_about(std::move(group), finding.input);
  answer.tolerance = finding.limit.relative;
  answer.largest_error = finding.largest.relative;
  return answer;
}

}  // namespace orderlab::study
