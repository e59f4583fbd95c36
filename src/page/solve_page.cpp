// The runs of one solver as a page: how far they drift apart, and whether they agree in the end.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "orderlab/page.hpp"
#include "page/command_text.hpp"
#include "page/html_text.hpp"
#include "page/number_words.hpp"
#include "page/page_contents.hpp"
#include "page/page_frame.hpp"
#include "page/solve_charts.hpp"
#include "show/solve.hpp"
#include "study/input_options.hpp"
#include "study/solve_options.hpp"
#include "sweep/provenance.hpp"

namespace orderlab {

namespace {

using study::SolveFinding;
using study::SolveRecord;

std::string ends_html(const SolveFinding& finding) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const char* title, const RunSummary& over, double SolveRecord::*number) {
    const auto own = [&](const SolveRecord& run) {
      return in_words(number == nullptr ? run.residuals.back() : run.*number, 3);
    };
    rows.push_back({title, own(finding.launch), finding.exact ? own(*finding.exact) : "–", in_words(over.min, 3),
                    in_words(over.median, 3), in_words(over.max, 3)});
  };
  add("|r| / |r₀|, the solver's own", finding.recursive_residual, nullptr);
  add("|b − Ax| / |b|, exact in each row", finding.true_residual, &SolveRecord::true_residual);
  add("|x − launch| / |launch|", finding.solution_distance, &SolveRecord::solution_distance);
  return html_table({"at the end", "launch order", "exact sums", "least of the runs", "median", "greatest"}, rows);
}

std::string system_html(const SolveFinding& finding) {
  const study::SystemFacts& input = finding.input;
  const study::SolveSettings& request = finding.request;
  return html_table(
      {}, {{"solver", solver_title(request)},
           {"matrix", fmt::format("{}: {} rows, {} entries, {}", matrix_title(input), count_in_words(input.rows),
                                  count_in_words(input.entries), input.symmetric ? "symmetric" : "not symmetric")},
           {"right-hand side", input.right_hash.empty() ? "uniform(-1,1)" : "given"},
           {"format", std::string(info(request.format).name)},
           {"dot products", request.order},
           {"products with the matrix", products_title(request)},
           {"tolerance", in_words(request.tolerance, 3)},
           {"iterations", fmt::format("launch order {}, exact sums {}, runs {}", iterations_text(finding.launch),
                                      finding.exact ? iterations_text(*finding.exact) : "–",
                                      finding.iterations.empty() ? "–" : iterations_range(finding))},
           {"runs",
            fmt::format("{}, {} different solutions, {} without convergence", count_in_words(finding.samples),
                        count_in_words(finding.distinct_solutions), count_in_words(finding.not_converged.size()))}});
}

std::string command_of(const SolveFinding& finding) {
  const study::SystemFacts& input = finding.input;
  const study::SolveSettings& request = finding.request;
  CommandText command("orderlab solve " + request.solver);
  command.add(study::kMatrix, input.matrix.empty() ? "FILE.mtx" : input.matrix);
  if (input.scale > 0) command.add(study::kSystemScale, shortest(input.scale));
  if (!input.right_hash.empty()) command.add(study::kRightSide, "FILE");
  command.add(study::kSolveFormat, std::string(info(request.format).name));
  command.add(study::kDots, request.order);
  if (request.spmv == study::RowSums::coo) {
    command.add(study::kSpmv, std::string(name_of(request.spmv)));
    command.add(study::kArrival, request.arrival);
  }
  if (request.row_order) command.add(study::kRowOrder, *request.row_order);
  if (request.preconditioner != Preconditioner::none)
    command.add(study::kPreconditioner, std::string(name_of(request.preconditioner)));
  command.add(study::kSolverTolerance, shortest(request.tolerance));
  command.add(study::kMaxIterations, std::to_string(request.max_iterations));
  if (find_solver(request.solver).restarts) command.add(study::kRestart, std::to_string(request.restart));
  command.add(study::kSolverRuns, std::to_string(request.samples));
  command.add(study::kSeed, std::to_string(request.seed));
  command.add(study::kSystemSeed, std::to_string(input.seed));
  return command.text();
}

std::string provenance_html(const SolveFinding& finding) {
  const Provenance by = provenance();
  return html_table({}, {{"program", "orderlab " + by.version},
                         {"compiler", by.flags},
                         {"processor", by.cpu},
                         {"seeds", fmt::format("orders {}, system {}", finding.request.seed, finding.input.seed)},
                         {"to repeat", command_of(finding)}});
}

}  // namespace

PageContent page_content(const SolveFinding& finding) {
  PageContent page;
  page.title = fmt::format("{} on {}, {}", solver_title(finding.request), matrix_title(finding.input),
                           info(finding.request.format).name);
  page.question = "What does the order of its sums do to an iterative solver?";
  if (finding.partial)
    page.unfinished = fmt::format("{} of {} runs are done; the answers may change.", count_in_words(finding.samples),
                                  count_in_words(finding.request.samples));
  page.answers = conclusions_of(finding);
  if (!finding.iterations.empty())
    page.moved = static_cast<double>(finding.iterations.back().value - finding.iterations.front().value) /
                 static_cast<double>(std::max<std::uint64_t>(finding.iterations.back().value, 1));
  page.drawn = solve_charts(finding);
  page.points_title = "Numbers";
  page.points = ends_html(finding) + system_html(finding);
  page.provenance = provenance_html(finding);
  return page;
}

std::string html_page(const SolveFinding& finding) {
  const FloatEnvironment environment;
  return page_html(page_content(finding));
}

}  // namespace orderlab
