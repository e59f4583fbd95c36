// Which orders can be counted, and why others cannot.
#include <doctest/doctest.h>

#include <numeric>

#include "order/pipelines.hpp"
#include "order/trouble.hpp"
#include "orderlab/enumerate.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

RecognizedSpace recognized(std::string_view order, std::size_t n = 8, std::string_view formats = "fp32",
                           bool products = false) {
  std::vector<double> x(n);
  std::iota(x.begin(), x.end(), 0.1);
  const Formats parsed = parse_formats(formats);
  const TypedTerms terms = products ? TypedTerms(parsed.terms, x, x) : TypedTerms(parsed.terms, x);
  return order_space(*Evaluator::make(parse_order(order), terms.view(), parsed, 1));
}

}  // namespace

TEST_CASE("families are told by what differs from draw to draw") {
  struct Case {
    const char* order;
    OrderFamily family;
    std::size_t m;
    bool from_zero;
    bool flush;
  };
  const Case cases[] = {
      {"seq", OrderFamily::fixed, 1, false, false},
      {"arrive(launch) | seq(acc=atomic)", OrderFamily::fixed, 1, false, false},
      {"seq(acc=kahan)", OrderFamily::fixed, 1, false, false},
      {"numpy", OrderFamily::fixed, 1, false, false},
      {"shuffle | seq", OrderFamily::sequences, 8, false, false},
      {"arrive | seq", OrderFamily::sequences, 8, false, false},
      {"arrive(uniform) | seq(from=zero)", OrderFamily::sequences, 8, true, false},
      {"shuffle | seq(8)", OrderFamily::sequences, 8, false, false},
      {"shuffle | pairwise(8)", OrderFamily::sequences, 8, false, false},
      {"shuffle | seq(7) | seq", OrderFamily::sequences, 8, false, false},
      {"ao", OrderFamily::sequences, 8, true, true},
      {"random", OrderFamily::sequences, 8, false, false},
      {"halving(2) | arrive | seq(acc=atomic)", OrderFamily::sequences, 4, true, true},
      {"seq(3,acc=kahan) | shuffle | seq", OrderFamily::sequences, 3, false, false},
      {"openmp(3)", OrderFamily::sequences, 3, true, false},
      {"spa(2,2)", OrderFamily::sequences, 2, true, true},
      {"warp", OrderFamily::sequences, 1, true, true},
      {"shuffle | tree", OrderFamily::trees, 8, false, false},
      {"arrive | tree", OrderFamily::trees, 8, false, false},
      {"random_tree", OrderFamily::trees, 8, false, false},
      {"sort(asc) | seq(2) | shuffle | tree", OrderFamily::trees, 4, false, false},
      {"shuffle | halving(8)", OrderFamily::assignments, 8, false, false},
      {"shuffle | pairwise", OrderFamily::assignments, 8, false, false},
      {"shuffle | reverse | seq", OrderFamily::assignments, 8, false, false},
      {"shuffle | seq(3) | seq(acc=atomic)", OrderFamily::assignments, 8, false, false},
      {"shuffle | seq(1,acc=atomic) | seq", OrderFamily::assignments, 8, false, false},
      {"shuffle | numpy", OrderFamily::assignments, 8, false, false},
      {"arrive | tile(2,2) | pairwise", OrderFamily::assignments, 8, false, false},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.order));
    const RecognizedSpace found = recognized(c.order);
    CAPTURE(found.reason);
    REQUIRE(found.space.has_value());
    CHECK(found.reason.empty());
    CHECK(found.space->family == c.family);
    CHECK(found.space->partial_sums.size() == c.m);
    CHECK(found.space->from_zero == c.from_zero);
    CHECK(found.space->flush == c.flush);
    CHECK(found.space->formats == parse_formats("fp32"));
    if (c.family == OrderFamily::assignments) CHECK(found.space->shape.term_count() == c.m);
  }
}

TEST_CASE("orders that fuse products are sequences and assignments of them") {
  struct Case {
    const char* order;
    OrderFamily family;
    bool from_zero;
    bool products;
    std::size_t m = 8;
  };
  const Case cases[] = {
      {"shuffle | seq(acc=fma)", OrderFamily::sequences, false, true},
      {"arrive | seq(acc=fma,from=zero)", OrderFamily::sequences, true, true},
      {"sort(asc) | shuffle | pairwise(8,acc=fma)", OrderFamily::sequences, false, true},
      {"shuffle | tile(1,8,acc=fma)", OrderFamily::sequences, true, true},
      {"shuffle | reverse | seq(acc=fma)", OrderFamily::assignments, false, true},
      {"shuffle | seq(7,acc=fma) | seq", OrderFamily::assignments, false, true},
      {"shuffle | seq(1,acc=fma) | seq", OrderFamily::assignments, false, true},
      {"shuffle | tile(2,2,acc=fma) | pairwise", OrderFamily::assignments, false, true},
      {"seq(2,acc=fma) | shuffle | seq", OrderFamily::sequences, false, false, 4},
      {"seq(2,acc=fma) | shuffle | tree", OrderFamily::trees, false, false, 4},
      {"seq(acc=fma)", OrderFamily::fixed, false, false, 1},
      {"shuffle | seq", OrderFamily::sequences, false, false},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.order));
    const RecognizedSpace found = recognized(c.order, 8, "fp32", true);
    CAPTURE(found.reason);
    REQUIRE(found.space.has_value());
    CHECK(found.space->family == c.family);
    CHECK(found.space->from_zero == c.from_zero);
    CHECK(found.space->partial_sums.size() == c.m);
    CHECK(found.space->products.size() == (c.products ? c.m : 0));
    if (c.family != OrderFamily::assignments) continue;
    for (auto node = found.space->shape.term_count(); node < found.space->shape.node_count(); ++node)
      CHECK(found.space->shape.children(node).size() <= 2);
  }
}

