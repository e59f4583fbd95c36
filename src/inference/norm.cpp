#include "inference/norm.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/stop.hpp"
#include "engine/arena.hpp"
#include "inference/ordered_product.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr Formats kNormFormats{Format::fp32, Format::fp32, Format::fp32};

RowSums sums_of(const std::string& order, std::size_t width, bool products) {
  return RowSums(compile(parse_order(order), width, kNormFormats, products));
}

/// The same order of numbers that are no products: without fused multiply-adds.
std::string without_fma(std::string order) {
  constexpr std::string_view kFma = ",acc=fma";
  for (std::size_t at = order.find(kFma); at != std::string::npos; at = order.find(kFma)) order.erase(at, kFma.size());
  return order;
}

/// 1 / sqrt(mean + epsilon), all of it in fp32 but for the root, which is that of fp64.
float reciprocal_root(double sum, std::size_t width, float epsilon) {
  const float mean = static_cast<float>(sum) / static_cast<float>(width);
  return static_cast<float>(1 / std::sqrt(static_cast<double>(mean + epsilon)));
}

}  // namespace

Norm::Norm(const std::string& order, std::size_t width, Normalization kind, double epsilon)
    : width_(width), epsilon_(static_cast<float>(epsilon)), squares_(sums_of(order, width, true)) {
  if (kind == Normalization::layer)
    numbers_.emplace(compile(parse_order(without_fma(order)), width, kNormFormats, false));
}

void Norm::apply(const float* x, std::size_t rows, const NormWeights& weights, const NormRounding& rounding,
                 float* out) const {
  constexpr std::size_t kRows = 32;
  parallel_for(0, (rows + kRows - 1) / kRows, Grain::joined, [&](std::uint64_t part) {
    stop_point();
    const std::size_t first = part * kRows;
    apply_to_some(x + first * width_, std::min(kRows, rows - first), weights, rounding, out + first * width_);
  });
}

void Norm::apply_to_some(const float* x, std::size_t rows, const NormWeights& weights, const NormRounding& rounding,
                         float* out) const {
  std::vector<double> sums(rows);
  if (numbers_) {
    numbers_->evaluate(rows_of(x, rows, width_), sums);
    for (std::size_t r = 0; r < rows; ++r) {
      const float mean = static_cast<float>(sums[r]) / static_cast<float>(width_);
      for (std::size_t i = r * width_; i < (r + 1) * width_; ++i) out[i] = x[i] - mean;
    }
    x = out;
  }
  squares_.evaluate(rows_of(x, rows, width_, x), sums);
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
