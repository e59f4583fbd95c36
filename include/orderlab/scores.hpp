// Scores of runs, as a user gives them: a list, or a file of any framework.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orderlab {

/// Scores of one model, one for each run.
struct Scores {
  std::string source;              ///< the path; empty for a list
  std::vector<double> values;      ///< finite
  std::vector<std::string> seeds;  ///< what each run is called; none where the source does not say
};

/// Whether `text` is a list such as "0.781,0.79": its first part is a number.
bool is_score_list(std::string_view text);

/// Reads a list. Error(usage) naming the part that is not a finite number.
Scores parse_scores(std::string_view text);

/// Reads a file: .npy with one dimension; .txt and .csv, and "-" for text on standard input, with one score a line, or
/// two columns "seed,score". A first line of names is skipped, as are blank lines and those that start with #. A seed
/// that is a number has one spelling: "7", "07" and "7.0" are one seed.
///
/// Errors: input, with file and line, for what is not a finite number, other columns, an array with more dimensions, and
///         several lines that all have one seed, which decimal commas look like.
Scores read_scores(const std::string& path);

}  // namespace orderlab
