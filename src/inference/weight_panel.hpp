// Weights as matrix products read them: some outputs side by side.
#pragma once

#include <cstddef>
#include <span>

#include "orderlab/format.hpp"
#include "orderlab/language_model.hpp"

namespace orderlab {

/// Outputs of a panel.
inline constexpr std::size_t kPanel = 16;

/// Sets panel[k * kPanel + p] to weight begin + k of row first + p, rounded to `weights`; 0 behind the last row.
///
/// Shape: a multiple of kPanel numbers.
void fill_panel(const WeightMatrix& w, Format weights, std::size_t first, std::size_t begin, std::span<float> panel);

}  // namespace orderlab
