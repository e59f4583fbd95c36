// A CUDA program that was run on the host as a page: what is wrong in it, numbers that vary, its launches.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "page/html_text.hpp"
#include "page/number_words.hpp"
#include "page/page_contents.hpp"
#include "page/shell_word.hpp"
#include "page/vega_lite.hpp"
#include "sweep/provenance.hpp"

namespace orderlab {

namespace {

using host_program::FindingKind;
using host_program::Varying;

constexpr Chart kRunsChart{.name = "host_runs", .title = "Numbers that vary, in each run", .draw = nullptr};

std::string verdict_of(const HostFinding& finding) {
  const auto faults =
      static_cast<std::size_t>(std::count_if(finding.findings.begin(), finding.findings.end(),
                                             [](const auto& each) { return host_program::is_fault(each.kind); }));
  const std::string found = finding.crashed && faults == 0 ? "The program crashed"
                            : faults == 0                  ? "No fault was found"
                            : faults == 1                  ? "1 fault was found"
                                                           : fmt::format("{} faults were found", faults);
  if (!finding.was_compared) return found + ".";
  if (finding.varying.empty()) return fmt::format("{}, and nothing varies over {} runs.", found, finding.runs);
  const std::size_t vary = finding.varying.size();
  return fmt::format("{}; {} over {} runs.", found,
                     vary == 1 ? "1 line of the output or copy to the host varies"
                               : fmt::format("{} lines of the output or copies to the host vary", vary),
                     finding.runs);
}

std::vector<std::string> answers_of(const HostFinding& finding) {
  std::vector<std::string> answers{verdict_of(finding)};
  constexpr std::size_t kMostNamed = 10;
  for (const Varying& each : std::span(finding.varying).first(std::min(finding.varying.size(), kMostNamed)))
    answers.push_back((each.place.empty() ? "" : each.place + ": ") + varying_in_words(each, finding.runs) + ".");
  if (finding.varying.size() > kMostNamed)
    answers.push_back(fmt::format("{} more vary; the command names them all.", finding.varying.size() - kMostNamed));
  if (!finding.varying.empty()) answers.push_back(finding.varying.front().reason + ".");  // the same for all
  answers.push_back(launches_in_words(finding) + "; the program: " + finding.ending + ".");
  return answers;
}

/// A panel for each number of which the runs have values.
Figure draw_runs(const HostFinding& finding) {
  std::vector<vega::Panel> panels;
  for (const Varying& each : finding.varying) {
    if (each.of_runs.empty()) continue;
    vega::Panel panel{(each.place.empty() ? "" : each.place + ": ") + each.what, Json::array(), {}};
    for (std::size_t i = 0; i < each.of_runs.size(); ++i)
      panel.rows.push_back({{"kind", "run"}, {"run", i + 1}, {"number", each.of_runs[i]}});
    Json run = vega::padded_channel("run", "run");
    run["axis"] = {{"tickMinStep", 1}, {"format", "d"}};
    Json number = vega::padded_channel("number", "number");
    number["axis"] = {{"format", ".9~g"}};
    const Json tooltip =
        Json::array({{{"field", "run"}}, {{"field", "number"}, {"type", "quantitative"}, {"format", ".17~g"}}});
    panel.layers = {vega::layer("run", {{"type", "point"}, {"filled", true}, {"size", 60}, {"color", "@0"}},
                                {{"x", run}, {"y", number}, {"tooltip", tooltip}})};
    panels.push_back(std::move(panel));
  }
  Figure figure;
  figure.leads = true;
  figure.spec =
      vega::with_headline(vega::spec("Numbers that vary from run to run", std::move(panels), {.height = 220}), "");
  figure.caption =
      "Each dot is a run with an order of its own. Of a line or a copy with several numbers, the one that has most "
      "values is drawn.";
  return figure;
}

std::string findings_html(const HostFinding& finding) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& each : finding.findings)
    rows.push_back({each.place.empty() ? "–" : each.place, std::string(name_of(each.kind)), each.text});
  return rows.empty() ? "" : html_table({"place", "kind", "what"}, rows);
}

std::string launches_html(const HostFinding& finding) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& each : finding.launches)
    rows.push_back({each.kernel, each.place, count_in_words(each.launches), count_in_words(each.blocks),
                    count_in_words(each.checked), count_in_words(each.threads), count_in_words(each.float_atomics),
                    count_in_words(each.exchanges)});
  return rows.empty() ? ""
                      : html_table({"kernel", "launched at", "launches", "thread blocks", "of these checked", "threads",
                                    "float atomics", "changed by atomicCAS, atomicExch"},
                                   rows);
}

std::string provenance_of(const HostFinding& finding) {
  std::string line = "orderlab host";
  for (const std::string& file : finding.files) line += " " + shell_word(file);
  for (const std::string& folder : finding.includes) line += " -I " + shell_word(folder);
  for (const std::string& macro : finding.defines) line += " -D " + shell_word(macro);
  line += fmt::format(" --std {} --runs {} --seed {} --check {} --gpus {} --warp-sync {}", shell_word(finding.standard),
                      finding.runs, finding.seed, shell_word(finding.check), finding.gpus, finding.warp_sync);
  for (const std::string& name : finding.watched) line += " --watch " + shell_word(name);
  if (!finding.arguments.empty()) line += " --";
  for (const std::string& argument : finding.arguments) line += " " + shell_word(argument);
  const Provenance by = provenance();
  return html_table(
      {}, {{"program", "orderlab " + by.version}, {"compiler", by.flags}, {"processor", by.cpu}, {"to repeat", line}});
}

}  // namespace

PageContent page_content(const HostFinding& finding) {
  PageContent page;
  page.title = finding.files.front();
  page.question = "Is there a fault in this program, and which of its numbers vary?";
  if (finding.partial) page.unfinished = "It was stopped before all runs were done.";
  page.answers = answers_of(finding);
  if (std::any_of(finding.varying.begin(), finding.varying.end(), [](const Varying& v) { return !v.of_runs.empty(); }))
    page.drawn.push_back({&kRunsChart, draw_runs(finding)});
  page.points_title = "Findings and launches";
  page.points = findings_html(finding) + launches_html(finding);
  page.provenance = provenance_of(finding);
  return page;
}

}  // namespace orderlab
