// Units smaller than a thread block: the model orders thread blocks, and theirs arrive in any order.
#include "operation/unit_orders.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "operation/some_operations.hpp"
#include "order/resolve.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr std::uint32_t kWarps = 4;
constexpr std::uint64_t kOrderSeed = 5;

std::shared_ptr<const LoweredOperation> index_add_of(const std::string& text, const Shape& shape, double ratio) {
  const OperationCall call = parse_operation(text);
  return std::make_shared<const LoweredOperation>(
      lower(call, generated_inputs(call, {.shape = shape, .ratio = ratio})));
}

std::vector<std::uint32_t> units_drawn(const LoweredOperation& operation, const char* arrival, std::uint64_t sample) {
  std::vector<std::uint32_t> order(operation.rows.units, 0xDEADBEEF);
  UnitOrders(operation, parse_arrival(arrival), kOrderSeed).draw(sample, order);
  return order;
}

}  // namespace

TEST_CASE("warps of a thread block arrive together, thread blocks as the model says") {
  const auto warps = index_add_of("index_add(unit=warp)", {30, 50}, 0.9);  // 1350 elements: 42 warps and a part of one
  const auto blocks = index_add_of("index_add", {30, 50}, 0.9);
  REQUIRE(warps->rows.units == 43);
  REQUIRE(blocks->rows.units == 11);
  for (const char* arrival : {"jitter(3)", "passes(4,9,2,run=0.5)", "steady(drift(2,5),0.7)", "slots(3,0.4)"})
    for (std::uint64_t sample = 0; sample < 5; ++sample) {
      INFO(arrival, " sample ", sample);
      const auto order = units_drawn(*warps, arrival, sample);
      std::vector<std::uint32_t> by_block;
      for (const std::uint32_t unit : order)
        if (by_block.empty() || by_block.back() != unit / kWarps) by_block.push_back(unit / kWarps);
      CHECK(by_block == units_drawn(*blocks, arrival, sample));
      std::vector<std::uint32_t> sorted = order;
      std::sort(sorted.begin(), sorted.end());
      for (std::uint32_t unit = 0; unit < sorted.size(); ++unit) CHECK(sorted[unit] == unit);
    }
}

TEST_CASE("each order of the warps of a thread block is equally likely") {
  const auto warps = index_add_of("index_add(unit=warp)", {32, 32}, 1);
  constexpr std::uint64_t samples = 4800;
  std::map<std::array<std::uint32_t, kWarps>, double> counts;
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    const auto order = units_drawn(*warps, "jitter(0)", sample);
    counts[{order[8] - 8, order[9] - 8, order[10] - 8, order[11] - 8}] += 1;
  }
  REQUIRE(counts.size() == 24);
  double chi_squared = 0;
  for (const auto& [order, count] : counts) chi_squared += std::pow(count - samples / 24.0, 2) / (samples / 24.0);
  CHECK(chi_squared < 62.0);  // 23 degrees of freedom: exceeded with probability 2e-5
}

TEST_CASE("in launch order, and where every order is equally likely, warps arrive by themselves") {
  const auto warps = index_add_of("index_add(unit=warp)", {30, 50}, 0.9);
  std::vector<std::uint32_t> launch(warps->rows.units);
  std::iota(launch.begin(), launch.end(), 0U);
  CHECK(units_drawn(*warps, "launch", 3) == launch);
  std::vector<std::uint32_t> uniform(launch.size());
  const ArrivalCall call = parse_arrival("uniform");
  call.model->draw(*call.arguments, RandomStream(kOrderSeed, streams::kFirstStage, 3), uniform);
  CHECK(units_drawn(*warps, "uniform", 3) == uniform);
}

TEST_CASE("warps change no bit of slices of 128 elements or more, and some of smaller ones") {
  for (const std::size_t width : {128U, 200U, 20U}) {
    CAPTURE(width);
    const Shape shape{24, width};
    const auto by_warp = OutputSums::make(index_add_of("index_add(unit=warp)", shape, 0.9), parse_arrival("jitter(9)"),
                                          DrawPath{.seed = kOrderSeed});
    const auto by_block = OutputSums::make(index_add_of("index_add", shape, 0.9), parse_arrival("jitter(9)"),
                                           DrawPath{.seed = kOrderSeed});
    int unlike = 0;
    for (std::uint64_t sample = 0; sample < 20; ++sample)
      unlike += bits_of_sample(*by_warp, sample) != bits_of_sample(*by_block, sample) ? 1 : 0;
    CHECK((unlike > 0) == (width < 128));
  }
}
