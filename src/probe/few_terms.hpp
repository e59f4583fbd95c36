// Inputs that are one number nearly everywhere.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "orderlab/terms.hpp"
#include "probe/asked_box.hpp"

namespace orderlab {

/// Terms of a box, each factor y of products 1.
inline Terms ones_beside(const AskedBox& box, Terms x) {
  if (!box.products()) return x;
  Terms y(x.format(), x.size());
  for (std::size_t i = 0; i < y.size(); ++i) y.set(i, 1);
  x.multiply_by(std::move(y));
  return x;
}

/// Zeros for a box.
inline Terms zeros(const AskedBox& box) { return ones_beside(box, Terms(box.setting().format, box.n())); }

/// A term of an input.
struct PlacedTerm {
  std::size_t place;
  double value;
};

}  // namespace orderlab
