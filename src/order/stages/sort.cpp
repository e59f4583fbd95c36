// sort: by value or by magnitude, stable; NaN last. A product is sorted by its value rounded to the accumulate format.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "order/stage_code.hpp"

namespace orderlab {

namespace {

constexpr std::array<std::string_view, 4> kKeys{"asc", "desc", "abs_asc", "abs_desc"};
constexpr Parameter kSortParameters[] = {
    {.name = "key", .kind = ParameterKind::choice, .default_text = "", .choices = kKeys}};

struct Sort {
  template <class A>
  static void arrange(const StageContext& context, Input<A> in, Output<A> out) {
    const std::string_view key = context.arguments.choice(0);
    const bool magnitude = key.starts_with("abs_");
    const bool descending = key.ends_with("desc");
    const auto rank = [&](const typename A::Value& v) {
      const auto number = static_cast<double>(NumberTraits<typename A::Number>::rounded(A::number(v)));
      const double value = magnitude ? std::fabs(number) : number;
      return descending ? -value : value;
    };
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i];
    std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) {
      const double x = rank(a);
      const double y = rank(b);
      return std::isnan(y) ? !std::isnan(x) : x < y;
    });
  }
};

}  // namespace

extern const Stage kSort;
const Stage kSort{
    .name = "sort",
    .summary = "by value (asc, desc) or magnitude (abs_asc, abs_desc); stable, NaN last",
    .source = "[Higham1993]",
    .parameters = kSortParameters,
    .reduces = false,
    .guarantee = Guarantee::any_device,
    .by_value = true,
    .code = &kArrangeCode<Sort>,
};

}  // namespace orderlab
