#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "show/colors.hpp"
#include "show/histogram.hpp"
#include "show/input_text.hpp"
#include "show/solve.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::SolveRecord;

/// Solutions are as good as the tolerance asks where the true residual is at most so many times as large.
constexpr double kMetTolerance = 10;

std::string count_or_dash(const std::optional<double>& value) { return value ? number(value, 3) : "-"; }

std::string system_head(const study::SolveFinding& finding, const TextStyle& style) {
  const study::SystemFacts& input = finding.input;
  const study::SolveSettings& request = finding.request;
  std::string text = bold(solver_title(request), style.color) + " on " + matrix_title(input) + "\n";
  text += fmt::format("{}, {}, {}; {}\n", plural(input.rows, "row"),
                      input.entries == 1 ? "1 entry" : fmt::format("{} entries", input.entries),
                      input.symmetric ? "symmetric" : "not symmetric", info(request.format).name);
  text += fmt::format("dot products: {}\n", order_title(request.order_name, request.order));
  text += fmt::format("products with the matrix: {}\n", products_title(request));
  text += fmt::format("until |r| <= {} |r0|, at most {} iterations\n", number(request.tolerance, 3),
                      request.max_iterations);
  if (find_solver(request.solver).symmetric && !input.symmetric)
    text += fmt::format("The matrix is not symmetric: {} may not converge. bicgstab and gmres do not need symmetry.\n",
                        request.solver);
  return wrapped(text, style.width);
}

std::string iterations_histogram(const study::SolveFinding& finding, const TextStyle& style) {
  Distribution counts;
  for (const study::IterationCount& one : finding.iterations)
    counts.values.push_back({static_cast<double>(one.value), static_cast<double>(one.count)});
  return histogram_text(counts, style.width, {.unit = "iterations", .zero = ""}, style.color);
}

std::string ends_table(const study::SolveFinding& finding, const TextStyle& style) {
  Table table({{"", Align::left}, {"iterations"}, {"recursive residual"}, {"true residual"}, {"distance of x"}});
  const auto add = [&](const char* name, const SolveRecord& record) {
    table.add({name, iterations_text(record), number(record.residuals.back(), 3), number(record.true_residual, 3),
               number(record.solution_distance, 3)});
  };
  add("launch order", finding.launch);
  if (finding.exact) add("exact sums", *finding.exact);
  table.add({plural(finding.samples, "run") + ", median", finding.iterations.empty() ? "-" : iterations_range(finding),
             number(finding.recursive_residual.median, 3), number(finding.true_residual.median, 3),
             number(finding.solution_distance.median, 3)});
  table.add({"  largest", "", number(finding.recursive_residual.max, 3), number(finding.true_residual.max, 3),
             number(finding.solution_distance.max, 3)});
  return table.text(style.color);
}

std::string divergence_table(const study::SolveFinding& finding, const TextStyle& style) {
  const bool some_ended = finding.divergence.back().runs < finding.samples;
  std::vector<Column> columns{{"iteration"}, {"launch |r|/|r0|"}, {"exact"},
                              {"mean"},      {"(max-min)/mean"},  {"distance of x"}};
  if (some_ended) columns.push_back({"runs"});
  Table table(columns);
  for (const study::DivergencePoint& point : finding.divergence) {
    Table::Row row{std::to_string(point.iteration),    count_or_dash(point.launch),
                   count_or_dash(point.exact),         number(point.residual.mean, 3),
                   number(point.residual.spread(), 3), point.iterate ? number(point.iterate->max, 3) : "-"};
    if (some_ended) row.push_back(std::to_string(point.runs));
    table.add(std::move(row));
  }
  return table.text(style.color);
}

std::string ended_otherwise(const study::SolveFinding& finding) {
  const std::uint64_t runs = finding.not_converged.size();
  if (runs == 0) return {};
  const auto& first = finding.runs[finding.not_converged.front()];
  std::string text =
      fmt::format("{} of {} did not converge: {} within {} iterations", runs, plural(finding.samples, "run"),
                  runs - finding.breakdowns, finding.request.max_iterations);
  if (finding.breakdowns > 0) {
    const auto broken = std::find_if(finding.not_converged.begin(), finding.not_converged.end(),
                                     [&](std::uint64_t i) { return finding.runs[i].end == SolveEnd::breakdown; });
    text += fmt::format(", {} broke down ({})", finding.breakdowns, finding.runs[*broken].breakdown);
  }
  text += fmt::format(". The first of them is sample {}, whose residual ended at {}.", finding.not_converged.front(),
                      number(first.residuals.back(), 3));
  return text;
}

std::string iterations_sentence(const study::SolveFinding& finding) {
  std::string fixed = fmt::format("launch order: {}.", iterations_text(finding.launch));
  fixed = finding.exact ? fmt::format("Exact sums: {}; {}", iterations_text(*finding.exact), fixed) : "In " + fixed;
  const std::size_t converged = finding.samples - finding.not_converged.size();
  if (converged == 0) return fmt::format("No run converged. {}", fixed);
  const bool one = finding.iterations.size() == 1;
  const std::string who = converged == 1                 ? "1 run"
                          : !one                         ? plural(converged, "run")
                          : converged == finding.samples ? fmt::format("All {} runs", converged)
                                                         : fmt::format("All {} runs that converged", converged);
  const std::string range =
      one && finding.iterations.front().value == 1 ? "1 iteration" : iterations_range(finding) + " iterations";
  return fmt::format("{} took {}{}. {}", who, range,
                     one ? "" : fmt::format(" ({} different counts)", finding.iterations.size()), fixed);
}

