#include <cmath>

#include "arrival/arguments.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

constexpr std::size_t kUnits = 500;

/// Correlation of the displacements of the same unit in two orders.
double correlation(const test::ArrivalOrder& a, const test::ArrivalOrder& b) {
  std::vector<double> x(a.size()), y(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    x[a[k]] = static_cast<double>(k) - static_cast<double>(a[k]);
    y[b[k]] = static_cast<double>(k) - static_cast<double>(b[k]);
  }
  double xy = 0, xx = 0, yy = 0;  // displacements add up to 0
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += x[i] * y[i];
    xx += x[i] * x[i];
    yy += y[i] * y[i];
  }
  return xy / std::sqrt(xx * yy);
}

void refused(const std::string& arrival, const char* message) {
  CAPTURE(arrival);
  CHECK_THROWS_WITH_AS(
      [&] {
        const ArrivalCall call = parse_arrival(arrival);
        call.model->check(*call.arguments, kUnits);
      }(),
      message, Error);
}

}  // namespace

TEST_CASE("at rho = 0 steady is the model itself, and at rho = 1 every sample of a seed has one order") {
  for (const ArrivalModel* inner : arrival_models()) {
    if (inner->key == nullptr) continue;
    CAPTURE(std::string(inner->name));
    for (const Arguments& arguments : arguments_to_try(*inner, kUnits)) {
      for (const std::uint64_t sample : {0u, 1u, 77u})
        CHECK(draw(model("steady"), steady(*inner, arguments, 0), kUnits, 3, sample) ==
              draw(*inner, arguments, kUnits, 3, sample));
      if (inner->key->run != nullptr && inner->key->run(arguments) > 0) continue;  // a factor of each run stays
      const test::ArrivalOrder first = draw(model("steady"), steady(*inner, arguments, 1), kUnits, 3, 0);
      for (const std::uint64_t sample : {1u, 2u, 1u << 30})
        CHECK(draw(model("steady"), steady(*inner, arguments, 1), kUnits, 3, sample) == first);
    }
    const Arguments arguments = arguments_to_try(*inner, kUnits)[1];
    CHECK(draw(model("steady"), steady(*inner, arguments, 1), kUnits, 3) !=
          draw(model("steady"), steady(*inner, arguments, 1), kUnits, 4));
    // The order that does not change is none of the samples'.
    CHECK(draw(model("steady"), steady(*inner, arguments, 1), kUnits, 3) != draw(*inner, arguments, kUnits, 3, 0));
  }
}

TEST_CASE("the same units are late in two samples as far as rho says") {
  constexpr std::size_t m = 20000;
  for (const double rho : {0.0, 0.3, 0.8}) {
    const Arguments arguments = steady(model("jitter"), jitter(100), rho);
    const double found =
        correlation(draw(model("steady"), arguments, m, 1, 0), draw(model("steady"), arguments, m, 1, 1));
    CAPTURE(rho);
    // 5 standard deviations of a correlation of 20,000 pairs; ranks of keys follow keys to about the same.
    CHECK(std::fabs(found - rho) <= 5 / std::sqrt(static_cast<double>(m)) + 0.01);
  }
}

TEST_CASE("steady takes any model that sorts by a key, named ones too, and is written in full") {
  CHECK(to_string(parse_arrival("steady(jitter(40), 0.30)")) == "steady(jitter(40),0.3)");
  CHECK(to_string(parse_arrival("steady(v100_b64_drift,0.3)")) == "steady(drift(107,413),0.3)");
  CHECK(to_string(parse_arrival("steady(rho=1,model=passes(4,later=2,first=1))")) == "steady(passes(4,1,2),1)");
  const orderlab::Order order = parse_order("spa(64,2)", "steady(v100_b64_drift,0.3)");
  CHECK(order.expression() == "tile(64,2) | halving(64) | arrive(steady(drift(107,413),0.3)) | seq(acc=atomic)");
  CHECK(order.warnings(1'000'000, Format::fp64).empty());
  CHECK(order.warnings(10'000, Format::fp64) ==
        std::vector<std::string>{
            "v100_b64_drift was fitted to a grid of 7813 thread blocks; here 79 arrive, so its spread "
            "is a guess"});
}

TEST_CASE("models that sort by no key and arguments out of range are refused in one line") {
  for (const std::string inner : {"uniform", "launch", "slots(8,0.2)", "steady(jitter(2),0.5)"})
    refused("steady(" + inner + ",0.5)", ("steady: " + inner.substr(0, inner.find('(')) +
                                          " does not sort by a key; models that do: jitter, drift, batches, passes")
                                             .c_str());
  refused("steady(jitter(2),2)",
          "arrival 'steady(jitter(2),2)': position 18: steady: rho 2: must be at least 0 and at most 1");
  refused("steady(jitter(2))",
          "arrival 'steady(jitter(2))': position 1: steady: rho is missing; it is steady(model,rho)");
  refused("steady", "arrival 'steady': position 1: steady: model is missing; it is steady(model,rho)");
  refused("steady(0.5)",
          "arrival 'steady(0.5)': position 8: 0.5: no such arrival model; known: uniform launch jitter drift batches "
          "passes steady slots sm_queues trace v100_b64 v100_b64_drift v100_loaded_guess gh200_guess mi250x_guess "
          "h100_index_add h100_index_add_few");
  refused("passes(0,1,1)", "arrival 'passes(0,1,1)': position 8: passes: g 0: must be at least 1");
  refused("passes(8,1)",
          "arrival 'passes(8,1)': position 1: passes: later is missing; it is passes(g,first,later,[run=0])");
  refused("passes(8,-1,1)", "arrival 'passes(8,-1,1)': position 10: passes: first -1: must be at least 0");
  refused("passes(8,1,1,run=11)",
          "arrival 'passes(8,1,1,run=11)': position 14: passes: run 11: must be at least 0 and at most 10");
  refused("passes(8,1,1,0.5)",
          "arrival 'passes(8,1,1,0.5)': position 14: passes takes no further argument; it is "
          "passes(g,first,later,[run=0])");
  refused("batches(1,2,0.5,0)", "arrival 'batches(1,2,0.5,0)': position 13: batches: size 0.5: must be at least 1");
  refused("batches(1,2,8,1.5)",
          "arrival 'batches(1,2,8,1.5)': position 15: batches: share 1.5: must be at least 0 and at most 1");
}
