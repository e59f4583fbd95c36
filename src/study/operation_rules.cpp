#include "study/operation_rules.hpp"

#include <algorithm>

#include "study/input_options.hpp"
#include "study/sample_options.hpp"

namespace orderlab::study {

namespace {

std::string in_words(const std::vector<const OperationCall*>& calls) {
  std::string words;
  for (const OperationCall* call : calls) words += (words.empty() ? "" : ", ") + to_string(*call);
  return words;
}

}  // namespace

std::optional<OptionProblem> option_problem(const GivenOptions& given) {
  const auto& calls = given.operations;
  const auto none = [&](bool TensorOperation::*is) {
    return std::none_of(calls.begin(), calls.end(), [&](const OperationCall* call) { return call->operation->*is; });
  };
  const std::string names = in_words(calls);
  const bool only_files = given.files && !given.generated && !given.sums;
  struct Rule {
    const Flag* flag;
    bool refused;
    std::string why;
  };
  const std::string own_inputs = "needs a file as `input`; generated inputs come with their own";
  const std::string generated_only = "is about generated inputs, but they come from files; leave it out";
  const Rule rules[] = {
      {&kMaxDistinct, !given.sums, "is about sums of one output; leave it out with `op`"},
      {&kN, !given.sums && given.has(kShape), "is a shape of one dimension; leave `n` or `shape` out"},
      {&kOrder, !given.sums && none(&TensorOperation::takes_order),
       names + " adds in the order of its kernel; leave it out (`arrival` orders units, where units arrive)"},
      {&kShape, none(&TensorOperation::needs_shape), names + " says the shapes of its inputs itself; leave it out"},
      {&kRatio, none(&TensorOperation::takes_index), "applies to an index; " + names + " takes none; leave it out"},
      {&kIndex, none(&TensorOperation::takes_index), names + " takes none; leave it out"},
      {&kWith, none(&TensorOperation::takes_factor), names + " takes none; leave it out"},
      {&kWith, !given.files, own_inputs},
      {&kIndex, !given.files, own_inputs},
      {&kSelf, !given.files, own_inputs},
      {&kShape, only_files, generated_only},
      {&kN, only_files, generated_only},
      {&kRatio, only_files, generated_only},
      {&kDistribution, only_files, generated_only},
      {&kInputSeed, only_files, generated_only},
  };
  for (const Rule& rule : rules)
    if (rule.refused && given.has(*rule.flag)) return OptionProblem{rule.flag, rule.why};
  return std::nullopt;
}

}  // namespace orderlab::study
