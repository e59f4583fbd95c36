// Scores: one a line, or a seed and a score.
#include "orderlab/scores.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "files/open_input.hpp"
#include "files/text_table.hpp"
#include "orderlab/exact.hpp"
#include "terms/array_file.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kNeedsList = "write numbers separated by commas, such as 0.781,0.79";
constexpr std::string_view kNeedsScore = "scores are one a line, such as 0.781, or seed,score";

std::optional<double> number_in(std::string_view text) {
  const auto number = read_number(text, Format::fp64);
  return number ? std::optional(number->value) : std::nullopt;
}

/// Digits keep all of them, but for zeros in front; other numbers have their shortest spelling.
std::string seed_name(std::string_view cell) {
  if (cell.find_first_not_of("0123456789") == std::string_view::npos) {
    const auto first = cell.find_first_not_of('0');
    return first == std::string_view::npos ? "0" : std::string(cell.substr(first));
  }
  const auto number = number_in(cell);
  return number && std::isfinite(*number) ? shortest(*number) : std::string(cell);
}

bool is_title(const std::vector<std::string>& cells) { return !number_in(cells.front()) && !read_score(cells.back()); }

constexpr std::string_view kNotFinite = "; leave out runs that failed, or say what they count";

/// Adds the score that is written there. Returns what is wrong with it; empty where nothing is.
std::string add_score(std::string_view text, std::string_view needs, Scores& scores) {
  const auto score = read_score(text);
  if (!score) return in_quotes(text) + " is not a number; " + std::string(needs);
  if (scores.values.empty()) scores.percent = score->percent;
  if (score->percent != scores.percent)
    return in_quotes(text) +
           (score->percent ? " is in per cent and the scores before it are not"
                           : " is not in per cent and the scores before it are") +
           "; write all with %, or none";
  scores.values.push_back(score->value);
  return "";
}

/// The lines of a text, in order.
class ScoreLines {
 public:
  explicit ScoreLines(std::string source) { scores_.source = std::move(source); }

  void add(const std::string& where, std::string_view line) {
    std::vector<std::string> cells;
    if (const std::string wrong = split_fields(line, ',', cells); !wrong.empty()) throw file_error(where, wrong);
    const bool first = columns_ == 0;
    if (first) columns_ = cells.size();
    if (cells.size() != columns_)
      throw file_error(where, "has " + columns(cells.size()) + ", the lines above " + columns(columns_) + "; " +
                                  std::string(kNeedsScore));
    if (columns_ > 2) throw file_error(where, "has " + columns(columns_) + "; " + std::string(kNeedsScore));
    if (first && is_title(cells)) return;
    if (const std::string wrong = add_score(cells.back(), kNeedsScore, scores_); !wrong.empty())
      throw file_error(where, wrong);
    if (const double score = scores_.values.back(); !std::isfinite(score))
      throw file_error(where, "the score is " + shortest(score) + std::string(kNotFinite));
    if (columns_ == 2) scores_.seeds.push_back(seed_name(cells.front()));
  }

  Scores scores() && {
    if (scores_.values.empty()) throw file_error(scores_.source, "no score in it; " + std::string(kNeedsScore));
    const std::vector<std::string>& seeds = scores_.seeds;
    const bool alike = std::all_of(seeds.begin(), seeds.end(), [&](const auto& s) { return s == seeds.front(); });
    if (seeds.size() > 1 && alike)
      throw file_error(scores_.source, "all " + std::to_string(seeds.size()) + " lines have the seed " + seeds.front() +
                                           "; a decimal point is a point, as in 0.781");
    return std::move(scores_);
  }

 private:
  static std::string columns(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " column" : " columns");
  }

  std::size_t columns_ = 0;
  Scores scores_;
};

Scores read_text_scores(InputStream& file) {
  ScoreLines lines(file.name());
  for_each_entry(file, [&](std::string_view text, std::uint64_t line) {
    lines.add(file.name() + ":" + std::to_string(line), text);
  });
  return std::move(lines).scores();
}

Scores read_array_scores(const std::string& path, std::unique_ptr<InputStream> content) {
  const FileSource source{path};
  auto file = open_array_file(source, std::move(content));
  const FileArray array = read_file_array(source, Format::fp64, std::nullopt, std::move(file));
  if (array.shape.size() != 1)
    throw file_error(path, "has the shape " + to_string(array.shape) +
                               "; scores are an array of one dimension, one score for each run");
  Scores scores{path, {}, {}};
  const TermView numbers = array.terms.view();
  for (std::size_t i = 0; i < array.terms.size(); ++i) {
    const double score = numbers.left(i);
    if (!std::isfinite(score))
      throw file_error(path, "score " + std::to_string(i) + " is " + shortest(score) + std::string(kNotFinite));
    scores.values.push_back(score);
  }
  return scores;
}

}  // namespace

std::optional<ReadScore> read_score(std::string_view text) {
  const FloatEnvironment environment;
  text = without_blanks(text);
  const bool percent = text.ends_with('%');
  if (percent) text = without_blanks(text.substr(0, text.size() - 1));
  const auto score = number_in(text);
  if (!score) return std::nullopt;
  if (!percent) return ReadScore{*score, false};
  const auto hundredth = number_in(std::string(text) + "e-2");  // rounded once; nothing where there is an exponent
  return ReadScore{hundredth ? *hundredth : *score / 100, true};
}

bool is_score_list(std::string_view text) {
  const FloatEnvironment environment;
  return read_score(text.substr(0, text.find(','))).has_value();
}

Scores parse_scores(std::string_view text) {
  const FloatEnvironment environment;
  Scores scores;
  for (std::uint64_t position = 1;; ++position) {
    const auto comma = text.find(',');
    std::string wrong = add_score(without_blanks(text.substr(0, comma)), kNeedsList, scores);
    if (wrong.empty() && !std::isfinite(scores.values.back()))
      wrong = "is " + shortest(scores.values.back()) + std::string(kNotFinite);
    if (!wrong.empty()) throw Error(ErrorKind::usage, "value " + std::to_string(position) + ": " + wrong);
    if (comma == std::string_view::npos) return scores;
    text.remove_prefix(comma + 1);
  }
}

Scores read_scores(const std::string& path) {
  const FloatEnvironment environment;
  const FileAddress address = file_address(path);
  auto content = open_input(address.path, "name a file of scores, or - for text on standard input");
  if (!address.name.empty() || !is_text_file(address.path, content->next_bytes()))
    return read_array_scores(path, std::move(content));
  require_known_kind(address.path, content->next_bytes());
  return read_text_scores(*content);
}

}  // namespace orderlab
