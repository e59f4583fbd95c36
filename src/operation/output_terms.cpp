#include <algorithm>

#include "core/float_environment.hpp"
#include "orderlab/contributions.hpp"

namespace orderlab {

namespace {

template <class T>
void gather_block(const T* from, const std::array<std::size_t, 3>& extents, const std::array<std::ptrdiff_t, 3>& steps,
                  T* to) {
  for (std::size_t a = 0; a < extents[0]; ++a, from += steps[0]) {
    const T* line = from;
    for (std::size_t b = 0; b < extents[1]; ++b, line += steps[1]) {
      const T* number = line;
      for (std::size_t c = 0; c < extents[2]; ++c, number += steps[2]) *to++ = *number;
    }
  }
}

/// Blocks of `array` that begin at these places, one after the other, in `buffer`.
const void* gathered(Format format, const void* array, std::span<const std::uint32_t> begins,
                     const std::array<std::size_t, 3>& extents, const std::array<std::ptrdiff_t, 3>& steps,
                     std::vector<std::byte>& buffer) {
  return with_type_of(format, [&](auto* type) -> const void* {
    using T = std::remove_pointer_t<decltype(type)>;
    const std::size_t n = extents[0] * extents[1] * extents[2];
    if (buffer.size() < begins.size() * n * sizeof(T)) buffer.resize(begins.size() * n * sizeof(T));
    T* to = reinterpret_cast<T*>(buffer.data());
    for (const std::uint32_t begin : begins) {
      gather_block(static_cast<const T*>(array) + begin, extents, steps, to);
      to += n;
    }
    return buffer.data();
  });
}

}  // namespace

TermRows TermPart::some(std::size_t begin, std::size_t count, TermBuffer& buffer) const {
  TermRows result = rows;
  result.count = count;
  if (!blocks) {
    result.x = number_at(rows.format, rows.x, begin * rows.x_stride);
    result.y = number_at(rows.format, rows.y, begin * rows.y_stride);
    return result;
  }
  const auto begins = [&](const std::vector<std::uint32_t>& all) { return std::span(all).subspan(begin, count); };
  result.x = gathered(rows.format, rows.x, begins(blocks->x_begin), blocks->extents, blocks->x_steps, buffer.x);
  result.y = gathered(rows.format, rows.y, begins(blocks->y_begin), blocks->extents, blocks->y_steps, buffer.y);
  return result;
}

std::size_t TermPart::rows_at_once() const {
  constexpr std::size_t kNumbers = 16384;  // numbers of x and of y: 128 KiB in fp32
  constexpr std::size_t kFewest = 64;
  return blocks ? std::clamp(kNumbers / std::max<std::size_t>(1, rows.n), kFewest, kNumbers) : rows.count;
}

void OutputTerms::add(TermRows rows) {
  const std::size_t first_row = parts_.empty() ? 0 : parts_.back().first_row + parts_.back().rows.count;
  parts_.push_back({rows, std::nullopt, {}, outputs_, first_row});
  outputs_ += rows.count;
}

void OutputTerms::add(const TermView& arrays, TermBlocks blocks, std::vector<std::uint32_t> outputs) {
  const std::size_t n = blocks.extents[0] * blocks.extents[1] * blocks.extents[2];
  const std::size_t first_row = parts_.empty() ? 0 : parts_.back().first_row + parts_.back().rows.count;
  const std::size_t end = std::size_t{outputs.back()} + 1;
  if (places_.size() < end) places_.resize(end);
  for (std::size_t row = 0; row < outputs.size(); ++row)
    places_[outputs[row]] = {static_cast<std::uint32_t>(parts_.size()), static_cast<std::uint32_t>(row)};
  const TermRows rows{arrays.format, outputs.size(), n, arrays.x, n, arrays.y, n};
  outputs_ += outputs.size();
  parts_.push_back({rows, std::move(blocks), std::move(outputs), 0, first_row});
}

std::uint64_t OutputTerms::count() const {
  std::uint64_t count = 0;
  for (const TermPart& part : parts_) count += std::uint64_t{part.rows.count} * part.rows.n;
  return count;
}

TermView OutputTerms::row(std::size_t output, TermBuffer& buffer) const {
  const FloatEnvironment environment;
  const TermPart& part = part_of(output);
  const std::size_t row = places_.empty() ? output - part.first_output : places_[output].row;
  return part.some(row, 1, buffer).row(0);
}

const TermPart& OutputTerms::part_of(std::size_t output) const {
  if (!places_.empty()) return parts_[places_[output].part];
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), output,
                                      [](std::size_t o, const TermPart& part) { return o < part.first_output; });
  return *(after - 1);
}

}  // namespace orderlab
