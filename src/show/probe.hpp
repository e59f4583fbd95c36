// Text, JSON and CSV of a probe.
#pragma once

#include <string>

#include "orderlab/study/probe.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::ProbeFinding& finding, const TextStyle& style);

/// The document: head, config, verdict, order, calls, accumulator and tree of the first setting, and all settings.
std::string to_json(const study::ProbeFinding& finding);

/// One row for each setting; the tree in Newick format.
std::string to_csv(const study::ProbeFinding& finding);

/// The trees in Newick format, a line each; a setting without a tree has an empty line.
std::string probe_newick(const study::ProbeFinding& finding);

}  // namespace orderlab
