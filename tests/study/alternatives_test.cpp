// Ways to do an operation: their results and counts against explicit trees, scans against counts by hand.
#include "orderlab/study/alternatives.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "operation/exact_outputs.hpp"
#include "operation/scan_outputs.hpp"
#include "operation/some_operations.hpp"
#include "orderlab/evaluator.hpp"
#include "study/alternative_forms.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

study::OperationInput input_for(const std::string& text, const Shape& shape, const char* order = nullptr,
                                const char* formats = "fp32") {
  GeneratedInputs what;
  what.shape = shape;
  what.formats = parse_formats(formats);
  std::optional<Order> given;
  if (order != nullptr) given = parse_order(order);
  return study::operation_input(parse_operation(text), what, {}, given ? &*given : nullptr);
}

/// What the tree of an order adds to each output, its initial value last.
struct ByTrees {
  AdditionCount count;
  std::vector<std::uint64_t> bits;
};

template <class T>
ByTrees by_trees(const LoweredOperation& operation, const std::string& order) {
  const Contributions& rows = operation.raw ? *operation.raw : operation.rows;
  const Format format = kFormatOf<T>;
  ByTrees result;
  for (std::size_t r = 0; r < rows.outputs(); ++r) {
    const std::size_t n = rows.row_length(r);
    T sum(0.0);
    if (n > 0) {
      const TermView row = rows.values.view().part(rows.row_begin[r], n);
      const auto evaluator = Evaluator::make(parse_order(order), row, {format, format, format}, 0);
      const SummationTree tree = evaluator->tree(0);
      std::uint64_t joins = 0;
      for (SummationTree::Node node = n; node < tree.node_count(); ++node)
        joins += tree.operation(node) == Operation::add ? 1U : 0U;
      const std::uint64_t last = rows.initial ? 1 : 0;
      result.count.additions += joins + last;
      result.count.height = std::max(result.count.height, tree.height() + last);
      sum = round_to<T>(evaluate(tree, row)[tree.roots().front()]);
    }
    if (rows.initial) {
      const T initial = static_cast<const T*>(rows.initial->view().x)[r];
      sum = n == 0 ? initial : initial + sum;
    }
    if (!operation.divide_by.empty()) sum = T(static_cast<double>(sum) / operation.divide_by[r]);
    result.bits.push_back(bits_of(sum));
  }
  return result;
}

const study::Alternative& way_of(const study::AlternativesFinding& finding, const std::string& name) {
  return *std::find_if(finding.alternatives.begin(), finding.alternatives.end(),
                       [&](const study::Alternative& way) { return way.name == name; });
}

}  // namespace

TEST_CASE("fixed ways add, count and climb as their explicit trees do") {
  const std::pair<const char*, const char*> orders[] = {
      {"left to right", "seq"}, {"fixed tree", "pairwise"}, {"lanes of a warp", "strided(32) | halving(32)"}};
  for (std::uint64_t seed = 0; seed < trials(20); ++seed) {
    for (const char* text : {"index_add", "scatter_add", "scatter_reduce(mean)", "bincount"}) {
      CAPTURE(seed);
      CAPTURE(text);
      const auto operation = some_operation(text, Format::fp32, Trouble::near_one, seed);
      std::vector<study::FixedWay> ways;
      study::visit_fixed_ways(*operation, serial_loop, [&](study::FixedWay way) { ways.push_back(std::move(way)); });
      for (const auto& [name, order] : orders) {
        CAPTURE(std::string(name));
        const auto way = std::find_if(ways.begin(), ways.end(), [&](const auto& w) { return w.name == name; });
        REQUIRE(way != ways.end());
        const ByTrees trees = by_trees<float>(*operation, order);
        CHECK(way->count.additions == trees.count.additions);
        CHECK(way->count.height == trees.count.height);
        for (std::size_t r = 0; r < trees.bits.size(); ++r)
          REQUIRE(bits_of(static_cast<float>(way->results.view().left(r))) == trees.bits[r]);
      }
    }
  }
}

TEST_CASE("additions of a scan, counted by hand") {
  // Tiles of 128 threads with 24 terms each. In each: 23 additions a thread, 129 in each of 4 warps by Kogge-Stone, 3
  // of warps, 31 in each warp but the first for what stands before its threads; then one a thread for the sum before
  // the tile, and one a term.
  constexpr std::uint64_t kInTile = 128 * 23 + 4 * 129 + 3 + 3 * 31;
  constexpr std::uint64_t kTile = 128 * 24;
  constexpr std::uint64_t kTiles = 7;
  const auto chain = input_for("cumsum(lookback=fixed(1))", {kTiles * kTile});
  const AdditionCount tiles = count_additions(*chain.operation);
  const std::uint64_t sums_before = kTiles - 2;  // that of tile 1 is the sum of tile 0
  CHECK(tiles.additions == kTiles * (kInTile + kTile) - 1 + (kTiles - 1) * 127 + sums_before);
  // A sum in a thread is 5 high, a warp's 5 more, that of the threads before in the tile 3 more; each tile adds 1.
  // The last output: the tile's partial sums give way to the chain of tiles.
  const std::uint64_t partial = 5 + 5 + 3;
  CHECK(tiles.height == partial + (kTiles - 2) + 1 + 24);
  const auto in_turn = in_form(*chain.operation, PrefixScan::Form::in_turn, 0);
  CHECK(count_additions(*in_turn).additions == kTiles * kTile - 1);
  CHECK(count_additions(*in_turn).height == kTiles * kTile - 1);
  const auto network = in_form(*chain.operation, PrefixScan::Form::network, 1024);
  CHECK(count_additions(*network).additions == kTiles * 3 * (1 + 10 * 512) - 1);
  CHECK(count_additions(*network).height == kTiles * 3 * 11 - 1);
}

