// Longer than most files: one comparison, from margins to flips and their intervals.
#include "orderlab/study/infer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/poisson.hpp>
#include <cmath>
#include <numeric>

#include "core/float_environment.hpp"
#include "engine/rounds.hpp"
#include "fit/bootstrap.hpp"
#include "metrics/statistics.hpp"
#include "orderlab/error.hpp"
#include "study/infer_margins.hpp"
#include "study/infer_options.hpp"
#include "study/poisson_rate.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

/// A change D, and the answer that it is of.
struct OwnedChange {
  double change;
  std::size_t answer;
};

std::vector<double> values_of(const std::vector<OwnedChange>& changes) {
  std::vector<double> values;
  for (const OwnedChange& one : changes) values.push_back(one.change);
  return values;
}

AnswerPairs pairs_of(const AnswerRun& run, const AnswerRun* against) {
  if (against != nullptr) return matched_answers(run, *against);
  AnswerPairs alone;
  for (const Answer& one : run.answers) alone.pairs.push_back({&one, nullptr});
  return alone;
}

/// Compares answer by answer.
class Comparison {
 public:
  explicit Comparison(InferFinding& finding) : finding_(finding) {}

  void add(const AnswerPair& pair) {
    ComparedAnswer row{.name = pair.first->name, .tokens = pair.first->tokens.size()};
    for (const AnsweredToken& token : pair.first->tokens) {
      finding_.margins.push_back(token.margin());
      if (token.margin() == 0) ++finding_.ties;
    }
    finding_.tokens += row.tokens;
    if (pair.second != nullptr) compare(*pair.first, *pair.second, row);
    finding_.compared += row.compared;
    finding_.answers.push_back(std::move(row));
  }

  /// Answers of other prompts have nothing in common from their first token on.
  void require_same_prompts() const {
    const std::size_t all = finding_.answers.size();
    if (unrelated_ < 2 || 2 * unrelated_ <= all) return;
    throw Error(ErrorKind::input,
                fmt::format("{} and {}: of {} of {} answers, the first tokens have no candidate in common; give two "
                            "runs of the same prompts in the same order, or with a custom_id",
                            finding_.run, finding_.against, unrelated_, all));
  }

  const std::vector<OwnedChange>& changes() const { return changes_; }

  /// Changes of all tokens but the one with the largest change.
  std::vector<double> other_changes() const {
    std::vector<double> values = values_of(changes_);
    if (place_of_largest_) values.erase(values.begin() + static_cast<std::ptrdiff_t>(*place_of_largest_));
    return values;
  }

 private:
  void compare(const Answer& first, const Answer& second, ComparedAnswer& row) {
    const std::size_t common = std::min(first.tokens.size(), second.tokens.size());
    row.largest = 0;
    while (row.compared < common && !row.flip) {
      const AnsweredToken& token = first.tokens[row.compared];
      const TokenChange change = change_of(token, second.tokens[row.compared]);
      ++row.compared;
      if (change.flip) row.flip = row.compared;
      if (change.unrelated && row.compared == 1) ++unrelated_;
      row.largest = std::max(*row.largest, change.largest);
      note_largest(token, change, row);
      if (!change.change) {
        ++finding_.unlisted;
        continue;
      }
      if (*change.change == 0) ++finding_.equal;
      changes_.push_back({*change.change, finding_.answers.size()});
    }
    row.shorter = !row.flip && first.tokens.size() != second.tokens.size();
  }

  void note_largest(const AnsweredToken& token, const TokenChange& change, const ComparedAnswer& row) {
    if (change.largest == 0 || (finding_.largest && change.largest <= finding_.largest->nats)) return;
    finding_.largest = MarginChange{change.largest, change.at_least, row.name, row.compared, token.chosen.token};
    place_of_largest_ = change.change ? std::optional(changes_.size()) : std::nullopt;
  }

  InferFinding& finding_;
  std::vector<OwnedChange> changes_;
  std::optional<std::size_t> place_of_largest_ = {};
  std::size_t unrelated_ = 0;
};

