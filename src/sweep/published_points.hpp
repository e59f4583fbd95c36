// Measurements that others have published of operations, which charts show beside what a sweep measures: a CSV file
// that a config names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orderlab {

/// One row. What the file has no column for, or an empty cell, is empty.
struct PublishedRow {
  std::string op;                  ///< "index_add"; empty: of every operation
  std::optional<std::uint64_t> n;  ///< first dimension of the input
  std::optional<double> ratio;     ///< R of the index
  std::optional<double> vc_mean;
  std::optional<double> vc_sd;
  std::optional<double> vermv_mean;  ///< mean of |a-b| / |a + 1e-8|
  std::optional<double> vermv_sd;

  bool operator==(const PublishedRow&) const = default;
};

struct PublishedPoints {
  std::string file;    ///< its name, without folders
  std::string source;  ///< what its first line says if that is a comment, "# ..."
  std::vector<PublishedRow> rows;

  bool empty() const { return rows.empty(); }
  bool operator==(const PublishedPoints&) const = default;
};

/// Reads a file: comments, a line with the titles of columns (op, n, R, vc_mean, vc_sd, vermv_mean, vermv_sd,
/// distinct_outputs, of which the last is for readers), and rows.
///
/// Error(input), "FILE:LINE: ...": an unknown title (with the nearest), no measurement, a cell that is not a number or
/// not in range, a row of other length, more than 1 MiB.
PublishedPoints read_published(const std::string& path);

/// As a store keeps them; empty for none.
std::string published_text(const PublishedPoints& points);

/// The inverse. Error(input) for a text that is not of published_text.
PublishedPoints published_in(const std::string& text);

}  // namespace orderlab
