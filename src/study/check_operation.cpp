#include <algorithm>
#include <cmath>

#include "engine/arena.hpp"
#include "operation/row_outcomes.hpp"
#include "operation/scan_search.hpp"
#include "order/resolve.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/check.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/operation_outcomes.hpp"
#include "study/blind_spots.hpp"
#include "study/operation_baseline.hpp"
#include "study/output_lists.hpp"
#include "study/watched_stage.hpp"

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

/// The range of samples of each varying output.
struct Ranges {
  explicit Ranges(std::size_t n)
      : least(n, std::numeric_limits<double>::infinity()), greatest(n, -std::numeric_limits<double>::infinity()) {}
  std::vector<double> least;
  std::vector<double> greatest;
  std::vector<std::uint8_t> nan = std::vector<std::uint8_t>(least.size());  ///< whether some sample was NaN
};

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

Ranges sampled_ranges(const OutputSums& sums, const OperationCheckRequest& request, std::uint64_t samples,
                      const Watch& watch) {
  const std::size_t n = sums.varying().size();
  struct Buffers {
    std::unique_ptr<OutputSums::Scratch> scratch;
    std::vector<std::byte> results;
    Ranges ranges;
    explicit Buffers(const OutputSums& of)
        : scratch(of.make_scratch()), results(of.result_bytes()), ranges(of.varying().size()) {}
  };
  const WatchedStage stage(watch, "sampling");
  PerThread<Buffers> buffers([&] { return std::make_shared<Buffers>(sums); });
  loop_on(request.threads)(samples, [&](std::size_t i) {
    Buffers& mine = buffers.local();
    sums.evaluate(kFirstCheckSample + i, mine.results, *mine.scratch);
    const TermView results{sums.result_format(), n, mine.results.data(), nullptr};
    for (std::size_t k = 0; k < n; ++k) {
      const double result = results.left(k);
      mine.ranges.least[k] = std::min(mine.ranges.least[k], result);
      mine.ranges.greatest[k] = std::max(mine.ranges.greatest[k], result);
      if (std::isnan(result)) mine.ranges.nan[k] = 1;
    }
  });
  Ranges all(n);
  buffers.each([&](const Buffers& mine) {
    for (std::size_t k = 0; k < n; ++k) {
      all.least[k] = std::min(all.least[k], mine.ranges.least[k]);
      all.greatest[k] = std::max(all.greatest[k], mine.ranges.greatest[k]);
      all.nan[k] |= mine.ranges.nan[k];
    }
  });
  return all;
}

/// A bound on |result - exact| over every order of k operands: gamma of k roundings times the sum of magnitudes, k
/// underflows or flushes, and that of the last rounding. Infinite where no bound is derived.
double bound_of(const LoweredOperation& operation, const ExactRows& exact, std::size_t r, std::size_t operands) {
  const FormatInfo& accumulate = info(operation.formats.accumulate);
  if (operation.addition.combine == Combine::multiply || !operation.divide_by.empty())
    return std::numeric_limits<double>::infinity();
  const double k = static_cast<double>(operands) + 1;
  const double u = std::max(accumulate.unit_roundoff(), info(operation.formats.result).unit_roundoff());
  if (k * u >= 0.5) return std::numeric_limits<double>::infinity();
  const double gamma = k * u / (1 - k * u);
  const double lost = 3 * k * power_of_two(accumulate.e_min) +  // operands and sums taken for zeros
                      info(operation.formats.result).smallest_subnormal();
  constexpr double kRounding = 1 + 0x1p-20;  // of this arithmetic itself
  return kRounding * (gamma * exact.magnitude[r] + lost);
}

std::size_t operands_of(const LoweredOperation& operation, std::size_t r) {
  if (operation.scan) return operation.scan->extent + 1;  // at most
  if (!operation.terms.empty()) return operation.terms.length(r) + 1;
  return (operation.raw ? operation.raw->row_length(r) : operation.rows.row_length(r)) + 1;
}

bool worse(const SuspectOutput& a, const SuspectOutput& b) {
  if (a.verdict != b.verdict) return a.verdict > b.verdict;
  if (a.distance_ulp != b.distance_ulp) return a.distance_ulp > b.distance_ulp;
  return a.output < b.output;
}

/// Judges outputs one after the other.
class Judge {
 public:
  Judge(OperationCheckFinding& finding, const OutputSums& sums, const ExactRows& exact, bool uniform)
      : finding_(finding),
        sums_(sums),
        exact_(exact),
        // Half for results that are reachable but improbable, half for outputs outside their samples.
        level_((1 - finding.confidence) / 2 / static_cast<double>(std::max<std::size_t>(1, sums.varying().size()))),
        uniform_(uniform) {}

  void fixed(std::size_t r, std::uint64_t bits) {
    ++finding_.fixed;
    const std::uint64_t only = round_to_bits(format(), sums_.launch().view().left(r));
    if (bits != only) suspect(r, OutputVerdict::impossible, bits, only, std::nullopt);
  }