MeasuredNoise measured_noise(const std::vector<OwnedChange>& changes) {
  MeasuredNoise noise;
  const auto n = static_cast<double>(changes.size());
  double sum = 0;
  double squares = 0;
  std::vector<double> magnitudes;
  for (const OwnedChange& one : changes) {
    sum += one.change;
    squares += one.change * one.change;
    if (one.change != 0) magnitudes.push_back(std::fabs(one.change));
  }
  std::sort(magnitudes.begin(), magnitudes.end());
  noise.mean = sum / n;
  noise.sd = std::sqrt(squares / n);
  constexpr double kOfNormal = 1.4826;  // standard deviation of a normal number by the median of its magnitude
  if (!magnitudes.empty()) noise.robust_sd = kOfNormal * quantile(magnitudes, 0.5);
  return noise;
}

/// Expected flips of each answer.
void expect_flips(const MarginNoise& noise, InferFinding& finding) {
  auto margin = finding.margins.begin();
  for (ComparedAnswer& row : finding.answers) {
    const std::uint64_t expected_of = finding.against.empty() ? row.tokens : row.compared;
    for (std::uint64_t t = 0; t < row.tokens; ++t, ++margin) {
      const double flips = noise.flips(*margin);
      if (t < expected_of) row.expected += flips;
      row.without_flip *= 1 - flips;
    }
    finding.expected += row.expected;
  }
}

/// E|D| f(0) / 2 of each token, and half of the ties whose margin changes.
std::optional<double> flips_by_density(const MarginNoise& noise, const InferFinding& finding) {
  if (!finding.density) return {};
  const auto tokens = static_cast<double>(finding.tokens);
  const double each =
      noise.mean_abs() * finding.density->per_nat / 2 + noise.flips(0) * static_cast<double>(finding.ties) / tokens;
  return each * static_cast<double>(finding.against.empty() ? finding.tokens : finding.compared);
}

/// Expected flips per token of resampled answers.
class ResampledFlips {
 public:
  ResampledFlips(const InferFinding& finding, const MarginNoise& noise, const std::vector<OwnedChange>& changes)
      : finding_(finding), noise_(noise), sorted_(changes) {
    std::stable_sort(sorted_.begin(), sorted_.end(), [](const OwnedChange& a, const OwnedChange& b) {
      return std::fabs(a.change) < std::fabs(b.change);
    });
    auto margin = finding.margins.begin();
    for (std::size_t answer = 0; answer < finding.answers.size(); ++answer) {
      double flips = 0;
      for (std::uint64_t t = 0; t < finding.answers[answer].tokens; ++t, ++margin) {
        if (noise.is_normal())
          flips += noise.flips(*margin);
        else
          add_near(*margin, answer);
      }
      flips_.push_back(flips);
    }
  }

  /// Where the weight of an answer says how often it was drawn.
  double per_token(const std::vector<double>& weights) const {
    double tokens = 0;
    double flips = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      tokens += weights[i] * static_cast<double>(finding_.answers[i].tokens);
      flips += weights[i] * flips_[i];
    }
    if (!noise_.is_normal()) flips = by_changes(weights);
    return tokens > 0 ? flips / tokens : 0;
  }

 private:
  /// A token whose margin is not above all changes: changes from `equal` on are not below it, from `above` on above it.
  struct NearToken {
    std::size_t answer;
    std::size_t equal;
    std::size_t above;
  };

  void add_near(double margin, std::size_t answer) {
    const auto& magnitudes = noise_.magnitudes();
    const auto above = std::upper_bound(magnitudes.begin(), magnitudes.end(), margin);
    const auto equal = margin > 0 ? std::lower_bound(magnitudes.begin(), above, margin) : above;
    if (equal == magnitudes.end()) return;
    near_.push_back({answer, static_cast<std::size_t>(equal - magnitudes.begin()),
                     static_cast<std::size_t>(above - magnitudes.begin())});
  }

  double by_changes(const std::vector<double>& weights) const {
    std::vector<double> from(sorted_.size() + 1);  // weight of all changes from one on; whole numbers, so exact
    for (std::size_t i = sorted_.size(); i-- > 0;) from[i] = from[i + 1] + weights[sorted_[i].answer];
    if (from[0] == 0) return 0;
    double flips = 0;
    for (const NearToken& token : near_) flips += weights[token.answer] * (from[token.equal] + from[token.above]);
    return flips / (4 * from[0]);
  }

  const InferFinding& finding_;
  const MarginNoise& noise_;
  std::vector<OwnedChange> sorted_;  ///< by their magnitude, as those of the noise
  std::vector<double> flips_;        ///< expected of each answer, where D is normal
  std::vector<NearToken> near_;
};

