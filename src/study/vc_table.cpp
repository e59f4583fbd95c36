// Tables of Vc by size, as published.
#include <optional>
#include <sstream>

#include "core/float_environment.hpp"
#include "core/input_file.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/fit.hpp"

namespace orderlab::study {

namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) {
    const auto first = cell.find_first_not_of(" \t\r");
    const auto last = cell.find_last_not_of(" \t\r");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

std::optional<std::size_t> column_of(const std::vector<std::string>& titles, std::initializer_list<const char*> names) {
  for (std::size_t i = 0; i < titles.size(); ++i)
    for (const char* name : names)
      if (titles[i] == name) return i;
  return std::nullopt;
}

}  // namespace

std::vector<VcPoint> read_vc_table(const std::string& path) {
  const FloatEnvironment environment;
  InputFile file(path, "give a table with columns n, R, vc_mean");
  std::string line;
  const auto refuse = [&](const std::string& problem) {
    return Error(ErrorKind::input, path + ":" + std::to_string(file.line_number()) + ": " + problem);
  };
  std::vector<VcPoint> table;
  std::optional<std::size_t> n, ratio, vc, sd;
  while (file.next_line(line)) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = cells_of(line);
    if (!n) {
      n = column_of(cells, {"n"});
      ratio = column_of(cells, {"R", "ratio"});
      vc = column_of(cells, {"vc_mean", "vc"});
      sd = column_of(cells, {"vc_sd"});
      if (!n || !ratio || !vc) throw refuse("the columns must have titles, n, R and vc_mean among them");
      continue;
    }
    const auto real = [&](std::size_t column, const char* title, double low, double high) {
      const auto value = column < cells.size() ? read_real(cells[column]) : std::nullopt;
      if (!value || !(*value >= low && *value <= high))
        throw refuse(std::string(title) + " " + (column < cells.size() ? in_quotes(cells[column]) : "is missing") +
                     ": must be a number from " + shortest(low) + " to " + shortest(high));
      return *value;
    };
    constexpr double kMostSize = 46340;  // its square is below 2^31
    VcPoint point;
    const double size = real(*n, "n", 1, kMostSize);
    point.n = static_cast<std::uint64_t>(size);
    if (static_cast<double>(point.n) != size) throw refuse("n " + shortest(size) + ": must be a whole number");
    point.ratio = real(*ratio, "R", 1e-6, 1);
    point.vc = real(*vc, "vc_mean", 0, 1);
    if (sd && *sd < cells.size() && !cells[*sd].empty()) point.sd = real(*sd, "vc_sd", 0, 1);
    table.push_back(point);
  }
  if (table.empty()) throw Error(ErrorKind::input, path + ": has no row of numbers; a table has columns n, R, vc_mean");
  return table;
}

}  // namespace orderlab::study
