#include "page/html_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/float_environment.hpp"
#include "orderlab/page.hpp"
#include "page/caveats.hpp"
#include "page/chart.hpp"
#include "page/html_text.hpp"
#include "page/number_words.hpp"
#include "page/operation_table.hpp"
#include "page/page_contents.hpp"
#include "page/point_table.hpp"
#include "page/sweep_config.hpp"

namespace orderlab {

namespace {

/// Sentences of the first screen; the others stand with their charts.
constexpr std::size_t kAnswers = 4;

// What a terminal says last, then sentences of the figure that the page is about and of those that second it; where it
// is about none, the first of each.
std::vector<std::string> answers_of(const SweepContent& content, const std::vector<DrawnChart>& drawn) {
  std::vector<const Figure*> figures;
  for (const DrawnChart& one : drawn)
    if (!one.figure.conclusions.empty() && (one.figure.seconds || (one.figure.leads && &one == &drawn.front())))
      figures.push_back(&one.figure);
  std::vector<std::string> answers = content.answers;
  const bool of_all = figures.empty() && answers.empty();
  if (of_all)
    for (const DrawnChart& one : drawn) figures.push_back(&one.figure);
  const std::size_t most = of_all ? 1 : kAnswers / std::max<std::size_t>(figures.size(), 1);
  const std::size_t before = answers.size();
  for (const Figure* figure : figures) {
    const std::size_t fit = std::min(figure->answers > 0 ? figure->answers : most, figure->conclusions.size());
    for (std::size_t k = 0; k < fit && answers.size() < before + kAnswers; ++k)
      answers.push_back(figure->conclusions[k]);
  }
  // of several orders: what they have together comes before what each has
  if (before > 1 && answers.size() > before)
    std::rotate(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(before), answers.end());
  if (!content.exact_sum.empty()) answers.push_back("The exact sum is " + content.exact_sum + ".");
  return answers;
}

std::string provenance_html(const SweepContent& content) {
  std::vector<std::vector<std::string>> rows{
      {"points", fmt::format("{} of {} planned", content.finished(), content.planned)},
      {content.finished() == 1 ? "hash" : "hash of the points", content.hash}};
  for (const Provenance& by : content.made_by) {
    rows.push_back({"program", "orderlab " + by.version});
    rows.push_back({"compiler", by.flags});
    rows.push_back({"processor", by.cpu});
  }
  rows.push_back({"seeds", seeds_in_words(content)});
  rows.push_back({"to repeat", content.how_to_repeat});
  std::string html = html_table({}, rows);
  if (content.swept)
    html += "<details><summary>CONFIG.toml, reconstructed</summary>\n<pre>" + html_text(sweep_config(content)) +
            "</pre></details>\n";
  return html;
}

}  // namespace

PageContent page_content(const SweepContent& content) {
  std::vector<DrawnChart> drawn = draw_all(content);
  const std::vector<std::string> answers = answers_of(content, drawn);
  return {.title = content.title,
          .question = content.question,
          .unfinished = unfinished_of(content.finished(), content.planned),
          .caveats = caveats_of(content),
          .answers = answers,
          .drawn = std::move(drawn),
          .points_title = "All points",
          .points = (content.points.empty() ? "" : point_table(content)) + operation_table(content),
          .provenance = provenance_html(content)};
}

PageContent page_content(const study::SampleFinding& finding) { return page_content(content_of(finding)); }

std::string html_page(const study::SampleFinding& finding) {
  const FloatEnvironment environment;
  return page_html(page_content(finding));
}

std::string to_html(const SweepContent& content) { return page_html(page_content(content)); }

std::vector<SpecFile> to_spec_files(const SweepContent& content) { return spec_files(page_content(content)); }

}  // namespace orderlab
