#include "core/stop.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stop_token>

using namespace orderlab;

namespace {

bool stops() {
  return !unless_stopped([] {
            stop_point();
            return true;
          }).has_value();
}

}  // namespace

TEST_CASE("a stop point asks the token of the innermost scope that has one") {
  std::stop_source source;
  const std::stop_token token = source.get_token();
  CHECK_FALSE(stops());
  const StopScope scope(token);
  CHECK_FALSE(stops());
  source.request_stop();
  CHECK(stops());
  {
    const Unstopped to_the_end;
    CHECK_FALSE(stops());
    std::stop_source other;
    other.request_stop();
    const std::stop_token others = other.get_token();
    const StopScope again(others);
    CHECK(stops());
  }
  {
    const std::stop_token none;  // a call without a token of its own is stopped as its caller is
    const StopScope same(none);
    CHECK(stops());
  }
  CHECK(stops());
}

TEST_CASE("loops come to a stop point before much is done") {
  std::stop_source source;
  source.request_stop();
  const std::stop_token token = source.get_token();
  const StopScope scope(token);
  StopCounter counter;
  std::size_t steps = 0;
  CHECK_FALSE(unless_stopped([&] {
    for (;; ++steps) counter.step();
    return true;
  }));
  CHECK(steps < kStepsBetweenStops);
  CHECK_FALSE(unless_stopped([&] {
    for (steps = 1;; ++steps) stop_point_at(steps);
    return true;
  }));
  CHECK(steps == kStepsBetweenStops);
}
