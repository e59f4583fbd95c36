// Bounds: D1 and D2 never violated, P3 as often as it says and not where it does not hold, all rounded upward.
#include "metrics/bounds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>

#include "metrics/measured.hpp"
#include "order/pipelines.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// Holds the sums of the terms tried exactly: they span 2^-73 to 2^26.
using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

Wide sum_abs_of(const TermView& terms) {
  Wide sum = 0;
  for (std::size_t i = 0; i < terms.n; ++i) sum += abs(Wide(terms.left(i)));
  return sum;
}

/// Exact partial sums of the additions of a tree, and the computed ones.
struct Nodes {
  std::vector<Wide> exact;
  std::vector<double> computed;
};

Nodes nodes_of(const SummationTree& tree, const TermView& terms) {
  const std::vector<double> values = evaluate(tree, terms);
  std::vector<Wide> exact;
  Nodes nodes;
  for (std::uint64_t node = 0; node < tree.node_count(); ++node) {
    if (tree.leaf(node)) {
      exact.emplace_back(terms.left(node));
      continue;
    }
    Wide sum = 0;
    for (const auto child : tree.children(node)) sum += exact[child];
    exact.push_back(sum);
    if (tree.operation(node) != Operation::add) continue;
    nodes.exact.push_back(sum);
    nodes.computed.push_back(values[node]);
  }
  return nodes;
}

}  // namespace

