// Is an array of a run explained by order? Longer than most files: one flow from models to the verdicts of all outputs.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "engine/arena.hpp"
#include "operation/every_order.hpp"
#include "operation/scan_search.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/operation_outcomes.hpp"
#include "study/asked_arrival.hpp"
#include "study/blind_spots.hpp"
#include "study/check_options.hpp"
#include "study/operation_baseline.hpp"
#include "study/output_lists.hpp"
#include "study/output_ranges.hpp"

namespace orderlab::study {

namespace {

using Bits = std::vector<std::uint64_t>;

Bits bits_of_terms(const Terms& terms) {
  Bits bits;
  bits.reserve(terms.size());
  const TermView view = terms.view();
  for (std::size_t i = 0; i < view.n; ++i) bits.push_back(round_to_bits(view.format, view.left(i)));
  return bits;
}

void require_fits(const OperationInput& input, const Tensor& actual) {
  const OperationFacts& facts = input.facts;
  if (actual.shape != facts.shape)
    throw Error(ErrorKind::input, "the array to check is " + to_string(actual.shape) + "; " + facts.operation +
                                      " gives " + to_string(facts.shape));
  if (actual.terms.format() != facts.formats.result)
    throw Error(ErrorKind::input, "the array to check is " + std::string(info(actual.terms.format()).name) + "; " +
                                      facts.operation + " gives " + std::string(info(facts.formats.result).name));
}

/// Enough that one of so many outputs outside its samples is more than chance allows, as far as that takes no more than
/// seconds; at least enough that half of the outputs are: see Judge::finish.
std::uint64_t default_samples(double confidence, std::uint64_t outputs, std::uint64_t contributions) {
  constexpr double kFewest = 1000;
  constexpr double kAdditions = 1e9;
  const double for_half = std::max(kFewest, std::ceil(8 / (1 - confidence)));
  const double for_one = std::ceil(4 * static_cast<double>(outputs) / (1 - confidence));
  const double quick = std::floor(kAdditions / static_cast<double>(std::max<std::uint64_t>(1, contributions)));
  return static_cast<std::uint64_t>(std::max(for_half, std::min(for_one, quick)));
}

bool worse(const SuspectOutput& a, const SuspectOutput& b) {
  if (a.verdict != b.verdict) return a.verdict > b.verdict;
  if (a.distance_ulp != b.distance_ulp) return a.distance_ulp > b.distance_ulp;
  return a.output < b.output;
}

ArrivalCall checked_arrival(const LoweredOperation& operation, const OperationCheckRequest& request) {
  return arrival_of(operation, request.arrival.value_or("uniform"));
}

/// The operation with one answer to whether its atomics flush.
struct Model {
  std::shared_ptr<const LoweredOperation> operation;
  std::unique_ptr<const OutputSums> sums;
  std::vector<std::vector<OutputResult>> results =
      {};                                 ///< results of each varying output; none where they are not known
  std::vector<RangedOutput> ranged = {};  ///< results of outputs that are sampled
};

/// Whether the additions of an operation can be done both ways.
bool can_flush_or_not(const LoweredOperation& operation) {
  return operation.formats.accumulate == Format::fp32 && operation.addition.combine == Combine::add &&
         operation.has_rows() && !operation.own && !operation.adds_by_plans() && !operation.addition.tail;
}

/// The models that the request allows, the operation as it describes itself first where it is one of them.
std::vector<Model> models_of(const OperationInput& input, const ArrivalCall& arrival,
                             const OperationCheckRequest& request, bool subnormal) {
  std::vector<Model> models;
  const auto add = [&](std::shared_ptr<const LoweredOperation> operation) {
    auto sums = OutputSums::make(operation, arrival, DrawPath{.seed = request.seed});
    models.push_back({std::move(operation), std::move(sums)});
  };
  const bool as_described = input.operation->addition.flush;
  const bool both = subnormal && can_flush_or_not(*input.operation);
  const auto allowed = [&](bool flush) { return request.flushing != (flush ? Flushing::no : Flushing::yes); };
  if (!both || allowed(as_described)) add(input.operation);
  if (both && allowed(!as_described)) {
    auto other = std::make_shared<LoweredOperation>(*input.operation);
    other->addition.flush = !as_described;
    add(std::move(other));
  }
  return models;
}

/// An output that no model explains.
struct OpenOutput {
  std::uint32_t output = 0;
  std::uint64_t bits = 0;
  double nearest = 0;
  bool sampled = false;
  bool excluded = false;
};

/// Judges all outputs.
class Judge {
 public:
  Judge(OperationCheckFinding& finding, const LoweredOperation& operation, const ExactRows& exact, Bits actual)
      : finding_(finding),
        operation_(operation),
        exact_(exact),
        actual_(std::move(actual)),
        proof_(operation, exact, finding.flushing) {}

