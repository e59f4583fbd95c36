// The array of one call of a function: one input, or many of them side by side.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "orderlab/format.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// What a function is called with: one input, or 64 of them as the rows (axis 1) or columns (axis 0) of an array.
struct CallShape {
  static constexpr std::size_t kTogether = 64;

  std::size_t n = 0;
  Format format = Format::fp32;
  bool products = false;
  std::optional<std::size_t> axis;

  std::size_t together() const { return axis ? kTogether : 1; }
  std::size_t number_bytes() const { return static_cast<std::size_t>(info(format).bits) / 8; }
  std::size_t array_bytes() const { return n * together() * number_bytes(); }
};

/// Lays x of the inputs, together() of them at most, into an array, and y of products into another one. Inputs that are
/// not given are ones.
void lay_inputs(const CallShape& shape, std::span<const TermView> inputs, std::byte* x, std::byte* y);

}  // namespace orderlab
