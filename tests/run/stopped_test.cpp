// Every order of many terms can be stopped inside one evaluation.
#include <doctest/doctest.h>

#include <stop_token>
#include <string>

#include "core/stop.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;

namespace {

constexpr std::size_t kTerms = 4 * kStepsBetweenStops;

// Whether binding the order to the terms and evaluating it once throws Stopped, after a stop was requested.
bool stops(const Order& order, const Formats& formats, const TermView& terms) {
  std::stop_source source;
  source.request_stop();
  const std::stop_token token = source.get_token();
  const StopScope scope(token);
  return !unless_stopped([&] {
            const auto evaluator = Evaluator::make(order, terms, formats, 1);
            evaluator->evaluate(0, *evaluator->make_scratch());
            return true;
          }).has_value();
}

}  // namespace

TEST_CASE("an evaluation of every named order is stopped from inside") {
  for (const Format format : {Format::fp64, Format::bf16}) {
    const Terms terms = generate_terms("uniform(0,1)", kTerms, format, 1);
    for (const NamedOrder& named : named_orders()) {
      CAPTURE(named.name);
      const Order order = parse_order(named.name);
      try {
        order.check(kTerms, false, format);
      } catch (const Error&) {
        continue;
      }
      CHECK(stops(order, {format, format, format}, terms.view()));
    }
  }
}

TEST_CASE("an evaluation of every kind of step is stopped from inside") {
  const Terms terms = generate_terms("normal(0,1)", kTerms, Format::fp32, 1);
  for (const std::string text :
       {"seq", "seq(acc=kahan)", "seq(acc=neumaier)", "seq(acc=atomic)", "sort(asc) | seq", "shuffle | seq", "tree",
        "shuffle | tree", "rotate(5) | seq", "chunks(3) | seq", "strided(8) | seq", "pairwise", "adjacent(1024) | seq",
        "halving(1024) | seq", "numpy", "cub_tile(64) | seq", "arrive(uniform) | seq(acc=atomic)",
        "arrive(jitter(4)) | seq", "arrive(slots(80,0.1)) | seq"}) {
    CAPTURE(text);
    try {
      CHECK(stops(parse_order(text), {Format::fp32, Format::fp32, Format::fp32}, terms.view()));
    } catch (const Error& error) {
      FAIL_CHECK(error.what());
    }
  }
}
