// The sums that a V100 computed, bit for bit, from their published recipe.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "orderlab/evaluator.hpp"

using namespace orderlab;

namespace {

/// Array index to bits of its sum.
std::map<int, std::uint64_t> recorded_sums() {
  std::ifstream file(ORDERLAB_SHARED_DATA "/v100_golden_sums.txt");
  std::map<int, std::uint64_t> sums;
  for (std::string line; std::getline(file, line);) {
    std::istringstream columns(line);
    int index = 0;
    std::string bits;
    if (columns >> index >> bits) sums[index] = std::stoull(bits, nullptr, 16);
  }
  return sums;
}

}  // namespace

TEST_CASE("all recorded sums of the V100 are the bits of its order") {
  const auto recorded = recorded_sums();
  REQUIRE(recorded.size() == 50);
  const Order order = parse_order("tile(64,2) | halving(64) | seq(acc=neumaier)");
  // Arrays of 1e6 numbers drawn one after another; a std:: distribution because the recipe says so.
  std::mt19937 generator(0x1237698);
  std::uniform_real_distribution<double> uniform(-5, 5);
  std::vector<double> x(1'000'000);
  int equal = 0;
  for (int index = 0; index <= recorded.rbegin()->first; ++index) {
    CAPTURE(index);
    for (double& term : x) term = uniform(generator);
    const auto sum = recorded.find(index);
    if (sum == recorded.end()) continue;
    const auto evaluator = Evaluator::make(order, view_of(x.data(), x.size()), {}, 1);
    const Evaluation evaluation = evaluator->evaluate(0, *evaluator->make_scratch());
    CHECK(evaluation.bits == sum->second);
    equal += evaluation.bits == sum->second ? 1 : 0;
  }
  MESSAGE(equal, " of ", recorded.size(), " sums equal");
  CHECK(equal == 50);
}