TEST_CASE("orders that cannot be counted are refused with the culprit's name") {
  struct Case {
    const char* order;
    const char* culprit;
    const char* formats = "fp32";
    bool products = false;
  };
  const Case cases[] = {
      {"shuffle | seq(acc=kahan)", "acc=kahan"},
      {"shuffle | seq(acc=neumaier)", "acc=neumaier"},
      {"shuffle | chunks(3,acc=kahan) | seq", "acc=kahan"},
      {"shuffle | seq | shuffle | seq(acc=neumaier)", "`shuffle` is a second random stage after `shuffle`"},
      {"shuffle | seq(2,acc=fma) | seq(acc=kahan)", "acc=kahan", "fp32", true},
      {"arrive(jitter(2)) | seq", "`arrive` is not uniform"},
      {"arrive(slots(4,0.2)) | seq(acc=atomic)", "`arrive` is not uniform"},
      {"tree", "`tree` draws trees over partial sums in fixed places"},
      {"seq(2) | tree", "`tree` draws trees"},
      {"shuffle | shuffle | seq", "`shuffle` is a second random stage after `shuffle`"},
      {"arrive | seq(2) | shuffle | seq", "`shuffle` is a second random stage after `arrive`"},
      {"shuffle | seq(2) | tree", "`tree` is a second random stage after `shuffle`"},
      {"shuffle | sort(asc) | seq", "`sort` after `shuffle` depends on the values"},
      {"shuffle | seq(2) | sort(abs_desc) | seq", "`sort` after `shuffle` depends on the values"},
      {"shuffle | numpy", "fp32", "fp16"},
      {"shuffle | numpy", "fp32", "bf16"},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.order));
    const RecognizedSpace found = recognized(c.order, 8, c.formats, c.products);
    CAPTURE(found.reason);
    CHECK_FALSE(found.space.has_value());
    CHECK(found.reason.find(c.culprit) != std::string::npos);
    CHECK(found.reason.find('\n') == std::string::npos);
  }
}

TEST_CASE("arrivals of a recording are not uniform") {
  const TemporaryFile file("0,1,2\n2,1,0\n");
  const RecognizedSpace found = recognized("arrive(trace('" + file.path() + "')) | seq", 3);
  CAPTURE(found.reason);
  CHECK_FALSE(found.space.has_value());
  CHECK(found.reason.find("`arrive` is not uniform") != std::string::npos);
}

TEST_CASE("every pipeline is recognised or refused, never both") {
  for (const std::string& pipeline : product_pipelines()) {
    for (const bool products : {false, true}) {
      if (is_fused(pipeline) && !products) continue;
      for (const std::size_t n : {1u, 2u, 7u, 70u}) {
        for (const char* format : {"fp32", "fp16"}) {
          CAPTURE(pipeline);
          const RecognizedSpace found = recognized(pipeline, n, format, products);
          CHECK(found.space.has_value() == found.reason.empty());
          if (!found.space) continue;
          const SummationTree& shape = found.space->shape;
          CHECK(found.space->partial_sums.size() >= 1);
          if (!parse_order(pipeline).random()) CHECK(found.space->family == OrderFamily::fixed);
          for (auto node = shape.term_count(); node < shape.node_count(); ++node)
            if (shape.operation(node) == Operation::round || shape.operation(node) == Operation::fma)
              CHECK(found.space->products.size() == shape.term_count());
        }
      }
    }
  }
}

TEST_CASE("partial sums are those that the random stage sees, in their places") {
  const TypedTerms terms(Format::fp16, {1, 2, 4, 8, 16, 0.1});
  const Formats formats = parse_formats("fp16:fp32");
  const auto space =
      order_space(*Evaluator::make(parse_order("reverse | seq(2) | shuffle | seq"), terms.view(), formats, 1));
  REQUIRE(space.space.has_value());
  const double tenth = value_of_bits(Format::fp16, round_to_bits(Format::fp16, 0.1));
  CHECK(space.space->partial_sums == std::vector<double>{16 + tenth, 12, 3});
}
