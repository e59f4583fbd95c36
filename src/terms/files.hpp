// Terms in files: what the readers of the kinds of file share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/input_file.hpp"
#include "orderlab/error.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// Error(input, "FILE: problem").
inline Error file_error(const std::string& file, const std::string& problem) {
  return {ErrorKind::input, file + ": " + problem};
}

/// `text` without spaces, tabs and carriage returns at its ends.
inline std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// What numbers of a binary file are.
enum class NumberKind : std::uint8_t { real, integer, natural };

/// How they lie there.
struct Layout {
  NumberKind kind = NumberKind::real;
  Format format = Format::fp64;  ///< of real numbers; of others that in which they become terms
  std::size_t bytes = 8;
  bool big_endian = false;
};

constexpr Layout layout_of_format(Format format, bool big_endian = false) {
  return {NumberKind::real, format, static_cast<std::size_t>(info(format).bits) / 8, big_endian};
}

/// As NumPy calls numbers that lie so.
inline std::string numpy_name(const Layout& layout) {
  if (layout.kind == NumberKind::real) return std::string(info(layout.format).aliases[0]);
  return (layout.kind == NumberKind::integer ? "int" : "uint") + std::to_string(8 * layout.bytes);
}

/// The next n numbers of `file` as terms of `format`; conversions that change a number are counted.
Terms read_binary(InputStream& file, Layout layout, std::size_t n, Format format);

/// The next n whole numbers of `file`. Error(input) for one beyond 2^63 - 1.
std::vector<std::int64_t> read_binary_whole(InputStream& file, Layout layout, std::size_t n);

/// Error(unsupported), naming the file, for a shape of more than 2^31 - 1 elements.
void require_elements(const std::string& file, const Shape& shape);

/// An array of a file, its elements as they lie there.
struct FileArray {
  Terms terms;
  Shape shape;
  bool fortran_order = false;  ///< the first dimension is the fastest
};

inline FileArray one_dimension(Terms terms) {
  Shape shape{terms.size()};
  return {std::move(terms), std::move(shape)};
}

/// Calls use(line, number of the line) for every line of `file` that is not blank and does not start with #, without
/// blanks around it.
template <class Use>
void for_each_entry(InputStream& file, Use use) {
  for (std::string line; file.next_line(line);) {
    const std::string_view text = without_blanks(line);
    if (!text.empty() && text.front() != '#') use(text, file.line_number());
  }
}

/// What a file must at least hold.
inline constexpr std::string_view kNeedsNumber = "give at least 1 number";

/// Bytes of a file of binary numbers. Error(input) for a pipe and for nothing.
std::uint64_t binary_size(const InputStream& file);

/// `from`, which lies with its first dimension fastest, with its last one fastest. As many elements as the shape has.
template <class T>
void to_c_order(const T* from, const Shape& shape, T* to) {
  const std::size_t dimensions = shape.size();
  std::vector<std::size_t> step(dimensions);  // step in `from` of an index of each dimension
  std::size_t count = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    step[d] = count;
    count *= shape[d];
  }
  std::vector<std::size_t> index(dimensions);
  std::size_t source = 0;
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = from[source];
    for (std::size_t d = dimensions; d-- > 0;) {
      source += step[d];
      if (++index[d] < shape[d]) break;
      source -= step[d] * shape[d];
      index[d] = 0;
    }
  }
}

}  // namespace orderlab
