#include "inference/norm.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "inference/narrow_floats.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr Formats kNormFormats{Format::fp32, Format::fp32, Format::fp32};

/// 1 / sqrt(mean + epsilon), all of it in fp32 but for the root, which is that of fp64.
float reciprocal_root(double sum, std::size_t width, float epsilon) {
  const float mean = static_cast<float>(sum) / static_cast<float>(width);
  return static_cast<float>(1 / std::sqrt(static_cast<double>(mean + epsilon)));
}

}  // namespace

Norm::Norm(const std::string& order, std::size_t width, Normalization kind, double epsilon)
    : width_(width),
      epsilon_(static_cast<float>(epsilon)),
      sums_(compile(parse_order(order), width, kNormFormats, true)) {
  if (kind == Normalization::layer) ones_.assign(width, 1.0F);
}

void Norm::apply(const float* x, std::size_t rows, const NormWeights& weights, const NormRounding& rounding,
                 float* out) const {
  std::vector<double> sums(rows);
  if (!ones_.empty()) {  // a product with 1 is the number itself, and its fused multiply-add an addition
    sums_.evaluate({Format::fp32, rows, width_, x, width_, ones_.data(), 0}, sums);
    for (std::size_t r = 0; r < rows; ++r) {
      const float mean = static_cast<float>(sums[r]) / static_cast<float>(width_);
      for (std::size_t i = r * width_; i < (r + 1) * width_; ++i) out[i] = x[i] - mean;
    }
    x = out;
  }
  sums_.evaluate(rows_of(x, rows, width_, x), sums);
  for (std::size_t r = 0; r < rows; ++r) {
    const float scale = reciprocal_root(sums[r], width_, epsilon_);
    float* const to = out + r * width_;
    for (std::size_t i = 0; i < width_; ++i) to[i] = x[r * width_ + i] * scale;
    if (rounding.scaled) round_to(rounding.format, {to, width_});
    for (std::size_t i = 0; i < width_; ++i) to[i] *= weights.scale[i];
    if (!weights.bias.empty())
      for (std::size_t i = 0; i < width_; ++i) to[i] += weights.bias[i];
    round_to(rounding.format, {to, width_});
  }
}

}  // namespace orderlab
