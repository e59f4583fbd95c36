// When does the answer of a language model change? From the log-probabilities that a server gave with its answers at
// temperature 0, and a second run of the same prompts or a level of noise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/flips.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// A token that a server names, with its log-probability.
struct CandidateToken {
  std::string token;
  double logprob = 0;  ///< nats; finite
};

/// A token of an answer, and the others that the server listed for its place.
struct AnsweredToken {
  CandidateToken chosen;
  std::vector<CandidateToken> others;  ///< the likeliest first; one or more, none likelier than `chosen`

  double margin() const { return chosen.logprob - others.front().logprob; }
};

/// One answer: a choice of a response.
struct Answer {
  std::string custom_id;  ///< that the client gave; empty without
  std::string id;         ///< that the server gave; empty without
  std::string name;       ///< for people: one of the two, else "answer 3"
  std::vector<AnsweredToken> tokens;
};

/// The answers of one run, as they stand in its file.
struct AnswerRun {
  std::string name;  ///< of the file
  std::vector<Answer> answers;
};

struct InferRequest {
  std::optional<double> noise = {};  ///< mean absolute change of a margin, nats; empty with a second run
  std::uint64_t seed = 1;            ///< of resampling
  int threads = 0;                   ///< 0: all; findings never depend on it
};

/// What answers of two runs are matched by.
enum class MatchedBy : std::uint8_t { custom_id, id, order };

constexpr std::string_view name_of(MatchedBy by) {
  constexpr std::string_view kNames[] = {"custom_id", "id", "order"};
  return kNames[static_cast<std::size_t>(by)];
}

/// One answer of the first run, and what became of it in the second.
struct ComparedAnswer {
  std::string name;
  std::uint64_t tokens = 0;                ///< of the first run's answer
  std::uint64_t compared = 0;              ///< tokens up to the first flip, with it; 0 without a second run
  std::optional<std::uint64_t> flip = {};  ///< position of the first flip, from 1
  bool shorter = false;                    ///< without a flip, and of other lengths
  double expected = 0;                     ///< flips expected of the compared tokens, or of all without a second run
  double without_flip = 1;                 ///< probability that none of `tokens` flips
  std::optional<double> largest = {};      ///< largest change of a margin, nats; empty without a second run
};

/// A change of the margin between the leading token and another one.
struct MarginChange {
  double nats = 0;        ///< magnitude
  bool at_least = false;  ///< a token is not in the other run's list, so that the change may be larger
  std::string answer;
  std::uint64_t token = 0;  ///< position in the answer, from 1
  std::string chosen;       ///< text of the token
};

/// D: change of the margin of the same two tokens from the first run to the second.
struct MeasuredNoise {
  double mean = 0;
  double sd = 0;         ///< around 0
  double robust_sd = 0;  ///< 1.4826 times the median magnitude of those that are not 0; 0 where all are
};

/// A number and its 95 % interval; without one, a bootstrap over too few answers.
struct Interval95 {
  double value = 0;
  std::optional<double> low = {};
  std::optional<double> high = {};
};

/// Answers from which a bootstrap has an interval: fewer say little of how answers differ.
inline constexpr std::size_t kLeastAnswers = 8;

/// Flips of the compared tokens.
struct ObservedFlips {
  std::uint64_t flips = 0;
  Interval95 per_1000;            ///< of Poisson's distribution
  std::uint64_t chance_low = 0;   ///< 95 % of equal experiments have from this many flips
  std::uint64_t chance_high = 0;  ///< to this many, by the expected number
};

struct InferFinding {
  InferRequest request;
  std::string run;      ///< name of the first file
  std::string against;  ///< and of the second; empty without
  MatchedBy matched_by = MatchedBy::order;
  std::uint64_t unmatched = 0;  ///< answers of both files without a partner
  std::vector<ComparedAnswer> answers;

  std::uint64_t tokens = 0;     ///< of the first run's answers that have a partner
  std::uint64_t compared = 0;   ///< of them, up to the first flip of each answer
  std::uint64_t ties = 0;       ///< margins of 0 among `tokens`
  std::uint64_t unlisted = 0;   ///< compared tokens whose two candidates are not both in the second run's list
  std::uint64_t equal = 0;      ///< compared tokens whose margin did not change
  std::vector<double> margins;  ///< of `tokens`, in the order of the answers

  double mean_abs = 0;                         ///< E|D|, nats
  std::optional<MeasuredNoise> measured = {};  ///< empty without a second run, and where no change is known
  std::optional<MarginDensity> density = {};   ///< of the margins at 0

  double expected = 0;                             ///< flips of the compared tokens, or of all without a second run
  std::optional<double> expected_by_density = {};  ///< E|D| f(0) / 2 for each of them, and ties
  Interval95 per_1000;              ///< expected flips per 1000 tokens of the first run, by a bootstrap over answers
  std::optional<double> half = {};  ///< tokens until half of the answers have diverged
  std::optional<double> half_low = {};  ///< by the interval of per_1000, where there is one
  std::optional<double> half_high = {};
  std::optional<std::uint64_t> test_answers = {};  ///< answers like these that show a flip with 95 % probability

  std::optional<ObservedFlips> observed = {};  ///< with a second run
  std::optional<MarginChange> largest = {};    ///< likewise; empty where no change is known
  std::optional<NoiseLimit> limit = {};        ///< what all other changes allow the largest one

  /// Whether half of the changes or more may be roundings of bf16 logits.
  bool noise_is_rounding() const { return !limit || !limit->median || *limit->median <= kTwoSteps; }

  /// Whether rounding explains the second run. Empty without one, and where it cannot be told: the largest change is
  /// known from below only, or all answers end at other places than in the first run.
  std::optional<bool> explained() const {
    if (!observed) return {};
    if (!noise_is_rounding() || (largest && largest->nats > limit->allowed)) return false;
    const bool compared_to_an_end =
        std::any_of(answers.begin(), answers.end(), [](const ComparedAnswer& answer) { return !answer.shorter; });
    if (!compared_to_an_end || (largest && largest->at_least)) return {};
    return true;
  }
};

/// Flips between two runs, or those that a level of noise predicts.
///
/// Tokens are compared up to the first one of each answer that differs: behind it, the two runs answer other texts. Of
/// each token, D is the change of the margin between the first run's two candidates; 0 where it is within the rounding
/// of the four fp32 log-probabilities. Expected flips are the sum over tokens of MarginNoise::flips. D is taken as
/// independent of the margin.
///
/// Errors: usage for neither or both of `against` and noise, numbers out of bounds; input for no token, keys that occur
/// twice, answers that cannot be matched, answers of other prompts.
InferFinding infer(const AnswerRun& run, const AnswerRun* against, const InferRequest& request,
                   const Watch& watch = {});

}  // namespace orderlab::study
