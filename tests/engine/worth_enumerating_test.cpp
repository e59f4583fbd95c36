#include "engine/worth_enumerating.hpp"

#include <doctest/doctest.h>

using namespace orderlab;

TEST_CASE("few partial sums are worth enumerating, one more is not") {
  const auto worth = [](OrderFamily family, std::size_t m) {
    OrderSpace space;
    space.family = family;
    space.partial_sums.resize(m);
    return worth_enumerating(space);
  };
  CHECK(worth(OrderFamily::fixed, 1));
  CHECK(worth(OrderFamily::sequences, 20));
  CHECK(!worth(OrderFamily::sequences, 21));
  CHECK(worth(OrderFamily::trees, 15));
  CHECK(!worth(OrderFamily::trees, 16));
  CHECK(worth(OrderFamily::assignments, 16));
  CHECK(!worth(OrderFamily::assignments, 17));
}
