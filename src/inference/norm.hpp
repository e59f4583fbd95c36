// RMSNorm and LayerNorm of the rows of a matrix.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "orderlab/language_model.hpp"
#include "orderlab/plan.hpp"

namespace orderlab {

/// Where a normalization rounds beside its sums, which are fp32.
struct NormRounding {
  Format format = Format::bf16;  ///< of the output
  bool scaled = false;           ///< x / rms is rounded before it is multiplied by the weight
};

/// Numbers of rows divided by their root mean square; LayerNorm subtracts their mean before.
class Norm {
 public:
  /// `order` adds the squares, and the numbers for a mean.
  Norm(const std::string& order, std::size_t width, Normalization kind, double epsilon);

  /// Sets out to the normalized rows of x.
  ///
  /// Shape: x and out are rows x width, out may be x; weights.scale has width numbers.
  void apply(const float* x, std::size_t rows, const NormWeights& weights, const NormRounding& rounding,
             float* out) const;

 private:
  std::size_t width_;
  float epsilon_;
  RowSums sums_;             ///< of products
  std::vector<float> ones_;  ///< for the mean; empty: none
};

}  // namespace orderlab
