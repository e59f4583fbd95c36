// Numbers for tests of inference, drawn by generate_terms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "orderlab/terms.hpp"

namespace orderlab::testing {

/// The same for the same seed; each is a number of `format`.
inline std::vector<float> drawn_numbers(std::size_t count, std::uint64_t seed, Format format = Format::fp32,
                                        std::string_view distribution = "normal(0,1)") {
  const Terms terms = generate_terms(distribution, count, format, seed);
  std::vector<float> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(terms.view().left(i)));
  return numbers;
}

}  // namespace orderlab::testing
