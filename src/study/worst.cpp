#include "orderlab/study/worst.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "engine/extremes.hpp"
#include "engine/task_list.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/error.hpp"
#include "study/bound_order.hpp"
#include "study/order_run.hpp"
#include "study/watched_stage.hpp"
#include "study/worst_options.hpp"
#include "study/worst_orders.hpp"

namespace orderlab::study {

namespace {

// Defaults for few partial sums; for more, the number that takes about 10^9 additions.
constexpr std::uint64_t kEvaluations = 20000;
constexpr std::uint64_t kFewestEvaluations = 500;
constexpr std::uint64_t kWorstSamples = 1000;
constexpr std::uint64_t kFewestSamples = 100;
constexpr std::uint64_t kAdditions = 1'000'000'000;
constexpr std::size_t kMaxExactSums = 1000;  // more are never in reach but for a few values many times over

std::uint64_t by_size(std::uint64_t most, std::uint64_t fewest, std::uint64_t n) {
  return std::clamp(kAdditions / std::max<std::uint64_t>(n, 1), fewest, most);
}

// An exact extreme, summed once more in its order.
WorstEnd checked(const Evaluator& evaluator, const OrderSpace& space, const ExtremeOrder& extreme) {
  const bool tree = space.family == OrderFamily::trees;
  const Evaluation evaluation = tree ? evaluate_tree(evaluator, space, extreme.tree)
                                     : evaluator.evaluate_arranged(extreme.order, *evaluator.make_scratch());
  if (evaluation.bits != extreme.bits)
    throw std::logic_error("the extreme order found gives " + bits_text(space.formats.result, evaluation.bits) +
                           " instead of " + bits_text(space.formats.result, extreme.bits));
  WorstEnd end{extreme.bits, extreme.value, running_bound(evaluation.error), extreme.order, {}};
  if (tree) end.tree = extreme.tree;
  return end;
}

// The orders, where their extremes are in reach.
std::optional<OrderSpace> exact_space(const Evaluator& evaluator, double memory_bytes) {
  if (evaluator.random_count() > kMaxExactSums) return std::nullopt;
  RecognizedSpace recognized = order_space(evaluator);
  if (!recognized.space || !extremes_obstacle(*recognized.space, memory_bytes).empty()) return std::nullopt;
  return std::move(recognized.space);
}

class Worst {
 public:
  Worst(const Input& input, const WorstRequest& request, const Watch& watch)
      : input_(input), request_(request), watch_(watch), searched_(shuffled_form(request.order)) {}

  std::optional<WorstFinding> run() {
    const Order& order = request_.order;
    finding_.input = input_.facts;
    finding_.asked = {order.expression(), arrival_of(order)};
    finding_.name = order.name();
    finding_.seed = request_.seed;
    finding_.memory_bytes = static_cast<std::uint64_t>(request_.memory_bytes);
    auto evaluator = bound(searched_);
    if (!exact(*evaluator) && !search(std::move(evaluator))) return std::nullopt;
    finding_.searched = searched_.expression();
    finding_.searched_order = searched_;
    finding_.coverage = coverage_of(order, ends_with_tree(order) && !finding_.exact);
    draw_beside();
    return std::move(finding_);
  }

 private:
  std::unique_ptr<const Evaluator> bound(const Order& order) const {
    return make_evaluator(order, input_, request_.seed, request_.threads);
  }

  // Samples, to compare with; none once it was stopped.
  void draw_beside() {
    const SampledRange range{.end = by_size(kWorstSamples, kFewestSamples, finding_.input.n),
                             .threads = request_.threads};
    if (watch_.stop.stop_requested()) {
      const InputFacts& about = finding_.input;
      finding_.sampled = ResultCounts(CountingFrame::make(about.exact, about.formats.result, range.max_distinct));
    } else {
      const auto drawn = bound(request_.order);
      finding_.sampled = sample_range(*drawn, finding_.input, range, watch_);
    }
    finding_.partial = finding_.partial || finding_.sampled.samples() < range.end;
  }

  // False where that is out of reach, or stopped.
  bool exact(const Evaluator& evaluator) {
    const std::optional<OrderSpace> space = exact_space(evaluator, request_.memory_bytes);
    if (!space) return false;
    const WatchedStage stage(watch_, "sets");
    WalkOptions options{.memory_bytes = request_.memory_bytes, .threads = request_.threads};
    stage.follow(options);
    const auto found = extremes(*space, options);
    if (!found) return false;
    finding_.exact = true;
    finding_.partial_sums = space->partial_sums;
    finding_.fused = !space->products.empty();
    finding_.least = checked(evaluator, *space, found->least);
    finding_.greatest = checked(evaluator, *space, found->greatest);
    return true;
  }

  // `evaluator`: of the order that is searched. False when stopped before anything was found.
  bool search(std::unique_ptr<const Evaluator> evaluator) {
    if (ends_with_tree(searched_)) {
      searched_ = sequential_form(searched_);
      evaluator = bound(searched_);
    }
    require_memory(search_memory_bytes(evaluator->random_count(), threads_used(request_.threads)));
    SearchOptions options;
    options.evaluations =
        request_.evaluations.value_or(by_size(kEvaluations, kFewestEvaluations, evaluator->random_count()));
    options.seconds = request_.seconds.value_or(0);
    options.threads = request_.threads;
    const WatchedStage stage(watch_, request_.seconds ? "search, ms" : "search");
    stage.follow(options);
    auto found = search_extremes(*evaluator, options);
    if (!found) return false;
    finding_.evaluations_asked = options.evaluations;
    finding_.seconds = options.seconds;
    finding_.evaluations = found->evaluations;
    finding_.partial = !found->complete;
    finding_.reproducible = !request_.seconds && found->complete;
    finding_.partial_sums = evaluator->random_inputs();
    finding_.fused = !evaluator->random_products().empty();
    const auto end = [](FoundOrder f) {
      return WorstEnd{f.evaluation.bits, f.evaluation.value, running_bound(f.evaluation.error), std::move(f.order), {}};
    };
    finding_.least = end(std::move(found->least));
    finding_.greatest = end(std::move(found->greatest));
    return true;
  }

  const Input& input_;
  const WorstRequest& request_;
  const Watch& watch_;
  Order searched_;
  WorstFinding finding_;
};

}  // namespace

void validate(const WorstRequest& request) {
  const FloatEnvironment environment;
  kWorstOptions.check(request);
  if (request.evaluations && request.seconds)
    throw RequestError(ErrorKind::usage, "`evaluations` and `seconds`: both limit the search; give one of them");
  shuffled_form(request.order);  // throws for one that cannot be walked
}

std::optional<WorstFinding> worst(const Input& input, const WorstRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  validate(request);
  return unless_stopped([&] { return Worst(input, request, watch).run(); }).value_or(std::nullopt);
}

bool extremes_are_trees(const Input& input, const WorstRequest& request) {
  const FloatEnvironment environment;
  const Order searched = shuffled_form(request.order);
  if (!ends_with_tree(searched)) return false;
  const auto evaluator = make_evaluator(searched, input, request.seed, request.threads);
  return exact_space(*evaluator, request.memory_bytes).has_value();
}

const WorstEnd& farthest(const WorstFinding& finding) {
  const FloatEnvironment environment;
  const auto error = [&](const WorstEnd& end) { return std::fabs(worst_error(finding.input, end.value).value_or(0)); };
  return error(finding.greatest) >= error(finding.least) ? finding.greatest : finding.least;
}

}  // namespace orderlab::study