  const EveryOrder& proof() const { return proof_; }

  /// Judges all outputs for an order that is unknown.
  void judge_by_bound(int threads) {
    finding_.bounded = actual_.size();
    for (std::size_t r = 0; r < actual_.size(); ++r) open_output(r, end_of_bound(r), false);
    prove(threads);
    std::erase_if(open_, [](const OpenOutput& output) { return !output.excluded; });
    conclude();
  }

  /// All outputs of a scan at once: they follow from the look-back of their tiles.
  void judge_scan(const Terms& actual, int threads) {
    const ScanSearch found = search_lookback(operation_, actual);
    finding_.lookback = found.distances;
    finding_.lookback_tried = found.farthest;
    finding_.lookback_replays = found.replays;
    for (std::size_t r = 0; r < actual_.size(); ++r)
      ++(fate_of(operation_, r) == OutputFate::varies ? finding_.enumerated : finding_.fixed);
    for (const std::uint32_t r : found.wrong) open_output(r, found.nearest.view().left(r), false);
    prove(threads);
    conclude();
  }

  /// `subnormal`: whether sums may be. Where the models do not know all that an order does to these, only a proof over
  /// every order says that a result is impossible.
  void judge(std::vector<Model>& models, bool subnormal, const OperationCheckRequest& request, const Watch& watch) {
    const bool models_cover = operation_.freedom == OrderFreedom::named && (!subnormal || can_flush_or_not(operation_));
    const std::size_t varying = models.front().sums->varying().size();
    level_ = (1 - finding_.confidence) / 2 / static_cast<double>(std::max<std::size_t>(1, varying));
    std::vector<std::size_t> next(models.size());
    for (std::size_t r = 0; r < actual_.size(); ++r) judge_known(models, next, r);
    for (OpenOutput& output : open_) output.excluded = models_cover && !output.sampled;
    if (finding_.sampled > 0) judge_sampled(models, request, watch);
    prove(request.threads);
    conclude();
  }

 private:
  Format format() const { return operation_.formats.result; }
  double value(std::size_t r) const { return value_of_bits(format(), actual_[r]); }

  void open_output(std::size_t r, double nearest, bool sampled) {
    open_.push_back({static_cast<std::uint32_t>(r), actual_[r], nearest, sampled, false});
  }

  double end_of_bound(std::size_t r) const {
    const double bound = proof_.bound(r);
    const double end = exact_.high[r] + (value(r) > exact_.high[r] ? bound : -bound);
    return value_of_bits(format(), round_to_bits(format(), end));
  }

  /// What is known of output r without samples.
  void judge_known(std::vector<Model>& models, std::vector<std::size_t>& next, std::size_t r) {
    bool explained = false;
    bool sampled = false;
    bool fixed = false;  // fixed in the first model
    double p = 0;
    std::vector<std::uint64_t> reachable;
    for (std::size_t m = 0; m < models.size(); ++m) {
      Model& model = models[m];
      const auto varying = model.sums->varying();
      if (next[m] == varying.size() || varying[next[m]] != r) {
        reachable.push_back(round_to_bits(format(), model.sums->launch().view().left(r)));
        if (reachable.back() == actual_[r]) explained = true, p = 1;
        fixed = fixed || m == 0;
        continue;
      }
      const std::vector<OutputResult>& results = model.results[next[m]++];
      if (results.empty()) {
        sampled = true;
        model.ranged.push_back({static_cast<std::uint32_t>(r), actual_[r]});
        continue;
      }
      for (const OutputResult& result : results) {
        reachable.push_back(result.bits);
        if (result.bits == actual_[r]) explained = true;
      }
      p = std::max(p, probability_of_rarer(results, actual_[r]));
    }
    ++(sampled ? finding_.sampled : fixed ? finding_.fixed : finding_.enumerated);
    if (explained && sampled)
      for (Model& model : models)
        if (!model.ranged.empty() && model.ranged.back().output == r) model.ranged.pop_back();
    if (explained && !sampled && p < level_) improbable(r, p);
    if (!explained && !sampled) open_output(r, nearest(reachable, value(r)), false);
  }

