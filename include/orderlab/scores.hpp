// Scores of runs, as a user gives them: a list, or a file of any framework.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orderlab {

/// Scores of one model, one for each run.
struct Scores {
  std::string source;              ///< the path; empty for a list
  std::vector<double> values;      ///< finite
  std::vector<std::string> seeds;  ///< what each run is called; none where the source does not say
  bool percent = false;            ///< given in per cent: the value of 93% is 0.93
};

/// One number as scores are written.
struct ReadScore {
  double value;
  bool percent;  ///< written with %, and divided by 100
};

/// Reads "0.93", "93%" or "93 %"; any format that read_number reads. Empty for anything else.
std::optional<ReadScore> read_score(std::string_view text);

/// Whether `text` is a list such as "0.781,0.79": its first part is a number.
bool is_score_list(std::string_view text);

/// Reads a list. Error(usage) naming the part that is not a finite number, or the first of them that is in per cent
/// where others are not.
Scores parse_scores(std::string_view text);

/// Reads a file: .npy with one dimension; .txt and .csv, and "-" for text on standard input, with one score a line, or
/// two columns "seed,score". A first line of names is skipped, as are blank lines and those that start with #. A seed
/// that is a number has one spelling: "7", "07" and "7.0" are one seed.
///
/// Errors: input, with file and line, for what is not a finite number, some scores in per cent, other columns, an array
/// with more dimensions, and
///         several lines that all have one seed, which decimal commas look like.
Scores read_scores(const std::string& path);

}  // namespace orderlab
