#include "orderlab/flushing.hpp"

#include <doctest/doctest.h>

#include "orderlab/error.hpp"

namespace orderlab {

TEST_CASE("flushing is read as it is written") {
  for (const Flushing flushing : {Flushing::either, Flushing::yes, Flushing::no})
    CHECK(parse_flushing(name_of(flushing)) == flushing);
  CHECK_THROWS_AS(parse_flushing("on"), Error);
  CHECK_THROWS_AS(parse_flushing(""), Error);
}

}  // namespace orderlab
