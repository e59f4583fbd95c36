#include "sweep/published_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>

#include "config/json.hpp"
#include "core/input_file.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kMostPublishedBytes = std::uint64_t{1} << 20;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// A column of numbers: where a row keeps it, and the largest that makes sense.
struct PublishedColumn {
  std::string_view title;
  std::optional<double> PublishedRow::*value;
  double high;
};

constexpr PublishedColumn kPublishedColumns[] = {
    {"R", &PublishedRow::ratio, kUnbounded},
    {"vc_mean", &PublishedRow::vc_mean, 1},
    {"vc_sd", &PublishedRow::vc_sd, 1},
    {"vermv_mean", &PublishedRow::vermv_mean, kUnbounded},
    {"vermv_sd", &PublishedRow::vermv_sd, kUnbounded},
};
constexpr std::string_view kOpTitle = "op";
constexpr std::string_view kSizeTitle = "n";
constexpr std::string_view kDistinctTitle = "distinct_outputs";

// Quotes keep the commas inside them.
std::vector<std::string> cells_in(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  for (std::string& cell : cells) {
    const auto from = cell.find_first_not_of(" \t");
    const auto to = cell.find_last_not_of(" \t");
    cell = from == std::string::npos ? std::string() : cell.substr(from, to - from + 1);
  }
  return cells;
}

class PublishedReader {
 public:
  explicit PublishedReader(const std::string& path) : path_(path) {}

  PublishedPoints read() {
    std::istringstream text(InputFile(path_, "`published` names a CSV file").rest(kMostPublishedBytes));
    PublishedPoints points;
    points.file = valid_utf8(std::filesystem::path(path_).filename().string());
    for (std::string line; std::getline(text, line);) {
      ++line_;
      if (line.starts_with('#')) {
        if (line_ == 1) points.source = comment(line);
        continue;
      }
      const std::vector<std::string> cells = cells_in(line);
      if (cells.size() == 1 && cells[0].empty()) continue;
      if (titles_.empty())
        read_titles(cells);
      else
        points.rows.push_back(row(cells));
    }
    if (titles_.empty()) fail("has no line with the titles of its columns, such as n,R,vc_mean");
    if (points.empty()) fail("has no row below the titles of its columns");
    return points;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(ErrorKind::input, fmt::format("{}:{}: {}", path_, std::max<std::uint64_t>(line_, 1), problem));
  }

  static std::string comment(const std::string& line) {
    std::string text = valid_utf8(line.substr(1));
    std::erase_if(text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
    const auto from = text.find_first_not_of(' ');
    return from == std::string::npos ? std::string() : text.substr(from);
  }

  void read_titles(const std::vector<std::string>& titles) {
    std::vector<std::string> known{std::string(kOpTitle), std::string(kSizeTitle), std::string(kDistinctTitle)};
    for (const PublishedColumn& column : kPublishedColumns) known.emplace_back(column.title);
    for (std::size_t i = 0; i < titles.size(); ++i) {
      if (std::find(known.begin(), known.end(), titles[i]) == known.end())
        fail(unknown_name("column", titles[i], known));
      if (std::find(titles.begin(), titles.begin() + static_cast<std::ptrdiff_t>(i), titles[i]) !=
          titles.begin() + static_cast<std::ptrdiff_t>(i))
        fail("has two columns " + titles[i]);
    }
    const auto has = [&](std::string_view title) {
      return std::find(titles.begin(), titles.end(), title) != titles.end();
    };
    if (!has("vc_mean") && !has("vermv_mean")) fail("has neither a column vc_mean nor vermv_mean");
    titles_ = titles;
  }

  double number(const std::string& title, const std::string& cell, double high) const {
    const std::optional<double> value = read_real(cell);
    if (!value) fail(fmt::format("{}: {} is not a number", title, in_quotes(cell)));
    if (*value < 0 || *value > high)
      fail(fmt::format("{}: {} must be {}", title, cell,
                       high == kUnbounded ? "at least 0" : fmt::format("from 0 to {}", high)));
    return *value;
  }

  PublishedRow row(const std::vector<std::string>& cells) const {
    if (cells.size() != titles_.size())
      fail(fmt::format("has {} cell{}; the titles are {}", cells.size(), cells.size() == 1 ? "" : "s", titles_.size()));
    PublishedRow row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string& title = titles_[i];
      if (cells[i].empty() || title == kDistinctTitle) continue;
      if (title == kOpTitle) {
        row.op = valid_utf8(cells[i]);
      } else if (title == kSizeTitle) {
        const CountResult n = read_count(cells[i]);
        if (!n.value) fail(fmt::format("n: {} {}", in_quotes(cells[i]), n.problem));
        row.n = n.value;
      } else {
        for (const PublishedColumn& column : kPublishedColumns)
          if (column.title == title) row.*column.value = number(title, cells[i], column.high);
      }
    }
    return row;
  }

  std::string path_;
  std::uint64_t line_ = 0;
  std::vector<std::string> titles_;
};

}  // namespace

PublishedPoints read_published(const std::string& path) { return PublishedReader(path).read(); }

std::string published_text(const PublishedPoints& points) {
  if (points.empty()) return {};
  Json rows = Json::array();
  for (const PublishedRow& row : points.rows) {
    Json json = Json::object();
    if (!row.op.empty()) json[kOpTitle] = row.op;
    if (row.n) json[kSizeTitle] = *row.n;
    for (const PublishedColumn& column : kPublishedColumns)
      if (const std::optional<double> value = row.*column.value) json[column.title] = *value;
    rows.push_back(std::move(json));
  }
  return Json{{"file", points.file}, {"source", points.source}, {"rows", std::move(rows)}}.dump();
}

PublishedPoints published_in(const std::string& text) {
  PublishedPoints points;
  if (text.empty()) return points;
  const Json json = Json::parse(text);
  points.file = json["file"].text();
  points.source = json["source"].text();
  for (const Json& one : json["rows"]) {
    PublishedRow& row = points.rows.emplace_back();
    if (one.contains(kOpTitle)) row.op = one[kOpTitle].text();
    if (one.contains(kSizeTitle)) row.n = one[kSizeTitle].count();
    for (const PublishedColumn& column : kPublishedColumns)
      if (one.contains(column.title)) row.*column.value = one[column.title].number();
  }
  return points;
}

}  // namespace orderlab