TEST_CASE("D1 and D2 are never violated") {
  std::uint64_t checked = 0;
  std::uint64_t close = 0;
  const auto pipelines = numeric_pipelines();
  const auto formats = formats_to_try();
  std::uint64_t seed = 1;
  for (const std::uint64_t wanted = trials(100'000); checked < wanted; ++seed) {
    IndexGenerator draw(RandomStream(seed, 0, 0), 0);
    const Formats& format = formats[below(draw, formats.size())];
    const std::string& pipeline = pipelines[below(draw, pipelines.size())];
    const Trouble trouble = kTroubles[below(draw, std::size(kTroubles))];
    const std::size_t n = 1 + below(draw, chance(draw, 4) ? 300 : 30);
    CAPTURE(seed);
    CAPTURE(pipeline);
    CAPTURE(n);
    const std::string format_text = to_string(format);
    CAPTURE(format_text);
    const TypedTerms terms(format.terms, troublesome_numbers(seed, format.terms, trouble, n));
    const auto evaluator = Evaluator::make(parse_order(pipeline), terms.view(), format, seed);
    const ExactValue exact = exact_sum(terms.view());
    const double sum_abs = exact_sum_abs(terms.view()).to_double();
    const auto scratch = evaluator->make_scratch();
    for (std::uint64_t i = 0; i < (evaluator->order().random() ? 16u : 1u); ++i) {
      const Evaluation e = evaluator->evaluate(i, *scratch);
      if (!std::isfinite(e.value)) continue;
      const double error = std::fabs(exact.difference(e.value));
      const auto running = running_bound(e.error);
      const auto gamma = gamma_bound(e.error.plain, format.accumulate, e.height, sum_abs, e.error.extra);
      ++checked;
      // The error is rounded once, the bound inflated by more than that.
      if (running) {
        REQUIRE(error <= *running);
        if (error > 0.5 * *running) ++close;
      }
      if (gamma) REQUIRE(error <= *gamma);
      REQUIRE((running.has_value() || !e.error.bounded));
      if (running && gamma && e.error.roundings > 0 && error > 0) REQUIRE(*running > 0);
    }
  }
  MESSAGE(checked << " sums from seeds 1 to " << seed - 1 << ", " << close << " of them within half of D1");
  CHECK(close > 0);
}

TEST_CASE("bounds are at least their formulas, evaluated to 100 digits with the exact partial sums") {
  for (std::uint64_t seed = 1; seed <= trials(40); ++seed) {
    CAPTURE(seed);
    for (const FormatInfo& format : kFormats) {
      CAPTURE(format.name);
      for (const char* order : {"sequential", "random", "random_tree", "pairwise"}) {
        CAPTURE(std::string(order));
        const std::size_t n = 2 + seed % 20;
        const Trouble trouble = seed % 2 == 0 ? Trouble::near_one : Trouble::ties;
        const TypedTerms terms(format.format, troublesome_numbers(seed, format.format, trouble, n));
        const auto evaluator =
            Evaluator::make(parse_order(order), terms.view(), {format.format, format.format, format.format}, seed);
        const Evaluation e = evaluate_once(*evaluator);
        if (!std::isfinite(e.value)) continue;
        const Nodes nodes = nodes_of(evaluator->tree(0), terms.view());
        const Wide u = format.unit_roundoff();
        Wide linear = 0;
        Wide squares = 0;
        for (const double s : nodes.computed) linear += u * abs(Wide(s));
        for (const Wide& s : nodes.exact) squares += s * s;

        const double d1 = *running_bound(e.error);
        CHECK(Wide(d1) >= linear);
        CHECK(Wide(d1) <= linear * Wide(1 + 0x1p-40));  // and not by more than a few thousand roundings

        const Wide h = e.height;
        const double d2 = *gamma_bound(true, format.format, e.height, exact_sum_abs(terms.view()).to_double(), 0);
        const Wide gamma = h * u / (1 - h * u) * sum_abs_of(terms.view());
        CHECK(Wide(d2) >= gamma * Wide(1 - 0x1p-52));  // sum|x| itself came rounded to nearest
        CHECK(Wide(d2) <= gamma * Wide(1 + 0x1p-40));

        // delta = eta = 0.005
        const Wide lambda = sqrt(2 * log(Wide(2 * n) / Wide("0.005")));
        const Wide phi = lambda * sqrt(2 * h) * u * exp(lambda * lambda * h * u * u);
        const Wide p3 = u * (1 + phi) * sqrt(2 * log(2 / Wide("0.005"))) * sqrt(squares);
        CHECK(Wide(*probabilistic_bound(e.error, format.format, e.height, n)) >= p3);
      }
    }
  }
}

TEST_CASE("the probabilistic bound holds as often as it says on continuous random terms with h u below 0.1") {
  struct Case {
    Format format;
    const char* order;
    std::size_t n;
  };
  for (const Case& c : {Case{Format::fp32, "sequential", 1000},
                        {Format::fp32, "pairwise", 1000},
                        {Format::fp16, "sequential", 200},
                        {Format::bf16, "pairwise", 1000},
                        {Format::bf16, "random", 25}}) {
    CAPTURE(std::string(c.order));
    CAPTURE(c.n);
    const std::uint64_t inputs = trials(1000);
    std::uint64_t held = 0;
    double largest = 0;
    for (std::uint64_t input = 0; input < inputs; ++input) {
      IndexGenerator draw(RandomStream(13, 0, input), 0);
      std::vector<double> numbers(c.n);
      for (double& x : numbers) x = static_cast<double>(static_cast<std::int64_t>(draw())) * 0x1p-63;  // in [-1, 1)
      const TypedTerms terms(c.format, numbers);
      const auto evaluator = Evaluator::make(parse_order(c.order), terms.view(), {c.format, c.format, c.format}, 1);
      const Evaluation e = evaluate_once(*evaluator, input);
      REQUIRE(static_cast<double>(e.height) * info(c.format).unit_roundoff() < 0.1);
      const double bound = *probabilistic_bound(e.error, c.format, e.height, c.n);
      const double error = std::fabs(exact_sum(terms.view()).difference(e.value));
      if (error <= bound) ++held;
      largest = std::max(largest, error / bound);
    }
    MESSAGE(info(c.format).name << " " << std::string(c.order) << ", n = " << c.n << ": P3 held in " << held << " of "
                                << inputs << ", largest error " << largest << " of it");
    CHECK(static_cast<double>(held) >= kProbability * static_cast<double>(inputs));
  }
}

TEST_CASE("the probabilistic bound fails on constants, whose roundings are all alike, and D1 does not") {
  Measured measured(Format::fp32, std::vector<double>(100'000, 0.1), "sequential");
  measured.draw(1);
  const double error = std::fabs(measured.exact().difference(measured.counts().extremes()->min));
  const double p3 = *measured.number({"bounds", "probabilistic", "value"});
  MESSAGE("100000 times 0.1 in fp32: error " << error << ", P3 " << p3);
  CHECK(error > p3);
  CHECK(error <= *measured.number({"bounds", "running", "max"}));
  CHECK(error <= *measured.number({"bounds", "gamma"}));
}

TEST_CASE("gamma is infinite once height times unit roundoff reaches 1, and the running bound stays finite") {
  Measured below_one(Format::bf16, std::vector<double>(256, 0.5), "sequential");
  below_one.draw(1);
  CHECK(std::isfinite(*below_one.number({"bounds", "gamma"})));  // h u = 255/256
  Measured at_one(Format::bf16, std::vector<double>(257, 0.5), "sequential");
  at_one.draw(1);
  check_number(at_one, {"bounds", "gamma"}, kInfinity);
  CHECK(std::isfinite(*at_one.number({"bounds", "running", "max"})));
  CHECK(std::isfinite(*at_one.number({"bounds", "probabilistic", "value"})));
}

TEST_CASE("nothing is derived for Kahan, only D1 for Neumaier") {
  const std::vector<double> terms{0.1, 0.7, -3, 1e-9, 12};
  Measured kahan(Format::fp32, terms, "shuffle | seq(acc=kahan)");
  kahan.draw(5);
  check_null(kahan, {"bounds", "running", "min"});
  check_null(kahan, {"bounds", "running", "max"});
  check_null(kahan, {"bounds", "gamma"});
  check_null(kahan, {"bounds", "probabilistic", "value"});
  Measured neumaier(Format::fp32, terms, "shuffle | seq(acc=neumaier)");
  neumaier.draw(5);
  CHECK(neumaier.number({"bounds", "running", "max"}).has_value());
  check_null(neumaier, {"bounds", "gamma"});
  check_null(neumaier, {"bounds", "probabilistic", "value"});
}

TEST_CASE("a sum without roundings has bounds of 0") {
  Measured one(Format::fp32, {0.1}, "sequential");
  one.draw(1);
  check_number(one, {"bounds", "running", "max"}, 0);
  check_number(one, {"bounds", "gamma"}, 0);
  check_number(one, {"bounds", "probabilistic", "value"}, 0);
  CHECK(bits(*running_bound(RunningError())) == bits(0));
}

TEST_CASE("conversions, flushing and another result format are added to every bound as they are") {
  RunningError error;
  error.linear = 0x1p-20;
  error.square = 0x1p-40;
  error.roundings = 1;
  RunningError more = error;
  more.extra = 0.5;
  CHECK(*running_bound(more) >= *running_bound(error) + 0.5);
  CHECK(*probabilistic_bound(more, Format::fp32, 1, 2) >= *probabilistic_bound(error, Format::fp32, 1, 2) + 0.5);
  CHECK(*gamma_bound(true, Format::fp32, 1, 1, 0.5) >= *gamma_bound(true, Format::fp32, 1, 1, 0) + 0.5);
}

TEST_CASE("no bound is claimed where a sum overflows") {
  Measured measured(Format::fp16, {60000, 60000, -60000, -60000, 1}, "random");
  measured.draw(50);
  REQUIRE(measured.counts().finite() < measured.counts().samples());
  for (const auto& bound : {measured.number({"bounds", "running", "max"}), measured.number({"bounds", "gamma"}),
                            measured.number({"bounds", "probabilistic", "value"})})
    CHECK((!bound || bits(*bound) == bits(kInfinity)));
}