  /// Probability of a result that is as improbable as this one; 0 where it is none.
  static double probability_of_rarer(const std::vector<OutputResult>& results, std::uint64_t bits) {
    double observed = 0;
    for (const OutputResult& result : results)
      if (result.bits == bits) observed = result.probability;
    if (observed == 0) return 0;
    double p = 0;
    for (const OutputResult& result : results)
      if (result.probability <= observed * (1 + 0x1p-40)) p += result.probability;
    return p;
  }

  double nearest(const std::vector<std::uint64_t>& reachable, double to) const {
    double best = value_of_bits(format(), reachable.front());
    for (const std::uint64_t bits : reachable) {
      const double x = value_of_bits(format(), bits);
      if (std::fabs(x - to) < std::fabs(best - to) || std::isnan(best)) best = x;
    }
    return best;
  }

  void improbable(std::size_t r, double p) {
    if (finding_.arrival_named)
      suspect(r, OutputVerdict::unlikely, value(r), p);
    else
      ++finding_.improbable;
  }

  void judge_sampled(std::vector<Model>& models, const OperationCheckRequest& request, const Watch& watch) {
    finding_.samples =
        request.samples.value_or(default_samples(finding_.confidence, finding_.sampled, finding_.input.contributions));
    const RangeOptions options{finding_.samples, !finding_.arrival_named, checked_arrival(operation_, request),
                               DrawPath{.seed = request.seed}, request.threads};
    std::vector<std::uint8_t> settled(actual_.size());
    for (Model& model : models) {
      for (RangedOutput& given : model.ranged) given.inside = settled[given.output] != 0;
      find_ranges(*model.sums, model.ranged, options, watch,
                  [&](std::size_t r, std::uint64_t bits) { return proof_.excludes(r, bits); });
      for (const RangedOutput& given : model.ranged)
        if (given.inside) settled[given.output] = 1;
    }
    std::vector<OpenOutput> outside;
    for (const Model& model : models)
      for (const RangedOutput& given : model.ranged)
        if (std::exchange(settled[given.output], 1) == 0) outside.push_back(open_of(given));
    judge_number(outside);
    open_.insert(open_.end(), outside.begin(), outside.end());
  }

  OpenOutput open_of(const RangedOutput& given) const {
    const double end = value(given.output) < given.least ? given.least : given.greatest;
    return {given.output, given.bits, end, true, given.excluded};
  }

  /// Whether the outputs outside their samples are too many to be legitimate. Each is outside with probability at most
  /// 2 / (N + 1), as its result and N samples are exchangeable; their number c, of dependent outputs, with probability
  /// at most its mean / c (Markov). What is outside by chance is explained, but for what is excluded by proof.
  void judge_number(std::vector<OpenOutput>& outside) {
    finding_.outside = outside.size();
    if (outside.empty()) return;
    finding_.outside_p =
        std::min(1.0, 2.0 * static_cast<double>(finding_.sampled) / static_cast<double>(finding_.samples + 1) /
                          static_cast<double>(finding_.outside));
    if (finding_.outside_p >= (1 - finding_.confidence) / 2)
      std::erase_if(outside, [](const OpenOutput& output) { return !output.excluded; });
  }

  void prove(int threads) {
    loop_on(threads)(open_.size(), [&](std::size_t i) {
      OpenOutput& output = open_[i];
      if (!output.excluded && !output.sampled) output.excluded = proof_.excludes(output.output, output.bits);
    });
  }

  /// Frequencies are named with an arrival model, and with an order that draws by itself.
  void conclude() {
    const bool frequencies = finding_.arrival_named || operation_.adds_by_plans();
    for (const OpenOutput& output : open_) {
      const OutputVerdict verdict = output.excluded                 ? OutputVerdict::impossible
                                    : output.sampled && frequencies ? OutputVerdict::unlikely
                                                                    : OutputVerdict::outside_model;
      if (verdict == OutputVerdict::outside_model && output.sampled) ++finding_.outside_model_sampled;
      suspect(output.output, verdict, output.nearest, std::nullopt);
    }
    std::sort(finding_.suspects.begin(), finding_.suspects.end(), worse);
    if (finding_.suspects.size() > OperationCheckFinding::kMostSuspects)
      finding_.suspects.resize(OperationCheckFinding::kMostSuspects);
  }

