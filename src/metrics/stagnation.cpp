#include "metrics/stagnation.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "describe/kinds.hpp"
#include "metrics/metric_fields.hpp"
#include "order/left_to_right.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/order.hpp"
#include "run/plan_steps.hpp"

namespace orderlab::described {

namespace {

namespace k = kinds;

constexpr std::string_view kNoStagnation = "where none does, or less than 1 % of the sum is lost";
constexpr Field kStagnationFields[] = {
    value<&StagnationSummary::sum>("sum", k::kNumber, "The sum at which it stops", {.null = kNoStagnation}),
    value<&StagnationSummary::after>("after", k::kCount, "Number of partial sums that were added by then",
                                     {.null = kNoStagnation}),
    value<&StagnationSummary::partial_sums>("partial_sums", k::kCount, "Number of partial sums that there are",
                                            {.null = kNoStagnation}),
};
constexpr TableOf<StagnationSummary> kStagnationTable{
    {.key = "stagnation",
     .title = "Stagnation",
     .help = "A running sum that stops growing. All null where none does, or less than 1 % of the sum is lost.",
     .fields = kStagnationFields,
     .shared = true}};
constexpr Field kStagnationField = metric("stagnation", kStagnationTable);

}  // namespace

}  // namespace orderlab::described

namespace orderlab {

namespace {

// What the last stage adds, and how. `terms` is a view of the evaluator's terms or of `partial_sums`.
struct LastAdditions {
  Order order;
  Formats formats;
  std::vector<double> partial_sums;
  TermView terms;

  double sum_of_first(std::size_t count, std::uint64_t seed) const {
    TermView first = terms;
    first.n = count;
    const auto evaluator = Evaluator::make(order, first, formats, seed);
    return evaluator->evaluate(0, *evaluator->make_scratch()).value;
  }
};

// The order up to its last stage, with a random stage for that one: its random inputs are what the last stage adds.
std::vector<double> partial_sums_before_last(const Evaluator& evaluator, const TermView& terms) {
  std::vector<StageCall> stages = evaluator.order().stages();
  stages.pop_back();
  const Order drawn = parse_order("shuffle | seq");
  stages.insert(stages.end(), drawn.stages().begin(), drawn.stages().end());
  return Evaluator::make(Order({}, std::move(stages)), terms, evaluator.formats(), evaluator.seed())->random_inputs();
}

bool all_equal(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

std::optional<LastAdditions> last_additions(const Evaluator& evaluator, const TermView& terms) {
  const Order& order = evaluator.order();
  if (order.changes_format()) return std::nullopt;  // the last stage alone would add in another format
  // 1 % of a sum that no term changes any more is 2^57 of them at least.
  if (evaluator.formats().accumulate == Format::fp80) return std::nullopt;
  const auto& stages = order.stages();
  const std::span<const StageCall> random = std::span(stages).subspan(order.first_random());
  const StageCall& last = stages.back();
  const bool arranged = std::none_of(random.begin(), random.end(),
                                     [&](const StageCall& call) { return call.stage->reduces && &call != &last; });
  if (!last.stage->reduces || is_random(last) || !arranged) return std::nullopt;

  const Format format = evaluator.formats().accumulate;
  LastAdditions additions{Order({}, {last}), {evaluator.formats().terms, format, format}, {}, terms};
  if (stages.size() > 1) {
    if (fuses(describe(last, 1, format))) return std::nullopt;  // products are no partial sums
    additions.partial_sums = order.random() ? evaluator.random_inputs() : partial_sums_before_last(evaluator, terms);
    if (order.random() && !all_equal(additions.partial_sums)) return std::nullopt;
    additions.formats.terms = Format::fp64;
    additions.terms = view_of(additions.partial_sums.data(), additions.partial_sums.size());
  }
  const Steps steps = describe(last, additions.terms.n, format);
  const Combination* how = steps.size() == 1 ? one_group(steps.front(), additions.terms.n) : nullptr;
  const bool in_turn = how != nullptr && how->tree == Combination::Tree::in_turn;
  const bool compensated = in_turn && (how->accumulate == Accumulate::kahan || how->accumulate == Accumulate::neumaier);
  return in_turn && !compensated ? std::optional(std::move(additions)) : std::nullopt;
}

double value_of(const TermView& terms, std::size_t i) { return terms.left(i) * terms.right(i); }

bool of_one_sign(const TermView& terms) {
  bool positive = false;
  bool negative = false;
  for (std::size_t i = 0; i < terms.n; ++i) {
    const double value = value_of(terms, i);
    if (std::isnan(value)) return false;
    positive = positive || value > 0;
    negative = negative || value < 0;
  }
  return positive != negative;
}

StagnationSummary measure_stagnation(const Measurement& m) {
  std::optional<Stagnation> found;
  if (m.terms.n > 0 && m.results.size() == 1 && m.samples->finite() > 0 && m.exact.finite() && !m.exact.zero()) {
    const double exact = std::fabs(m.exact.to_double());
    if (std::fabs(m.exact.difference(m.results.values[0].value)) >= kLostByStagnation * exact)
      found = find_stagnation(m.evaluator, m.terms, m.exact);
  }
  if (!found) return {};
  return {found->sum, found->after, found->count};
}

}  // namespace

std::optional<Stagnation> find_stagnation(const Evaluator& evaluator, const TermView& terms, const ExactValue& exact) {
  const auto additions = last_additions(evaluator, terms);
  if (!additions || !of_one_sign(additions->terms)) return std::nullopt;
  const std::size_t count = additions->terms.n;
  const double sum = additions->sum_of_first(count, evaluator.seed());
  const double lost = kLostByStagnation * std::fabs(exact.to_double());
  if (!(std::fabs(exact.difference(sum)) >= lost)) return std::nullopt;  // finite sums of finite terms only

  std::size_t differs = 0;  // the sum of this many differs from `sum`; the sums of `after` and more do not
  std::size_t after = count;
  while (after - differs > 1) {
    const std::size_t middle = differs + (after - differs) / 2;
    (additions->sum_of_first(middle, evaluator.seed()) == sum ? after : differs) = middle;
  }
  double rest = 0;
  for (std::size_t i = after; i < count; ++i) rest += std::fabs(value_of(additions->terms, i));
  if (!(rest >= lost)) return std::nullopt;
  return Stagnation{sum, after, count};
}

extern const Metric kStagnation;
const Metric kStagnation{
    .name = described::kStagnationField.name,
    .unit = "as the sum",
    .summary =
        "running sum that stops growing: the sum, the partial sums added by then, and how many there are; null where "
        "the last stage is no plain left-to-right sum of one sign, or less than 1 % is lost",
    .source = "[Higham1993]",
    .functions = kMeasuredBy<measure_stagnation>,
    .of_samples = &described::kStagnationField,
    .of_all_orders = nullptr,
};

}  // namespace orderlab
