#include "study/answer_runs.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/float_environment.hpp"
#include "core/shard.hpp"
#include "study/poisson_rate.hpp"

namespace orderlab::study {

namespace {

/// Tokens of one run, or of several, as they are added up.
struct LogitSums {
  std::vector<double> changes = {};
  double sum_abs_logit = 0;
};

std::optional<std::uint64_t> first_flip(const AnswerRunRecord& run) {
  return run.flips.empty() ? std::nullopt : std::optional(run.flips.front().position);
}

void add(const AnswerRecord& record, const AnswerRunRecord& run, const RunPlace& place, LogitSums& sums) {
  place.difference->tokens += record.tokens.size();
  place.difference->equal += run.equal;
  place.difference->flips += run.flips.size();
  sums.changes.insert(sums.changes.end(), run.changes.begin(), run.changes.end());
  sums.sum_abs_logit += run.sum_abs_logit;
  if (place.comparison != nullptr) place.comparison->answers.push_back({record.prompt, first_flip(run)});
}

/// The same answer in all runs that draw.
DrawnAnswer drawn_answer(const AnswerRecord& record, std::uint64_t runs) {
  DrawnAnswer answer{record.prompt};
  std::set<std::pair<std::uint64_t, std::uint32_t>> begun;
  for (std::size_t r = record.runs.size() - runs; r < record.runs.size(); ++r) {
    const AnswerRunRecord& run = record.runs[r];
    if (run.flips.empty()) continue;
    const AnswerFlipped& flip = run.flips.front();
    answer.first_flips.push_back(flip.position);
    begun.emplace(flip.position, flip.token);
  }
  answer.distinct = begun.size() + (answer.first_flips.size() < runs ? 1 : 0);
  return answer;
}

void summarize(const ModelInferFinding& finding, const std::vector<char>& other_is_first, std::uint64_t vocabulary,
               const LogitSums& sums, LogitDifference& difference) {
  const auto count = static_cast<double>(difference.tokens);
  difference.mean_abs_logit = sums.sum_abs_logit / (count * static_cast<double>(vocabulary));
  const MarginNoise noise = MarginNoise::of(sums.changes);
  difference.mean_abs = noise.mean_abs();
  const auto runs = static_cast<double>(difference.tokens / finding.tokens);
  for (std::size_t t = 0; t < finding.margins.size(); ++t)
    difference.expected += runs * noise.flips(finding.margins[t], other_is_first[t] != 0 ? 1 : 0);
  if (finding.density)
    difference.expected_by_density = noise.mean_abs() * finding.density->per_nat / 2 * count +
                                     runs * noise.flips(0) * static_cast<double>(finding.ties);
}

void add_answer(const AnswerRecord& record, ModelInferFinding& finding, std::vector<char>& other_is_first) {
  finding.answers.push_back({record.prompt, record.tokens});
  finding.tokens += record.tokens.size();
  for (std::size_t t = 0; t < record.tokens.size(); ++t) {
    finding.margins.push_back(record.margins[t]);
    if (record.margins[t] == 0) ++finding.ties;
    other_is_first.push_back(static_cast<char>(record.others[t] < record.tokens[t]));
  }
}

/// Flips of the runs that draw.
std::uint64_t drawn_flips(const AnswerRecord& record, std::uint64_t runs) {
  std::uint64_t flips = 0;
  for (std::size_t r = record.runs.size() - runs; r < record.runs.size(); ++r) flips += record.runs[r].flips.size();
  return flips;
}

std::optional<double> half_of(const LogitDifference& difference) {
  return tokens_to_half(difference.expected / static_cast<double>(difference.tokens));
}

/// As many as places_of_runs gives.
std::uint64_t count_runs(const ModelInferFinding& question) {
  std::uint64_t runs = question.request.runs;
  for (const ModelComparison& comparison : question.comparisons)
    runs += taken_apart(comparison, question.request) ? 1 + 2 * comparison.reductions.size() : 1;
  return runs;
}

}  // namespace

bool taken_apart(const ModelComparison& comparison, const ModelInferRequest& request) {
  return request.contributions && comparison.reductions.size() > 1;
}

std::vector<RunPlace> places_of_runs(ModelInferFinding& finding) {
  std::vector<RunPlace> places;
  for (ModelComparison& comparison : finding.comparisons) {
    places.push_back({&comparison.difference, &comparison});
    if (!taken_apart(comparison, finding.request)) continue;
    for (ReductionEffect& effect : comparison.reductions) {
      places.push_back({&effect.alone});
      places.push_back({&effect.without});
    }
  }
  for (std::uint64_t r = 0; r < finding.request.runs; ++r) places.push_back({&finding.drawn->difference});
  return places;
}

std::pair<std::uint64_t, std::uint64_t> asked_prompts(const ModelInferFinding& finding) {
  return range_of(Shard{finding.request.part, finding.request.parts}, finding.prompts);
}

bool fits(const AnswerRecord& record, std::uint64_t number, const ModelInferFinding& question) {
  const std::uint64_t tokens = question.request.tokens;
  const auto run_fits = [&](const AnswerRunRecord& run) {
    return run.changes.size() == tokens && run.equal <= tokens && run.flips.size() <= tokens &&
           std::all_of(run.flips.begin(), run.flips.end(),
                       [&](const AnswerFlipped& flip) { return flip.position >= 1 && flip.position <= tokens; });
  };
  return record.number == number && record.tokens.size() == tokens && record.margins.size() == tokens &&
         record.others.size() == tokens && record.runs.size() == count_runs(question) &&
         std::all_of(record.runs.begin(), record.runs.end(), run_fits);
}

std::optional<ModelInferFinding> infer_finding(ModelInferFinding finding,
                                               const std::map<std::uint64_t, AnswerRecord>& records) {
  const FloatEnvironment environment;
  const std::vector<RunPlace> places = places_of_runs(finding);
  std::map<LogitDifference*, LogitSums> sums;
  std::vector<char> other_is_first;
  std::vector<std::uint64_t> flips_by_prompt;
  const auto [begin, end] = asked_prompts(finding);
  for (auto record = records.lower_bound(begin); record != records.end() && record->first < end; ++record) {
    if (!fits(record->second, record->first, finding)) continue;
    add_answer(record->second, finding, other_is_first);
    for (std::size_t r = 0; r < places.size(); ++r)
      add(record->second, record->second.runs[r], places[r], sums[places[r].difference]);
    if (!finding.drawn) continue;
    finding.drawn->answers.push_back(drawn_answer(record->second, finding.request.runs));
    flips_by_prompt.push_back(drawn_flips(record->second, finding.request.runs));
  }
  if (finding.answers.empty()) return std::nullopt;
  finding.density = margin_density_at_zero(finding.margins);
  for (auto& [difference, of_run] : sums) summarize(finding, other_is_first, finding.vocabulary, of_run, *difference);
  for (ModelComparison& comparison : finding.comparisons) {
    comparison.per_1000 = per_thousand(comparison.difference.flips, comparison.difference.tokens);
    comparison.half = half_of(comparison.difference);
  }
  if (finding.drawn) {
    // A token that flips in one run flips in others, in all of them at most.
    finding.drawn->per_1000 =
        per_thousand_by_group(flips_by_prompt, finding.request.runs, finding.drawn->difference.tokens);
    finding.drawn->half = half_of(finding.drawn->difference);
  }
  return finding;
}

}  // namespace orderlab::study
