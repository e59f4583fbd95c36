#include "engine/term_groups.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace orderlab;

namespace {

using Members = std::vector<std::vector<std::uint32_t>>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Members groups_of_products(const std::vector<Factors>& products) { return TermGroups(products).members; }

}  // namespace

TEST_CASE("numbers are grouped by their bits, ascending") {
  const std::vector<double> numbers{1, kNaN, 0.0, -0.0, 1, -kInf, kNaN, -1};
  const TermGroups groups{std::span<const double>(numbers)};
  CHECK(groups.members == Members{{5}, {7}, {3}, {2}, {0, 4}, {1, 6}});
  CHECK(groups.values[1] == -1);
}

TEST_CASE("products are grouped by what they are before they are rounded") {
  CHECK(groups_of_products({{2, 3}, {3, 2}, {-1, -6}, {6, -1}, {1.5, 4}}) == Members{{3}, {0, 1, 2, 4}});
  const double a = 1 + 0x1p-30;
  CHECK(a * a == 1 + 0x1p-29);  // one rounding to fp64, two products
  CHECK(groups_of_products({{a, a}, {1, 1 + 0x1p-29}, {-a, -a}}) == Members{{1}, {0, 2}});
}

TEST_CASE("products that underflow or overflow in fp64 are told apart, zeros by their signs") {
  CHECK(groups_of_products({{0x1p-600, 0x1p-600}, {0x1p-601, 0x1p-600}, {0x1p-599, 0x1p-601}, {0, 5}, {-0.0, 5}})
            .size() == 4);
  CHECK(
      groups_of_products({{0x1p600, 0x1p600}, {0x1p601, 0x1p600}, {0x1p599, 0x1p601}, {kInf, 5}, {-kInf, -1}}).size() ==
      3);
  CHECK(groups_of_products({{0, 5}, {-3, -0.0}, {0, 0}, {-0.0, 5}, {0, -1}}) == Members{{3, 4}, {0, 1, 2}});
  CHECK(groups_of_products({{0, kInf}, {kNaN, 1}, {1, 1}}) == Members{{2}, {0, 1}});
}
