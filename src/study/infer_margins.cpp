#include "study/infer_margins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::study {

namespace {

using AnswerKey = std::string Answer::*;
using AnswersByKey = std::map<std::string, const Answer*>;

bool all_have(const AnswerRun& run, AnswerKey key) {
  return std::all_of(run.answers.begin(), run.answers.end(), [&](const Answer& one) { return !(one.*key).empty(); });
}

/// Whether all have an id, and each its own: some servers give all responses one.
bool told_apart(const AnswerRun& run) {
  std::set<std::string_view> seen;
  return std::all_of(run.answers.begin(), run.answers.end(),
                     [&](const Answer& one) { return !one.id.empty() && seen.insert(one.id).second; });
}

/// A run with some custom_ids has no order that could be relied on.
void require_all_custom_ids(const AnswerRun& run) {
  const auto without =
      std::find_if(run.answers.begin(), run.answers.end(), [](const Answer& one) { return one.custom_id.empty(); });
  const bool any =
      std::any_of(run.answers.begin(), run.answers.end(), [](const Answer& one) { return !one.custom_id.empty(); });
  if (any && without != run.answers.end())
    throw Error(ErrorKind::input, fmt::format("{}: {} has no custom_id, and others have one; give every answer its own",
                                              run.name, without->name));
}

AnswersByKey answers_by(const AnswerRun& run, AnswerKey key) {
  AnswersByKey all;
  for (const Answer& one : run.answers)
    if (!all.emplace(one.*key, &one).second)
      throw Error(ErrorKind::input, fmt::format("{}: two answers have the {} {}; each needs its own", run.name,
                                                key == &Answer::custom_id ? "custom_id" : "id", in_quotes(one.*key)));
  return all;
}

AnswerPairs pairs_by(const AnswerRun& first, const AnswerRun& second, AnswerKey key, MatchedBy by) {
  const AnswersByKey others = answers_by(second, key);
  answers_by(first, key);  // none twice
  AnswerPairs matched{.by = by, .pairs = {}, .unmatched = 0};
  for (const Answer& one : first.answers)
    if (const auto other = others.find(one.*key); other != others.end()) matched.pairs.push_back({&one, other->second});
  matched.unmatched = first.answers.size() + second.answers.size() - 2 * matched.pairs.size();
  return matched;
}

/// What servers write for a token that is masked, or too unlikely to say.
constexpr double kMasked = -9999;

std::optional<double> logprob_in(const AnsweredToken& place, const std::string& token) {
  if (place.chosen.token == token) return place.chosen.logprob;
  for (const CandidateToken& other : place.others)
    if (other.token == token && other.logprob > kMasked) return other.logprob;
  return {};
}

/// No token that is not listed is likelier.
double least_listed(const AnsweredToken& place) {
  double least = place.chosen.logprob;
  for (const CandidateToken& other : place.others)
    if (other.logprob > kMasked) least = std::min(least, other.logprob);
  return least;
}

/// D of two candidates that both lists have: 0 where it is within the rounding of the four numbers, of which each is
/// off by at most 2^-23 of itself: log_softmax in fp32 rounds twice.
double known_change(double a1, double b1, double a2, double b2) {
  constexpr double kRounding = 0x1p-23;
  const double change = (a2 - b2) - (a1 - b1);
  const double rounding = kRounding * (std::fabs(a1) + std::fabs(b1) + std::fabs(a2) + std::fabs(b2));
  return std::fabs(change) <= rounding ? 0 : change;
}

}  // namespace

AnswerPairs matched_answers(const AnswerRun& first, const AnswerRun& second) {
  for (const AnswerRun* run : {&first, &second}) require_all_custom_ids(*run);
  if (all_have(first, &Answer::custom_id) && all_have(second, &Answer::custom_id)) {
    AnswerPairs matched = pairs_by(first, second, &Answer::custom_id, MatchedBy::custom_id);
    if (!matched.pairs.empty()) return matched;
    throw Error(ErrorKind::input, fmt::format("{} and {}: no custom_id is in both; give two runs of the same prompts",
                                              first.name, second.name));
  }
  if (told_apart(first) && told_apart(second)) {
    AnswerPairs matched = pairs_by(first, second, &Answer::id, MatchedBy::id);
    if (!matched.pairs.empty()) return matched;  // else servers gave each response an id of its own
  }
  if (first.answers.size() != second.answers.size())
    throw Error(ErrorKind::input,
                fmt::format("{} has {} answers and {} has {}, without ids that are in both; give two runs of the same "
                            "prompts in the same order, or with a custom_id",
                            first.name, first.answers.size(), second.name, second.answers.size()));
  AnswerPairs matched;
  for (std::size_t i = 0; i < first.answers.size(); ++i)
    matched.pairs.push_back({&first.answers[i], &second.answers[i]});
  return matched;
}

TokenChange change_of(const AnsweredToken& first, const AnsweredToken& second) {
  const CandidateToken& a = first.chosen;
  const CandidateToken& b = first.others.front();
  const CandidateToken& leader = second.chosen;
  TokenChange result{.flip = leader.token != a.token};
  const std::optional<double> a2 = logprob_in(second, a.token);
  const bool masked = b.logprob <= kMasked;
  const std::optional<double> b2 = masked ? std::nullopt : logprob_in(second, b.token);
  if (a2 && b2) {
    result.change = known_change(a.logprob, b.logprob, *a2, *b2);
    result.largest = std::fabs(*result.change);
  } else if (a2 && !masked) {  // b has at most what the last one listed has
    result.largest = std::max(0.0, (*a2 - least_listed(second)) - first.margin());
    result.at_least = true;
  }
  if (!result.flip) return result;
  const std::optional<double> leader1 = logprob_in(first, leader.token);
  const double before = a.logprob - leader1.value_or(least_listed(first));
  const double after = leader.logprob - a2.value_or(least_listed(second));
  if (before + after > result.largest) {
    result.largest = before + after;
    result.at_least = !leader1 || !a2;
  }
  result.unrelated = !leader1 && !a2;
  return result;
}

}  // namespace orderlab::study
