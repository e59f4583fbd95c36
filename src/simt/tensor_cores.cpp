// What all lanes of a warp do with matrices together. The last lane that comes computes all sums.
#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "run/fused_steps.hpp"
#include "simt/machine.hpp"

namespace orderlab::simt {
namespace {

constexpr std::uint32_t kAllLanes = 0xFFFFFFFF;

}  // namespace

void Machine::multiply_matrices(const MatrixProduct& product, const LaneMatrices& matrices,
                                const std::source_location& where) {
  const LaneProduct mine{product, matrices};
  meet_whole_warp(&mine, where);
}

void Machine::whole_warp(const void* memory, std::size_t alignment, std::size_t stride, std::size_t step,
                         const std::source_location& where) {
  if (reinterpret_cast<std::uintptr_t>(memory) % alignment != 0)
    fail(
        {.kind = FailureKind::misaligned, .where = where, .address = memory, .type = "matrix", .alignment = alignment});
  if (stride % step != 0)
    fail({.kind = FailureKind::matrix_stride,
          .where = where,
          .index = static_cast<std::int64_t>(stride),
          .alignment = step});
  meet_whole_warp(nullptr, where);
}

void Machine::meet_whole_warp(const LaneProduct* product, const std::source_location& where) {
  switch_stacks(begin_meeting(Wait::whole_warp, kAllLanes, reinterpret_cast<std::uintptr_t>(product), 0, where));
  running = nullptr;
}

void Machine::complete_whole_warp(std::uint32_t mask) {
  Lane* const lanes = warp_->lanes;
  if (mask != kAllLanes) {
    lane_ = &lanes[std::countr_zero(mask)];
    fail({.kind = FailureKind::not_whole_warp, .where = lane_->where, .index = std::countr_one(mask)});
  }
  if (lanes[0].value == 0) return;
  std::array<const LaneProduct*, kWarp> products;
  for (unsigned l = 0; l < kWarp; ++l)
    products[l] = reinterpret_cast<const LaneProduct*>(static_cast<std::uintptr_t>(lanes[l].value));
  for (unsigned l = 1; l < kWarp; ++l) {
    if (products[l]->product == products[0]->product) continue;
    lane_ = &lanes[l];
    fail({.kind = FailureKind::other_product,
          .where = lane_->where,
          .other_thread = lanes[0].thread,
          .other_where = lanes[0].where});
  }
  multiply(products);
}

/// The fused unit of the launch that has this product, else a failure.
const FusedUnit& Machine::tensor_unit_of(const MatrixProduct& product) {
  const FusedUnit* const unit =
      find_fused_unit(tensor_unit(product.instruction, product.factors, launch_->tensor_cores));
  if (unit == nullptr || unit->rounding(product.sums) == FusedRounding::none)
    fail({.kind = FailureKind::no_tensor_unit,
          .where = lane_->where,
          .index = launch_->tensor_cores,
          .type = info(product.factors).name.data()});
  return *unit;
}

void Machine::multiply(std::span<const LaneProduct* const, kWarp> lanes) {
  const MatrixProduct& product = lanes[0]->product;
  const FusedUnit& unit = tensor_unit_of(product);
  const std::size_t columns = product.columns;
  const std::size_t depth = product.depth;
  sums_.resize(product.rows * columns);
  factors_.resize(2 * sums_.size() * depth);
  const auto factor = [&](std::size_t row, std::size_t column, std::size_t k) -> double& {
    return factors_[2 * ((row * columns + column) * depth + k)];
  };
  for (const LaneProduct* const lane : lanes) {
    for (const MatrixNumber& a : lane->matrices.a)
      for (std::size_t column = 0; column < columns; ++column) factor(a.row, column, a.column) = a.value;
    for (const MatrixNumber& b : lane->matrices.b)
      for (std::size_t row = 0; row < product.rows; ++row) (&factor(row, b.column, b.row))[1] = b.value;
    for (const MatrixNumber& sum : lane->matrices.sums) sums_[sum.row * columns + sum.column] = sum.value;
  }
  add_fused(unit, product.sums, {factors_.data(), sums_.size(), depth, depth}, sums_);
  for (const LaneProduct* const lane : lanes)
    for (MatrixNumber& sum : lane->matrices.sums) sum.value = sums_[sum.row * columns + sum.column];
}

}  // namespace orderlab::simt
