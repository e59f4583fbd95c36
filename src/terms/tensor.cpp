// Shapes.
#include <algorithm>

#include "core/text.hpp"
#include "orderlab/terms.hpp"
#include "terms/files.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kMostDimensions = 8;
constexpr std::size_t kMostElements = (std::size_t{1} << 31) - 1;
constexpr std::string_view kTooMany = "more than 2^31 - 1 elements";

/// Number of elements; nothing above the limit.
std::optional<std::size_t> count_elements(const Shape& shape) {
  if (std::ranges::find(shape, std::size_t{0}) != shape.end()) return 0;
  std::size_t count = 1;
  for (const std::size_t extent : shape) {
    if (extent > kMostElements / count) return std::nullopt;
    count *= extent;
  }
  return count;
}

}  // namespace

std::size_t element_count(const Shape& shape) {
  const auto count = count_elements(shape);
  if (!count) throw Error(ErrorKind::unsupported, "shape " + to_string(shape) + ": " + std::string(kTooMany));
  return *count;
}

void require_elements(const std::string& file, const Shape& shape) {
  if (!count_elements(shape))
    throw Error(ErrorKind::unsupported, file + ": its shape " + to_string(shape) + " has " + std::string(kTooMany));
}

std::string to_string(const Shape& shape) {
  if (shape.empty()) return "1";
  std::string text;
  for (const std::size_t extent : shape) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

Shape parse_shape(std::string_view what, std::string_view text) {
  const auto refuse = [&](const std::string& problem) {
    throw Error(ErrorKind::usage,
                std::string(what) + " " + shortened(text) + ": " + problem + "; write extents such as 1000x20");
  };
  Shape shape;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const std::string extent = "extent " + std::to_string(shape.size() + 1);
    if (part.empty()) refuse(extent + " is missing");
    const CountResult count = read_count(part);
    if (!count.value) refuse(extent + ", " + in_quotes(part) + ", " + count.problem);
    if (*count.value == 0) refuse(extent + " must be at least 1");
    shape.push_back(*count.value);
    if (shape.size() > kMostDimensions) refuse("more than " + std::to_string(kMostDimensions) + " dimensions");
    begin = end + 1;
  }
  if (!count_elements(shape)) refuse(std::string(kTooMany));
  return shape;
}

}  // namespace orderlab
