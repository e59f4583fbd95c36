// Memory of one run, and the exact sum of a call.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <type_traits>
#include <vector>

#include "orderlab/program.hpp"
#include "program/index_add_slices.hpp"

namespace orderlab {

/// Memory of one run, reused from call to call.
struct ProgramRun::Buffers {
  template <class T>
  struct Of {
    std::vector<T> products;
    std::vector<T> factors;
    std::vector<const T*> slices;
  };

  template <class T>
  Of<T>& of() {
    if constexpr (std::is_same_v<T, float>)
      return floats;
    else
      return doubles;
  }

  std::map<std::uint64_t, std::uint64_t> calls;  ///< by site
  Of<float> floats;
  Of<double> doubles;
  std::vector<std::uint32_t> order;                  ///< the units, as they arrive
  std::vector<std::uint32_t> place;                  ///< place of each unit in `order`
  std::vector<IndexAddSite::Slices::Piece> arrived;  ///< pieces of one segment, as they arrive
  std::vector<double> sums;
};

template <class T>
std::span<T> sized(std::vector<T>& buffer, std::size_t n) {
  if (buffer.size() < n) buffer.resize(n);
  return std::span(buffer).first(n);
}

/// The exact sum, rounded to the format of the terms.
double exactly(const TermView& terms);

}  // namespace orderlab
