#include "inference/weight_panel.hpp"

#include <algorithm>
#include <array>

#include "inference/narrow_floats.hpp"

namespace orderlab {

void fill_panel(const WeightMatrix& w, Format weights, std::size_t first, std::size_t begin, std::span<float> panel) {
  constexpr std::size_t kColumns = 64;
  std::array<float, kColumns * kPanel> some;
  const std::size_t bytes = info(w.format).held_bytes();
  const std::size_t rows = first < w.rows ? std::min(kPanel, w.rows - first) : 0;
  const std::size_t count = panel.size() / kPanel;
  some.fill(0);
  for (std::size_t k = 0; k < count; k += kColumns) {
    const std::size_t columns = std::min(kColumns, count - k);
    for (std::size_t p = 0; p < rows; ++p)
      read_numbers(w.row(first + p) + (begin + k) * bytes, w.format, {&some[p * kColumns], columns});
    if (w.format != weights) round_to(weights, some);
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t p = 0; p < kPanel; ++p) panel[(k + c) * kPanel + p] = some[p * kColumns + c];
  }
}

}  // namespace orderlab