  void enumerated(std::size_t r, std::uint64_t bits, const std::vector<OutputResult>& results) {
    ++finding_.enumerated;
    double observed = 0;
    for (const OutputResult& result : results)
      if (result.bits == bits) observed = result.probability;
    if (observed == 0) {
      suspect(r, OutputVerdict::impossible, bits, nearest(results, bits), std::nullopt);
      return;
    }
    double p = 0;  // of a result as improbable as this one
    for (const OutputResult& result : results)
      if (result.probability <= observed * (1 + 0x1p-40)) p += result.probability;
    if (uniform_ && p < level_) suspect(r, OutputVerdict::unlikely, bits, bits, p);
  }

  /// An output of a scan that no look-back that was tried gives, with that of the nearest.
  void not_found(std::size_t r, std::uint64_t bits, std::uint64_t nearest, bool all_tried) {
    suspect(r, all_tried ? OutputVerdict::impossible : OutputVerdict::unlikely, bits, nearest, std::nullopt);
  }

  void sampled(std::size_t r, std::uint64_t bits, const Ranges& ranges, std::size_t place) {
    ++finding_.sampled;
    const double least = ranges.least[place];
    const double greatest = ranges.greatest[place];
    const double value = value_of_bits(format(), bits);
    if ((value >= least && value <= greatest) || (std::isnan(value) && ranges.nan[place] != 0)) return;
    if (bits == round_to_bits(format(), sums_.launch().view().left(r))) return;
    ++finding_.outside;
    const double end = value < least ? least : greatest;
    const double bound = bound_of(sums_.operation(), exact_, r, operands_of(sums_.operation(), r));
    const auto verdict = refuted(r, value, bound) ? OutputVerdict::impossible : OutputVerdict::unlikely;
    suspect(r, verdict, bits, round_to_bits(format(), end), std::nullopt);
  }

  /// Of an order that is unknown.
  void bounded(std::size_t r, std::uint64_t bits) {
    ++finding_.bounded;
    const double bound = bound_of(sums_.operation(), exact_, r, operands_of(sums_.operation(), r));
    const double value = value_of_bits(format(), bits);
    if (!refuted(r, value, bound)) return;
    const double end = exact_.high[r] + (value > exact_.high[r] ? bound : -bound);
    suspect(r, OutputVerdict::impossible, bits, round_to_bits(format(), end), std::nullopt);
  }

  /// Whether the outputs outside their samples are too many to be legitimate. Each is outside with probability at most
  /// 2 / (N + 1), as its result and N samples are exchangeable; their number c, of dependent outputs, with probability
  /// at most its mean / c (Markov).
  void finish() {
    if (finding_.outside > 0)
      finding_.outside_p =
          std::min(1.0, 2.0 * static_cast<double>(finding_.sampled) / static_cast<double>(finding_.samples + 1) /
                            static_cast<double>(finding_.outside));
    const bool by_chance = finding_.outside > 0 && finding_.outside_p >= (1 - finding_.confidence) / 2;
    if (by_chance) {
      const auto outside = [&](const SuspectOutput& s) { return s.verdict == OutputVerdict::unlikely && !s.p; };
      finding_.unlikely -= static_cast<std::uint64_t>(std::count_if(all_.begin(), all_.end(), outside));
      std::erase_if(all_, outside);
    }
    std::sort(all_.begin(), all_.end(), worse);
    if (all_.size() > OperationCheckFinding::kMostSuspects) all_.resize(OperationCheckFinding::kMostSuspects);
    finding_.suspects = std::move(all_);
  }

 private:
  Format format() const { return sums_.result_format(); }

  /// Whether no order gives the value: |value - exact| of every order is at most `bound`, and nothing overflows.
  bool refuted(std::size_t r, double value, double bound) const {
    if (std::isfinite(value) && std::isfinite(exact_.high[r]))
      return std::fabs((value - exact_.high[r]) - exact_.low[r]) > bound;
    return std::isfinite(bound) && std::isfinite(exact_.high[r]) &&
           exact_.magnitude[r] <
               power_of_two(std::min(info(format()).e_max, info(sums_.operation().formats.accumulate).e_max));
  }

  std::uint64_t nearest(const std::vector<OutputResult>& results, std::uint64_t bits) const {
    Bits reachable;
    for (const OutputResult& result : results) reachable.push_back(result.bits);
    return reachable[nearest_outcome(reachable, format(), value_of_bits(format(), bits)).value_or(0)];
  }

  void suspect(std::size_t r, OutputVerdict verdict, std::uint64_t bits, std::uint64_t nearest,
               std::optional<double> p) {
    ++(verdict == OutputVerdict::impossible ? finding_.impossible : finding_.unlikely);
    const double value = value_of_bits(format(), bits);
    const double reachable = value_of_bits(format(), nearest);
    double distance = std::fabs(value - reachable) / exact_.ulp[r];
    if (std::isnan(distance)) distance = std::numeric_limits<double>::infinity();
    all_.push_back({r, verdict, value, reachable, distance, p});
  }

