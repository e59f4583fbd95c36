// Text, CSV and JSON of iterative solvers.
#pragma once

#include <string>
#include <vector>

#include "config/json.hpp"
#include "orderlab/study/solve.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::SolveFinding& finding, const TextStyle& style);

/// The document of the interface contract. Two runs of one config give the same bytes.
std::string to_json(const study::SolveFinding& finding);

/// One row for each run, those in launch order and with exact sums first.
std::string to_csv(const study::SolveFinding& finding);

/// The last sentences: iterations, how far runs drift apart, whether the answers agree.
std::vector<std::string> conclusions_of(const study::SolveFinding& finding);

/// What decides every number of a record: the system, the solver, orders, seeds. Of a question, as below.
Json record_config(const study::SolveFinding& question);

/// What a finding is about, which is all of it but its runs: "config" and "input" of its document.
Json question_json(const study::SolveFinding& question);

/// The inverse, but for the order's name. Error(input) for another document.
study::SolveFinding solve_question_from(const Json& json);

/// The record on one line of JSON, which loses nothing.
std::string to_json(const study::SolveRecord& record);

/// The inverse. Error(input) for another text.
study::SolveRecord solve_record_from(const std::string& json);

// ---- what reports share

/// "poisson2d(64)", or "the matrix of a file".
std::string matrix_title(const study::SystemFacts& input);

/// "conjugate gradients", "GMRES(30) with jacobi": the solver with what it was asked.
std::string solver_title(const study::SolveSettings& request);

/// "left to right", the order of rows, or the arrivals of coo.
std::string products_title(const study::SolveSettings& request);

/// "5695 to 5714", or "197".
std::string iterations_range(const study::SolveFinding& finding);

/// "no convergence" or the iterations.
std::string iterations_text(const study::SolveRecord& record);

}  // namespace orderlab
