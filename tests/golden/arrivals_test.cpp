// Models that sort by a key against the orders that tests/oracle/arrivals.py derives from their definitions.
#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "order/resolve.hpp"
#include "orderlab/arrival.hpp"

using namespace orderlab;

TEST_CASE("models that sort by a key draw the orders of the oracle") {
  constexpr std::uint64_t kOracleSeed = 20261123;
  std::ifstream file(ORDERLAB_TEST_ARRIVALS);
  REQUIRE(file);
  int cases = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string arrival;
    std::size_t m = 0;
    std::uint64_t sample = 0;
    words >> arrival >> m >> sample;
    std::vector<std::uint32_t> expected(m), found(m, 0xDEADBEEF);
    for (std::uint32_t& unit : expected) words >> unit;
    REQUIRE(!words.fail());
    const ArrivalCall call = parse_arrival(arrival);
    call.model->check(*call.arguments, m);
    call.model->draw(*call.arguments, RandomStream(kOracleSeed, streams::kFirstStage, sample), found);
    CAPTURE(line);
    CHECK(found == expected);
    ++cases;
  }
  CHECK(cases == 56);
}
