#include "arrival/arguments.hpp"

using namespace orderlab::test;

TEST_CASE("launch is the identity") {
  for (const std::size_t m : {1u, 2u, 31u, 32u, 33u, 1000u})
    CHECK(draw(model("launch"), {}, m, 9, m) == launch_order(m));
}
