// The kernels without their claims: the orders that are seen are those that they claimed.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "orderlab/crosscheck.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/probe.hpp"
#include "probe/tree_shape.hpp"
#include "reference/hard_inputs.hpp"

namespace orderlab {
namespace {

TreeShape tree_in_launch_order(const std::string& text, std::size_t n, bool products) {
  Terms terms = generate_terms("normal(0,1)", n, Format::fp64, 1);
  if (products) terms.multiply_by(generate_terms("normal(0,1)", n, Format::fp64, 2));
  const Formats formats{Format::fp64, Format::fp64, Format::fp64};
  return TreeShape::of(Evaluator::make(parse_order(text).fixed_form(), terms.view(), formats, 1)->tree(0));
}

struct Unclaimed {
  KernelInfo info;
  Executor executor;

  Unclaimed(const Executor& claimed, std::size_t shapes) : info(*claimed.kernel), executor(claimed) {
    info.claim = nullptr;
    info.shapes = info.shapes.first(std::min(shapes, info.shapes.size()));
    executor.kernel = &info;
  }
  Unclaimed(const Unclaimed&) = delete;
  Unclaimed& operator=(const Unclaimed&) = delete;
};

TEST_CASE("kernels are seen to add in the order that they claim") {
  // A second launch shape, and a size with several passes of the grid, where tests may take longer.
  const bool more = testing::trials(1) > 1;
  std::vector<std::size_t> sizes{300};
  if (more) sizes = {1, 33, 300, 1000};
  for (const Executor& claimed : host_executors()) {
    if (claimed.kernel->outputs != nullptr || !claimed.kernel->has(Format::fp32)) continue;
    const Unclaimed kernel(claimed, more ? 2 : 1);
    const CrossChecks checks =
        crosscheck({&kernel.executor, 1}, {.sizes = sizes, .formats = {Format::fp32}, .seeds = 5});
    REQUIRE(checks.rows.size() == 1);
    const CrossCheckRow& row = checks.rows.front();
    INFO(summary(row));
    CHECK(checks.mismatches() == 0);
    REQUIRE(row.seen.size() == sizes.size() * kernel.info.shapes.size());
    for (std::size_t i = 0; i < row.seen.size(); ++i) {
      const SeenOrder& seen = row.seen[i];
      const SeenOrder& largest = row.seen[(i / sizes.size() + 1) * sizes.size() - 1];  // of the launch shape
      const std::string claim = claimed.kernel->claim(seen.shape, seen.n);
      const bool random = parse_order(claim).random();
      CHECK(seen.verdict == (random ? ProbeVerdict::random : ProbeVerdict::named));
      REQUIRE(!seen.orders.empty());
      CHECK(parse_order(seen.orders.front()).random() == random);
      CHECK(seen.calls > 0);
      const bool products = kernel.info.products;
      CHECK(tree_in_launch_order(seen.orders.front(), seen.n, products) ==
            tree_in_launch_order(claim, seen.n, products));
      CHECK(seen.orders.front() == largest.orders.front());  // one name for all sizes
    }
  }
}

TEST_CASE("more terms than a probe takes have the order that fewer have, by their bits") {
  for (const Executor& claimed : host_executors()) {
    if (claimed.kernel->name != "spa" && claimed.kernel->name != "sptr") continue;
    const Unclaimed kernel(claimed, 1);
    const CrossChecks checks =
        crosscheck({&kernel.executor, 1}, {.sizes = {300, 3000}, .formats = {Format::fp64}, .seeds = 2});
    const std::vector<SeenOrder>& seen = checks.rows.front().seen;
    REQUIRE(seen.size() == 2);
    CHECK(seen[1].n == 3000);
    CHECK(seen[1].calls == 0);
    CHECK(seen[1].verdict == seen[0].verdict);
    CHECK(seen[1].orders.front() == seen[0].orders.front());
  }
}

TEST_CASE("launch order lets thread blocks and threads add in turn") {
  for (const Executor& executor : host_executors()) {
    if (executor.kernel->unit == ArrivalUnit::none || executor.kernel->outputs != nullptr) continue;
    const Formats fp64{Format::fp64, Format::fp64, Format::fp64};
    const Terms terms = generate_terms("normal(0,1)", 300, Format::fp64, 1);
    for (const LaunchShape& shape : executor.kernel->shapes) {
      const KernelRun run = executor.run({terms.view(), shape, launch_order(), false, fp64, {}});
      INFO(executor.kernel->name);
      CHECK(!run.arrival.empty());
      CHECK(std::is_sorted(run.arrival.begin(), run.arrival.end()));
    }
  }
}

TEST_CASE("a kernel is a black box for a probe of one's own") {
  for (const Executor& executor : host_executors()) {
    if (executor.kernel->name != "sptr") continue;
    const Formats fp32{Format::fp32, Format::fp32, Format::fp32};
    const BoxMaker box = kernel_box(executor, {64, 2}, fp32);
    const auto found =
        study::probe({.box = box, .n = 300, .sizes = {101}, .format = Format::fp32, .expected = "sptr(64,2)"});
    REQUIRE(found);
    CHECK(found->box.name == "sptr");
    CHECK(found->box.kind == "kernel");
    CHECK(found->verdict == ProbeVerdict::named);
    CHECK(found->as_expected());
    CHECK_THROWS_AS(box.make({.n = 10, .format = Format::fp64}), Error);
    CHECK_THROWS_AS(box.make({.n = 10, .format = Format::fp32, .offset = 1}), Error);
    CHECK_THROWS_AS(box.make({.n = 10, .format = Format::fp32, .threads = 2}), Error);
  }
}

TEST_CASE("a kernel with many outputs, a map or a finish is no box") {
  const Formats fp32{Format::fp32, Format::fp32, Format::fp32};
  for (const Executor& executor : host_executors())
    if (executor.kernel->outputs != nullptr) CHECK_THROWS_AS(kernel_box(executor, {64}, fp32), Error);
  Unclaimed mean(host_executors().front(), 1);
  mean.executor.finish = [](const Formats&, std::uint64_t sum, std::size_t) { return sum; };
  try {
    crosscheck({&mean.executor, 1}, {.sizes = {10}, .formats = {Format::fp32}});
    CHECK(false);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unsupported);
    CHECK(std::string(error.what()).find("has a finish") != std::string::npos);
  }
}

TEST_CASE("the model leaves out kernels without a claim") {
  const Unclaimed kernel(host_executors().front(), 1);
  const KernelInfo* const info = &kernel.info;
  CHECK(model_executors({&info, 1}).empty());
}

}  // namespace
}  // namespace orderlab
