// In Highway's portable vectors, of which one lane is used: this file is compiled once for each extension.
#include "run/tree_sums.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "run/tree_sums.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include "core/arithmetic_guard.hpp"
#include "core/stop.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using One = hn::CappedTag<T, 1>;
using Wide = hn::Vec<One<double>>;

HWY_INLINE Wide widened(hn::Vec<One<double>> x) { return x; }
HWY_INLINE Wide widened(hn::Vec<One<float>> x) { return hn::PromoteTo(One<double>(), x); }

/// What additions add up for the error bounds, in registers.
struct TreeNotes {
  const Wide& unit;
  const Wide& scale;
  Wide& linear;
  Wide& square;

  HWY_INLINE void add(Wide sum) const {
    const Wide term = hn::Mul(unit, hn::Abs(sum));
    const Wide scaled = hn::Mul(term, scale);
    linear = hn::Add(linear, term);
    square = hn::Add(square, hn::Mul(scaled, scaled));
  }
};

template <class T>
T add_tree(PostOrder nodes, std::span<const T> leaves, std::span<T> stack, RunningError& error) {
  constexpr std::size_t kWordBits = 32;
  const One<T> one;
  const hn::RebindToUnsigned<One<T>> bits;
  const One<double> wide;
  const Wide unit = hn::Set(wide, info(kFormatOf<T>).unit_roundoff());
  const Wide scale = hn::Set(wide, error.scale);
  Wide linear = hn::Set(wide, error.linear);
  Wide square = hn::Set(wide, error.square);
  const TreeNotes notes{unit, scale, linear, square};

  T* const bottom = stack.data();
  T* top = bottom;  // above it, and a number that stands for nothing: sums that wait to be added
  *top = 0;
  auto last = hn::Zero(one);
  std::size_t leaf = 0;
  for (std::size_t node = 0; leaf < leaves.size(); ++node) {
    stop_point_at(node);
    const std::uint32_t inner = (nodes[node / kWordBits] >> (node % kWordBits)) & 1;
    const auto is_inner = hn::RebindMask(one, hn::Ne(hn::Set(bits, inner), hn::Zero(bits)));
    const auto sum = hn::Add(hn::LoadU(one, top), last);
    notes.add(widened(hn::IfThenElseZero(is_inner, sum)));
    hn::StoreU(last, one, top + 1);
    last = hn::IfThenElse(is_inner, sum, hn::LoadU(one, &leaves[leaf]));
    top += 1 - 2 * static_cast<std::ptrdiff_t>(inner);
    leaf += 1 - inner;
  }
  for (; top > bottom + 1; --top) {
    last = hn::Add(hn::LoadU(one, top), last);
    notes.add(widened(last));
  }
  error.linear = hn::GetLane(linear);
  error.square = hn::GetLane(square);
  error.roundings += leaves.size() - 1;
  return hn::GetLane(last);
}

double sum_of_tree64(PostOrder nodes, std::span<const double> leaves, std::span<double> stack, RunningError& error) {
  return add_tree(nodes, leaves, stack, error);
}
float sum_of_tree32(PostOrder nodes, std::span<const float> leaves, std::span<float> stack, RunningError& error) {
  return add_tree(nodes, leaves, stack, error);
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(sum_of_tree64);
HWY_EXPORT(sum_of_tree32);

double sum_of_tree(PostOrder nodes, std::span<const double> leaves, std::span<double> stack, RunningError& error) {
  return HWY_DYNAMIC_DISPATCH(sum_of_tree64)(nodes, leaves, stack, error);
}
float sum_of_tree(PostOrder nodes, std::span<const float> leaves, std::span<float> stack, RunningError& error) {
  return HWY_DYNAMIC_DISPATCH(sum_of_tree32)(nodes, leaves, stack, error);
}

}  // namespace orderlab
#endif