std::string drift_sentence(const study::SolveFinding& finding) {
  const study::FirstDifference& least = finding.first_differences.front();
  if (finding.distinct_solutions == 1 && least.runs == 0 &&
      finding.runs.front().solution_hash == finding.launch.solution_hash)
    return "All runs give the bits of launch order.";
  std::string text;
  for (std::size_t i = 0; i < finding.first_differences.size(); ++i) {
    const study::FirstDifference& first = finding.first_differences[i];
    if (!first.iteration) continue;
    const bool with_next = i + 1 < finding.first_differences.size() && finding.first_differences[i + 1].iteration &&
                           finding.first_differences[i + 1].iteration->median == first.iteration->median;
    if (with_next) continue;
    text += fmt::format("{} by {} from iteration {}", text.empty() ? "Residuals differ from launch order" : ",",
                        number(first.threshold, 1), number(first.iteration->median, 6));
  }
  if (text.empty())
    return fmt::format("Residuals of all runs agree with launch order to {}.", number(least.threshold, 1));
  return text + " (relative, median run).";
}

/// Whether runs took other numbers of iterations, or their residuals parted.
bool paths_differ(const study::SolveFinding& finding) {
  return finding.iterations.size() > 1 || finding.first_differences.front().iteration.has_value();
}

std::string answer_sentence(const study::SolveFinding& finding) {
  if (finding.samples == finding.not_converged.size()) return {};
  const double tolerance = finding.request.tolerance;
  const bool differ = finding.solution_distance.max > 0;
  const bool agree = finding.solution_distance.max <= kMetTolerance * tolerance;
  std::string text = !differ ? std::string("True residuals")
                             : fmt::format("Solutions {} launch order {} {} (relative); true residuals",
                                           agree ? "agree with that of" : "differ from that of",
                                           agree ? "to" : "by up to", number(finding.solution_distance.max, 2));
  text += fmt::format(" reach {} for a tolerance of {}", number(finding.true_residual.max, 2), number(tolerance, 1));
  if (finding.true_residual.max > kMetTolerance * tolerance)
    return text + ": the solver's own residual no longer tells how far x is from a solution.";
  return text + (differ && agree && paths_differ(finding) && finding.not_converged.empty()
                     ? ": order changes the path, not the answer."
                     : ".");
}

}  // namespace

std::string matrix_title(const study::SystemFacts& input) {
  std::string title = input.matrix.empty() ? "the matrix of a file" : input.matrix;
  if (input.scale > 0)
    title +=
        fmt::format(", scaled by D A D over {} {}", number(input.scale, 4), input.scale == 1 ? "decade" : "decades");
  return title;
}

std::string solver_title(const study::SolveSettings& request) {
  std::string title = request.solver;
  if (find_solver(request.solver).restarts) title += fmt::format("({})", request.restart);
  if (request.preconditioner != Preconditioner::none) title += fmt::format(" with {}", name_of(request.preconditioner));
  return title;
}

std::string products_title(const study::SolveSettings& request) {
  if (request.spmv == study::RowSums::coo)
    return fmt::format("coo, one atomic addition per entry; thread blocks arrive as {}", request.arrival);
  return request.row_order ? "each row by " + *request.row_order : "each row left to right";
}

std::string iterations_range(const study::SolveFinding& finding) {
  const std::uint64_t least = finding.iterations.front().value;
  const std::uint64_t most = finding.iterations.back().value;
  return least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
}

std::string iterations_text(const study::SolveRecord& record) {
  if (record.converged()) return std::to_string(record.iterations());
  return record.end == SolveEnd::breakdown ? fmt::format("breakdown at {}", record.iterations()) : "no convergence";
}

std::vector<std::string> conclusions_of(const study::SolveFinding& finding) {
  std::vector<std::string> sentences{iterations_sentence(finding), ended_otherwise(finding), drift_sentence(finding),
                                     answer_sentence(finding)};
  std::erase(sentences, std::string());
  return sentences;
}

std::string to_text(const study::SolveFinding& finding, const TextStyle& style) {
  std::string text = system_head(finding, style) + "\n";
  if (finding.iterations.size() > 1) text += iterations_histogram(finding, style) + "\n";
  text += ends_table(finding, style) + "\n";
  if (!finding.divergence.empty()) text += divergence_table(finding, style) + "\n";
  text += wrapped(
      "true residual: |b-Ax|/|b|, exact in each row. distance: |x-launch|/|launch|, of iterates the largest of the "
      "runs.\n",
      style.width);
  std::string conclusion;
  for (const std::string& sentence : conclusions_of(finding)) conclusion += (conclusion.empty() ? "" : " ") + sentence;
  text += "\n" + wrapped(bold(conclusion, style.color) + "\n", style.width);
  return text + (finding.partial ? "interrupted: these are the runs that were done\n" : "");
}

}  // namespace orderlab
