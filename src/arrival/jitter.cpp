// Launch order blurred by independent normal delays.
#include <algorithm>
#include <vector>

#include "arrival/order_size.hpp"
#include "arrival/random_numbers.hpp"
#include "core/arithmetic_guard.hpp"
#include "orderlab/arrival.hpp"

namespace orderlab {
namespace {

constexpr Parameter kParameters[] = {{.name = "s", .kind = ParameterKind::real, .default_text = ""}};

struct Delayed {
  double position;
  std::uint32_t index;

  friend bool operator<(const Delayed& a, const Delayed& b) {
    if (a.position < b.position) return true;
    return !(b.position < a.position) && a.index < b.index;
  }
};

void check(const Arguments&, std::size_t m) { check_order_size(m); }

/// Sorts by i + s N_i, ties by i; N_i is the normal number of block i of the stream.
void draw(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  const double s = arguments.real(0);
  std::vector<Delayed> delayed(order.size());
  for (std::size_t i = 0; i < delayed.size(); ++i)
    delayed[i] = {static_cast<double>(i) + s * normal(stream.block(i)), static_cast<std::uint32_t>(i)};
  std::sort(delayed.begin(), delayed.end());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = delayed[k].index;
}

}  // namespace

extern constinit const ArrivalModel kJitterArrival{
    .name = "jitter",
    .summary = "sorted by launch index + N(0, s), s in positions",
    .source =
        "orderlab, a one-parameter fit to the recordings of [Shanmugavelu2024]; normal numbers of [BoxMuller1958]",
    .parameters = kParameters,
    .random = true,
    .check = check,
    .draw = draw,
};

}  // namespace orderlab
