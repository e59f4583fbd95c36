#include <bit>

#include "arrival/arguments.hpp"
#include "doubles.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

/// The definition: pairs in the same order minus pairs in the other, over all pairs.
double tau_by_definition(const ArrivalOrder& a, const ArrivalOrder& b) {
  const std::size_t m = a.size();
  std::vector<std::size_t> rank_a(m);
  std::vector<std::size_t> rank_b(m);
  for (std::size_t k = 0; k < m; ++k) {
    rank_a[a[k]] = k;
    rank_b[b[k]] = k;
  }
  std::int64_t surplus = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < i; ++j) surplus += (rank_a[i] < rank_a[j]) == (rank_b[i] < rank_b[j]) ? 1 : -1;
  return static_cast<double>(surplus) / (static_cast<double>(m * (m - 1)) / 2);
}

}  // namespace

TEST_CASE("Kendall tau equals its definition over all pairs, bit for bit") {
  for (std::size_t m = 2; m < 140; ++m) {
    CAPTURE(m);
    const ArrivalOrder a = draw(model("uniform"), {}, m, 1, 2 * m);
    const ArrivalOrder b = draw(model("jitter"), jitter(10), m, 1, 2 * m + 1);
    CHECK(bits(kendall_tau(a)) == bits(tau_by_definition(a, launch_order(m))));
    CHECK(bits(kendall_tau(b)) == bits(tau_by_definition(launch_order(m), b)));
    CHECK(bits(kendall_tau(a, b)) == bits(tau_by_definition(a, b)));
    CHECK(bits(kendall_tau(b, a)) == bits(kendall_tau(a, b)));
    CHECK(bits(kendall_tau(a, launch_order(m))) == bits(kendall_tau(a)));
  }
}

TEST_CASE("Kendall tau is 1 for the same order, -1 for the reverse, and 1 - 4 inversions / (m (m - 1)) between") {
  for (const std::size_t m : {2u, 3u, 31u, 32u, 33u, 1000u}) {
    const ArrivalOrder forward = launch_order(m);
    const ArrivalOrder backward(forward.rbegin(), forward.rend());
    CHECK(bits(kendall_tau(forward)) == bits(1.0));
    CHECK(bits(kendall_tau(backward)) == bits(-1.0));
    CHECK(bits(kendall_tau(backward, backward)) == bits(1.0));
    CHECK(bits(kendall_tau(forward, backward)) == bits(-1.0));
  }
  CHECK(bits(kendall_tau(ArrivalOrder{2, 0, 1, 4, 3})) == bits(1 - 4 * 3 / 20.0));
}

TEST_CASE("Kendall tau refuses what has no pairs or does not match") {
  CHECK_THROWS_AS(kendall_tau(ArrivalOrder{0}), Error);
  CHECK_THROWS_AS(kendall_tau(ArrivalOrder{}), Error);
  CHECK_THROWS_AS(kendall_tau(ArrivalOrder{0, 1}, ArrivalOrder{0, 1, 2}), Error);
  CHECK_THROWS_AS(kendall_tau(ArrivalOrder{0, 2}, ArrivalOrder{0, 1}), Error);
  CHECK_THROWS_AS(kendall_tau(ArrivalOrder{0, 1}, ArrivalOrder{2, 1}), Error);
  CHECK_THROWS_AS(kendall_tau(ArrivalOrder{0, 2}), Error);
  CHECK_THROWS_AS(kendall_tau(ArrivalOrder{1, 1}), Error);
}