  void suspect(std::size_t r, OutputVerdict verdict, double nearest, std::optional<double> p) {
    ++(verdict == OutputVerdict::impossible ? finding_.impossible
       : verdict == OutputVerdict::unlikely ? finding_.unlikely
                                            : finding_.outside_model);
    double distance = std::fabs(value(r) - nearest) / exact_.ulp[r];
    if (std::isnan(distance)) distance = std::numeric_limits<double>::infinity();
    finding_.suspects.push_back({r, verdict, value(r), nearest, distance, p});
  }

  OperationCheckFinding& finding_;
  const LoweredOperation& operation_;
  const ExactRows& exact_;
  Bits actual_;
  EveryOrder proof_;
  double level_ = 0;
  std::vector<OpenOutput> open_;
};

}  // namespace

OutputVerdict OperationCheckFinding::verdict() const {
  if (impossible > 0) return OutputVerdict::impossible;
  if (unlikely > 0) return OutputVerdict::unlikely;
  return outside_model > 0 ? OutputVerdict::outside_model : OutputVerdict::explained;
}

std::uint64_t OperationCheckFinding::outside_needed() const {
  const FloatEnvironment environment;
  const double limit = 4 * static_cast<double>(sampled) / (static_cast<double>(samples + 1) * (1 - confidence));
  return static_cast<std::uint64_t>(limit) + 1;
}

namespace {

/// Subsets of the units of a row: samples judge rows of more than 13 different units faster.
constexpr std::size_t kSets = std::size_t{1} << 13;

void explain_all(OperationCheckFinding& finding) {
  finding.impossible = finding.unlikely = finding.outside_model = finding.outside_model_sampled = 0;
  finding.suspects.clear();
}

OperationCheckFinding checked(const OperationInput& input, const OperationCheckRequest& request, const Watch& watch) {
  require_fits(input, request.actual);
  kCheckOperationOptions.check(request);
  const LoweredOperation& operation = *input.operation;
  const ArrivalCall arrival = checked_arrival(operation, request);
  const ExactRows exact = exact_outputs(operation, loop_on(request.threads));
  OperationCheckFinding finding;
  finding.input = input.facts;
  finding.confidence = request.confidence;
  finding.seed = request.seed;
  finding.samples_asked = request.samples;
  finding.flushing = request.flushing;
  finding.actual_hash = request.actual.terms.hash();
  finding.order_named = operation.freedom == OrderFreedom::named && !input.facts.order.empty();
  if (operation.arrives()) finding.arrival = to_string(arrival);
  finding.arrival_named = operation.arrives() && (request.arrival || !arrival.model->uniform);

  const bool subnormal = may_be_subnormal(operation);
  std::vector<Model> models = models_of(input, arrival, request, subnormal);
  const OutputSums& sums = *models.front().sums;
  Bits actual = bits_of_terms(request.actual.terms);
  finding.equals_launch = actual == bits_of_terms(sums.launch());
  finding.equals_exact = actual == bits_of_terms(exact.rounded);
  finding.equals_deterministic =
      operation.deterministic && actual == bits_of_terms(operation.deterministic->results(operation));

  Judge judge(finding, operation, exact, std::move(actual));
  if (operation.order_unknown) {
    judge.judge_by_bound(request.threads);
  } else if (operation.scan && operation.scan->drawn() && !operation.scan->last_only) {
    judge.judge_scan(request.actual.terms, request.threads);
  } else {
    for (Model& model : models) list_outcomes(*model.sums, request.threads, watch, model.results, kSets);
    judge.judge(models, subnormal, request, watch);
  }
  if (finding.equals_deterministic) explain_all(finding);  // that form ran
  std::vector<KnownOutcomes> known;
  for (const Model& model : models) known.push_back({*model.sums, model.results});
  finding.blind =
      blind_spots(known, [&](std::size_t r, std::uint64_t bits) { return judge.proof().excludes(r, bits); });
  return finding;
}

}  // namespace

std::optional<OperationCheckFinding> check_operation(const OperationInput& input, const OperationCheckRequest& request,
                                                     const Watch& watch) {
  const FloatEnvironment environment;
  return unless_stopped([&] { return checked(input, request, watch); });
}

}  // namespace orderlab::study
