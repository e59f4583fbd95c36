// In Highway's portable vectors: this file is compiled once for each extension.
#include "vectors/largest_magnitude.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vectors/largest_magnitude.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

double largest_magnitude(std::span<const double> numbers) {
  const hn::CappedTag<double, 8> doubles;
  const hn::RebindToSigned<decltype(doubles)> integers;
  constexpr std::int64_t kMagnitude = std::numeric_limits<std::int64_t>::max();  // all bits but the sign
  const std::size_t lanes = hn::Lanes(doubles);
  auto largest = hn::Zero(integers);
  std::size_t i = 0;
  for (; i + lanes <= numbers.size(); i += lanes) {
    const auto bits = hn::BitCast(integers, hn::LoadU(doubles, numbers.data() + i));
    largest = hn::Max(largest, hn::And(bits, hn::Set(integers, kMagnitude)));
  }
  std::int64_t result = hn::GetLane(hn::MaxOfLanes(integers, largest));
  for (; i < numbers.size(); ++i) result = std::max(result, std::bit_cast<std::int64_t>(numbers[i]) & kMagnitude);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return std::bit_cast<double>(std::min(result, std::bit_cast<std::int64_t>(kInfinity)));
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(largest_magnitude);

double largest_magnitude(std::span<const double> numbers) { return HWY_DYNAMIC_DISPATCH(largest_magnitude)(numbers); }

}  // namespace orderlab
#endif
