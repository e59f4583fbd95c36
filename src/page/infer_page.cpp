// Flips of tokens as a page: how many answers are still the same after so many tokens, and margins beside the noise.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "orderlab/page.hpp"
#include "page/command_text.hpp"
#include "page/flip_charts.hpp"
#include "page/html_text.hpp"
#include "page/page_contents.hpp"
#include "page/page_frame.hpp"
#include "page/shell_word.hpp"
#include "show/infer.hpp"
#include "study/infer_options.hpp"
#include "sweep/provenance.hpp"

namespace orderlab {

namespace {

using study::ComparedAnswer;
using study::InferFinding;

FlipSeries series_of(const InferFinding& finding) {
  FlipSeries series{.per_token = finding.per_1000.value / 1000};
  if (!finding.observed) return series;
  for (const ComparedAnswer& answer : finding.answers)
    series.ends.push_back({answer.compared, answer.flip.has_value()});
  return series;
}

std::uint64_t longest_of(const InferFinding& finding) {
  std::uint64_t longest = 0;
  for (const ComparedAnswer& answer : finding.answers) longest = std::max(longest, answer.tokens);
  return longest;
}

/// The answers that changed most, or where flips are likeliest.
std::string answers_html(const InferFinding& finding) {
  constexpr std::size_t kMostShown = 50;
  std::vector<const ComparedAnswer*> shown;
  for (const ComparedAnswer& answer : finding.answers) shown.push_back(&answer);
  std::stable_sort(shown.begin(), shown.end(), [](const ComparedAnswer* a, const ComparedAnswer* b) {
    return a->largest.value_or(a->expected) > b->largest.value_or(b->expected);
  });
  if (shown.size() > kMostShown) shown.resize(kMostShown);
  std::vector<std::vector<std::string>> rows;
  for (const ComparedAnswer* answer : shown)
    rows.push_back({answer->name, std::to_string(answer->tokens), answer->flip ? std::to_string(*answer->flip) : "–",
                    answer->largest ? fmt::format("{:.3g}", *answer->largest) : "–",
                    fmt::format("{:.3g}", answer->expected)});
  return html_table({"answer", "tokens", "first flip", "largest change, nats", "expected flips"}, rows);
}

std::string infer_provenance(const InferFinding& finding) {
  const Provenance by = provenance();
  CommandText command("orderlab infer --logprobs " + shell_word(finding.run) +
                      (finding.against.empty() ? "" : " --against " + shell_word(finding.against)));
  command.add_options(study::kInferOptions, finding.request);
  return html_table({}, {{"program", "orderlab " + by.version},
                         {"compiler", by.flags},
                         {"processor", by.cpu},
                         {"to repeat", command.text()}});
}

}  // namespace

PageContent page_content(const InferFinding& finding) {
  PageContent page;
  page.title = finding.against.empty() ? fmt::format("Flips of {}", finding.run)
                                       : fmt::format("{} against {}", finding.run, finding.against);
  page.question = finding.against.empty() ? "How often does the answer of this model change?"
                                          : "Is the change of these answers rounding?";
  page.answers = conclusions_of(finding);
  page.drawn.push_back({&kSurvivalChart, draw_survival({series_of(finding)}, longest_of(finding))});
  page.drawn.push_back({&kMarginChart, draw_margins(finding.margins, finding.mean_abs)});
  page.points_title = "Answers";
  page.points = answers_html(finding);
  page.provenance = infer_provenance(finding);
  return page;
}

std::string html_page(const InferFinding& finding) {
  const FloatEnvironment environment;
  return page_html(page_content(finding));
}

}  // namespace orderlab