TEST_CASE("the ledger of an operation that varies") {
  const study::OperationInput input = input_for("index_add", {200, 200});
  study::AlternativesRequest request;
  request.samples = 60;
  request.adders = 100;
  request.latency = 4;
  const auto finding = find_alternatives(input, request);
  REQUIRE(finding);
  const study::Alternative& runs = finding->alternatives.front();
  CHECK(runs.name == "as it runs");
  CHECK(runs.guarantee == Guarantee::not_guaranteed);
  CHECK(runs.results == 60);
  CHECK(std::is_sorted(finding->run_errors.begin(), finding->run_errors.end()));
  CHECK(finding->run_errors.size() == 60);
  const study::Alternative& fixed = way_of(*finding, "static schedule");
  CHECK(fixed.removes.find("drawn from uniform") != std::string::npos);
  CHECK(fixed.additions == runs.additions);
  const study::Alternative& exact = way_of(*finding, "exact");
  CHECK(exact.largest_error <= 0.5);
  CHECK(exact.better_runs == 0);
  for (const study::Alternative& way : finding->alternatives) {
    CAPTURE(way.name);
    CHECK(exact.error <= way.error);
    CHECK(way.cycles == std::max((way.additions + 99) / 100, 4 * way.height));
    if (way.name != "as it runs") CHECK(way.results == 1);
    const double below = static_cast<double>(
        std::count_if(finding->run_errors.begin(), finding->run_errors.end(), [&](double e) { return e < way.error; }));
    CHECK(way.better_runs == below / 60);
  }
  request.threads = 1;
  const auto again = find_alternatives(input, request);
  REQUIRE(again);
  CHECK(again->run_errors == finding->run_errors);
}

TEST_CASE("ways of sums, products of matrices and scans") {
  const auto names = [](const study::OperationInput& input) {
    study::AlternativesRequest request;
    request.samples = 5;
    std::set<std::string> list;
    const auto finding = find_alternatives(input, request);
    REQUIRE(finding);
    for (const study::Alternative& way : finding->alternatives) list.insert(way.name);
    return list;
  };
  const std::set<std::string> rows{"left to right", "fixed tree", "lanes of a warp",
                                   "two passes",    "exact",      "as it runs"};
  std::set<std::string> varying = rows;
  varying.insert("static schedule");
  CHECK(names(input_for("sum(axis=1)", {20, 500}, "warp")) == varying);
  CHECK(names(input_for("sum(axis=1)", {20, 500}, "pairwise")) == rows);
  CHECK(names(input_for("matmul(9,9,900,split_k=5)", {})) == varying);
  // Units of the formats, those that add alike once, by a name that GPUs confirm.
  std::set<std::string> with_units = varying;
  for (const char* unit : {"v100_fp16", "a100_fp16", "h100_fp16", "mi100_fp16", "mi250_fp16", "mi300_fp16"})
    with_units.insert(unit);
  CHECK(names(input_for("matmul(9,9,900,split_k=5,unit=b200_fp16)", {}, nullptr, "fp16:fp32")) == with_units);
  CHECK(names(input_for("cumsum", {20'000})) == std::set<std::string>{"as it runs", "static schedule", "chain of tiles",
                                                                      "anchor tiles", "Kahan", "left to right",
                                                                      "network", "exact"});
  // A split of 96 products (three tiles of 32) is a chain of 96, and then 10 splits arrive.
  const auto split = input_for("matmul(9,9,900,split_k=10)", {});
  CHECK(study::count_as_it_runs(*split.operation).height == 96 + 9);
  // A unit starts from self, in its own line as where it runs.
  GeneratedInputs halves;
  halves.formats = parse_formats("fp16:fp32");
  const OperationCall by_ada = parse_operation("matmul(5,4,70,split_k=1,unit=ada_fp16)");
  OperationInputs started = generated_inputs(by_ada, halves);
  started.self = Tensor{{5, 4}, generate_terms("normal(0,100)", 20, Format::fp32, 3)};
  const auto runs = study::operation_input(by_ada, std::move(started));
  study::AlternativesRequest once;
  once.samples = 1;
  const auto by_unit = find_alternatives(runs, once);
  REQUIRE(by_unit);
  CHECK(way_of(*by_unit, "a100_fp16").error == way_of(*by_unit, "as it runs").error);
  CHECK(study::count_as_it_runs(*runs.operation).height == 9);
  // A convolution's bias is added last, once: each term meets at most 11 roundings.
  study::AlternativesRequest few;
  few.samples = 5;
  const auto biased = find_alternatives(input_for("conv_transpose2d(1,1,6,6,3)", {}), few);
  REQUIRE(biased);
  for (const study::Alternative& way : biased->alternatives) CHECK(way.error <= 12 * 0x1p-24);  // gamma of 11
  // Equal results have equal errors.
  few.arrival = "launch";
  const auto still = find_alternatives(input_for("index_add", {200, 200}), few);
  REQUIRE(still);
  CHECK(way_of(*still, "static schedule").error == still->run_errors.front());
  CHECK(way_of(*still, "static schedule").better_runs == 0);
  CHECK_THROWS(find_alternatives(input_for("scatter_reduce(prod)", {50}), {}));
  study::AlternativesRequest half;
  half.adders = 3;
  CHECK_THROWS(find_alternatives(split, half));
}