  OperationCheckFinding& finding_;
  const OutputSums& sums_;
  const ExactRows& exact_;
  double level_;
  bool uniform_;
  std::vector<SuspectOutput> all_;
};

/// All outputs of a scan at once: they follow from the look-back of their tiles.
void judge_scan(const LoweredOperation& operation, const Terms& actual, Judge& judge, OperationCheckFinding& finding) {
  const ScanSearch found = search_lookback(operation, actual);
  finding.lookback = found.distances;
  finding.lookback_tried = found.farthest;
  finding.lookback_replays = found.replays;
  for (std::size_t r = 0; r < actual.size(); ++r)
    ++(fate_of(operation, r) == OutputFate::varies ? finding.enumerated : finding.fixed);
  const Format format = operation.formats.result;
  for (const std::uint32_t r : found.wrong) {
    const bool all_tried =
        found.complete || r / operation.scan->tile() <= found.farthest || fate_of(operation, r) != OutputFate::varies;
    judge.not_found(r, round_to_bits(format, actual.view().left(r)),
                    round_to_bits(format, found.nearest.view().left(r)), all_tried);
  }
}

}  // namespace

OutputVerdict OperationCheckFinding::verdict() const {
  if (equals_deterministic) return OutputVerdict::explained;  // that form ran
  if (impossible > 0) return OutputVerdict::impossible;
  return unlikely > 0 ? OutputVerdict::unlikely : OutputVerdict::explained;
}

std::uint64_t OperationCheckFinding::outside_needed() const {
  const double limit = 4 * static_cast<double>(sampled) / (static_cast<double>(samples + 1) * (1 - confidence));
  return static_cast<std::uint64_t>(limit) + 1;
}

namespace {

OperationCheckFinding checked(const OperationInput& input, const OperationCheckRequest& request,
                                             const Watch& watch) {
  require_fits(input, request.actual);
  if (request.samples && *request.samples < 1) throw RequestError("samples", "0", "must be at least 1");
  const LoweredOperation& operation = *input.operation;
  const ArrivalCall arrival = operation.arrival.value_or(parse_arrival(request.arrival));
  const Loop loop = loop_on(request.threads);
  const bool all_of_scan = operation.scan && operation.scan->drawn() && !operation.scan->last_only;
  const auto sums = OutputSums::make(input.operation, arrival, DrawPath{.seed = request.seed});
  const ExactRows exact = exact_outputs(operation, loop);
  OperationCheckFinding finding;
  finding.input = input.facts;
  finding.confidence = request.confidence;
  finding.seed = request.seed;
  finding.actual_hash = request.actual.terms.hash();
  if (operation.arrives()) finding.arrival = to_string(arrival);

  std::vector<std::vector<OutputResult>> results;
  if (!operation.order_unknown) list_outcomes(*sums, request.threads, watch, results);
  const auto to_sample = static_cast<std::uint64_t>(
      all_of_scan ? 0 : std::count_if(results.begin(), results.end(), [](const auto& list) { return list.empty(); }));
  Ranges ranges(0);
  finding.samples_asked = request.samples;
  if (to_sample > 0) {
    finding.samples =
        request.samples.value_or(default_samples(request.confidence, to_sample, input.facts.contributions));
    ranges = sampled_ranges(*sums, request, finding.samples, watch);
  }
  const Bits actual = bits_of_terms(request.actual.terms);
  finding.equals_launch = actual == bits_of_terms(sums->launch());
  finding.equals_exact = actual == bits_of_terms(exact.rounded);
  finding.equals_deterministic =
      operation.deterministic && actual == bits_of_terms(operation.deterministic->results(operation));

  Judge judge(finding, *sums, exact, arrival.model->uniform);
  if (all_of_scan) {
    judge_scan(operation, request.actual.terms, judge, finding);
    judge.finish();
    return finding;
  }
  const auto varying = sums->varying();
  std::size_t next = 0;
  for (std::size_t r = 0; r < actual.size(); ++r) {
    if (operation.order_unknown) {
      judge.bounded(r, actual[r]);
      continue;
    }
    if (next == varying.size() || varying[next] != r) {
      judge.fixed(r, actual[r]);
      continue;
    }
    if (results[next].empty())
      judge.sampled(r, actual[r], ranges, next);
    else
      judge.enumerated(r, actual[r], results[next]);
    ++next;
  }
  judge.finish();
  finding.blind = blind_spots(*sums, results);
  return finding;
}

}  // namespace

std::optional<OperationCheckFinding> check_operation(const OperationInput& input, const OperationCheckRequest& request,
                                                     const Watch& watch) {
  return unless_stopped([&] { return checked(input, request, watch); });
}

}  // namespace orderlab::study