Interval95 interval_per_1000(const ResampledFlips& resampled, const InferFinding& finding, const Watch& watch) {
  const std::size_t answers = finding.answers.size();
  const Interval95 estimate{.value = 1000 * resampled.per_token(std::vector<double>(answers, 1.0))};
  if (answers < kLeastAnswers) return estimate;
  const WatchedStage stage(watch, "resampling");
  SampleOptions how{.begin = 0, .end = kReplicates, .threads = finding.request.threads};
  stage.follow(how);
  const std::vector<double> rates = list_in_rounds(how, [&](std::uint64_t i) {
    return resampled.per_token(bootstrap_weights(answers, finding.request.seed, replicates::kFlips + i));
  });
  if (how.stop.stop_requested()) throw Stopped{};
  const Interval interval = middle_95(rates);
  return {estimate.value, 1000 * interval.low, 1000 * interval.high};
}

ObservedFlips observed_flips(const InferFinding& finding) {
  namespace math = boost::math;
  ObservedFlips observed;
  for (const ComparedAnswer& row : finding.answers) observed.flips += std::uint64_t{row.flip.has_value()};
  observed.per_1000 = per_thousand(observed.flips, finding.compared);
  if (finding.expected > 0) {
    const math::poisson_distribution<double> chance(finding.expected);
    observed.chance_low = static_cast<std::uint64_t>(std::max(0.0, math::quantile(chance, 0.025)));
    observed.chance_high = static_cast<std::uint64_t>(math::quantile(chance, 0.975));
  }
  return observed;
}

void check_request(const AnswerRun& run, const AnswerRun* against, const InferRequest& request) {
  kInferOptions.check(request);
  if (request.noise && against != nullptr)
    throw Error(ErrorKind::usage, "a second run and a level of noise: give --against FILE or --noise NATS, not both");
  if (!request.noise && against == nullptr)
    throw Error(
        ErrorKind::usage,
        "nothing to compare with: give a second run with --against FILE, or a level of noise with --noise NATS");
  for (const AnswerRun* one : {&run, against})
    if (one != nullptr && std::none_of(one->answers.begin(), one->answers.end(),
                                       [](const Answer& answer) { return !answer.tokens.empty(); }))
      throw Error(ErrorKind::input, one->name +
                                        ": no answer has a token; ask the server with logprobs=true, "
                                        "top_logprobs=2");
}

/// What follows of the noise: flips, their interval, and what depends on them.
void predict(const MarginNoise& noise, const std::vector<OwnedChange>& changes, const Watch& watch,
             InferFinding& finding) {
  finding.mean_abs = noise.mean_abs();
  finding.density = margin_density_at_zero(finding.margins);
  expect_flips(noise, finding);
  finding.expected_by_density = flips_by_density(noise, finding);
  finding.per_1000 = interval_per_1000(ResampledFlips(finding, noise, changes), finding, watch);
  finding.half = tokens_to_half(finding.per_1000.value / 1000);
  if (finding.per_1000.high) finding.half_low = tokens_to_half(*finding.per_1000.high / 1000);
  if (finding.per_1000.low) finding.half_high = tokens_to_half(*finding.per_1000.low / 1000);
  double without = 0;
  for (const ComparedAnswer& row : finding.answers) without += row.without_flip;
  finding.test_answers = answers_to_see_one(without / static_cast<double>(finding.answers.size()));
}

}  // namespace

InferFinding infer(const AnswerRun& run, const AnswerRun* against, const InferRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  check_request(run, against, request);
  InferFinding finding;
  finding.request = request;
  finding.run = run.name;
  if (against != nullptr) finding.against = against->name;
  const AnswerPairs matched = pairs_of(run, against);
  finding.matched_by = matched.by;
  finding.unmatched = matched.unmatched;
  Comparison comparison(finding);
  for (const AnswerPair& pair : matched.pairs) comparison.add(pair);
  if (finding.tokens == 0 || (against != nullptr && finding.compared == 0))
    throw Error(ErrorKind::input, run.name + ": no answer that is in both runs has a token in both");
  comparison.require_same_prompts();
  const std::vector<OwnedChange>& changes = comparison.changes();
  if (!changes.empty()) finding.measured = measured_noise(changes);
  predict(request.noise ? MarginNoise::normal(*request.noise) : MarginNoise::of(values_of(changes)), changes, watch,
          finding);
  if (against == nullptr) return finding;
  finding.observed = observed_flips(finding);
  if (finding.largest) finding.limit = noise_limit(comparison.other_changes());
  return finding;
}

}  // namespace orderlab::study
