// Verdicts on boxes that try to mislead. Longer than most files: a case for each way to do so.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <limits>
#include <numeric>
#include <sstream>

#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/terms.hpp"
#include "probe/hypotheses.hpp"
#include "probe/model_boxes.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

// Answers as texts of so many digits do.
class TextBox : public Box {
 public:
  explicit TextBox(int digits) : digits_(digits) {}
  double sum(const TermView& terms) override {
    const auto* x = static_cast<const float*>(terms.x);
    std::ostringstream text;
    text << std::setprecision(digits_) << in_turn(std::vector<float>(x, x + terms.n));
    return std::stod(text.str());
  }
  std::size_t digits() const override { return static_cast<std::size_t>(digits_); }

 private:
  int digits_;
};

BoxMaker text_box(int digits) {
  BoxMaker maker{"a text", false, nullptr};
  maker.make = [digits](const BoxSetting&) { return std::make_unique<TextBox>(digits); };
  return maker;
}

void check_named(const ProbedOrder& found, const std::string& text) {
  CAPTURE(found.reason);
  CHECK(found.verdict == ProbeVerdict::named);
  CHECK(found.replayed == kReplayedInputs);
  const bool there = std::any_of(found.orders.begin(), found.orders.end(),
                                 [&](const WrittenOrder& order) { return order.text == text; });
  CHECK_MESSAGE(there, text << " is not among " << found.orders.size() << " orders, the first "
                            << (found.orders.empty() ? "none" : found.orders.front().text));
}

}  // namespace

TEST_CASE("orders are named") {
  for (const char* text :
       {"seq", "reverse | seq", "pairwise", "numpy", "simd(16)", "strided(4) | seq", "seq(acc=kahan)",
        "adjacent(4,rest=keep) | seq", "chunks(7) | seq", "mpi_recursive_doubling"}) {
    CAPTURE(text);
    const ProbedOrder found = probed(order_box(text), 101);
    check_named(found, text);
    CHECK(found.certified);
    REQUIRE(found.accumulator.has_value());
    CHECK(found.accumulator->narrowest == (mentions(text, "kahan") ? 25 : 24));
  }
}

TEST_CASE("every hypothesis is found again") {
  for (const bool products : {false, true}) {
    std::uint64_t named = 0;
    const std::vector<Hypothesis> all = hypotheses(33, products, Format::fp32);
    const std::uint64_t some = std::min<std::uint64_t>(trials(60), all.size());
    for (std::size_t i = 0; i < all.size(); i += all.size() / some) {
      const Hypothesis& hypothesis = all[i];
      CAPTURE(hypothesis.text);
      const ProbedOrder found = probed(order_box(hypothesis.text, products), 33);
      if (mentions(hypothesis.text, "neumaier")) {
        CHECK(found.verdict != ProbeVerdict::not_a_sum);
        continue;
      }
      CHECK(found.verdict == ProbeVerdict::named);
      REQUIRE_FALSE(found.orders.empty());
      CHECK(shape_of_order(found.orders.front().text, 33, products) == shape_of_order(hypothesis.text, 33, products));
      ++named;
    }
    CHECK(named > some / 2);
  }
}

TEST_CASE("a pipeline that is no hypothesis is revealed and named by its stages") {
  const ProbedOrder found = probed(order_box("halving(16) | strided(3) | seq"), 96);
  CHECK(found.verdict == ProbeVerdict::named);
  CHECK_FALSE(found.certified);
  CHECK(found.replayed == kReplayedInputs);
  CHECK(shape_of_order(found.orders.front().text, 96) == shape_of_order("halving(16) | strided(3) | seq", 96));
}

TEST_CASE("a tree without a name is revealed, and gives the bits") {
  IndexGenerator draw(RandomStream(31, 0, 0), 0);
  const TreeShape shape = random_shape(draw, 50);
  const ProbedOrder found = probed(shape_box(shape), 50);
  CHECK(found.verdict == ProbeVerdict::revealed);
  CHECK(found.orders.empty());
  CHECK(found.replayed == kReplayedInputs);
  REQUIRE(found.tree.has_value());
  CHECK(TreeShape::of(*found.tree) == shape);
}

TEST_CASE("wider accumulators are told, and what they are rounded to") {
  const ProbedOrder wide = probed(order_box("seq", false, Format::fp64), 64);
  check_named(wide, "seq");
  CHECK(to_string(wide.formats) == "fp32:fp64:fp32");
  const ProbedOrder bf16 = probed(order_box("seq", false, Format::bf16), 300);  // units beyond 256 are not exact
  check_named(bf16, "seq");
  CHECK(to_string(bf16.formats) == "fp32:bf16:fp32");
  check_named(probed(order_box("pairwise"), 300, Format::bf16), "pairwise");
  check_named(probed(order_box("pairwise"), 3000, Format::fp16), "pairwise");  // beyond 2^11
  check_named(probed(order_box("numpy"), 300, Format::fp16), "numpy");         // fp32 inside
}

TEST_CASE("partial sums that are rounded, and accumulators that are stored narrower, are named") {
  for (const std::string order :
       {"seq(16) | round(bf16) | in(bf16) | seq", "chunks(4) | round(bf16) | seq", "in(fp32,store=bf16) | seq",
        "strided(8) | round(bf16) | in(bf16) | halving(8)", "seq(16) | in(fp32,store=bf16) | seq"}) {
    CAPTURE(order);
    const ProbedOrder found = probed(order_box(order), 64);
    CHECK(found.verdict == ProbeVerdict::named);
    CHECK(found.replayed == kReplayedInputs);
    REQUIRE_FALSE(found.orders.empty());
    const auto bits = [](const std::string& text) {
      const Terms terms = generate_terms("normal(0,1)", 64, Format::fp32, 77);
      return sum_of(*compile(parse_order(text), 64, parse_formats("fp32")), terms.view());
    };
    CHECK(found.orders.front().text.find(order.find("round") != std::string::npos ? "round" : "store") !=
          std::string::npos);
    for (const WrittenOrder& one : found.orders) CHECK(bits(one.text) == bits(order));
  }
}

TEST_CASE("products fused and rounded are told apart") {
  check_named(probed(order_box("seq(acc=fma)", true), 64), "seq(acc=fma)");
  check_named(probed(order_box("seq", true), 64), "seq");
}

TEST_CASE("a loop that fuses products, and its remainder that does, or does not") {
  for (const bool fused : {true, false}) {
    CAPTURE(fused);
    const BoxMaker maker = function_box(
        "dot",
        [fused](const TermView& terms) {
          const auto* x = static_cast<const float*>(terms.x);
          const auto* y = static_cast<const float*>(terms.y);
          std::array<float, 3> lanes{};
          std::size_t i = 0;
          for (; i + 3 <= terms.n; i += 3)
            for (std::size_t l = 0; l < 3; ++l) lanes[l] = std::fma(x[i + l], y[i + l], lanes[l]);
          float sum = lanes[2] + (lanes[0] + lanes[1]);
          for (; i < terms.n; ++i) sum = fused ? std::fma(x[i], y[i], sum) : sum + x[i] * y[i];
          return static_cast<double>(sum);
        },
        true);
    const ProbedOrder found = probed(maker, 23);
    REQUIRE(found.tree.has_value());
    CHECK(found.replayed == kReplayedInputs);
    if (!fused) {
      CHECK(found.verdict == ProbeVerdict::named);
      continue;
    }
    CHECK(found.verdict == ProbeVerdict::revealed);
    CHECK(mentions(found.reason, "20 of 23 products are fused"));  // all but the first of each lane
  }
}

TEST_CASE("a remainder in another precision") {
  const ProbedOrder found = probed(float_box([](std::vector<float> x) {
                                     const std::size_t whole = x.size() / 32 * 32;
                                     float sum = 0;
                                     for (std::size_t i = 0; i < whole; ++i) sum += x[i];
                                     double rest = 0;
                                     for (std::size_t i = whole; i < x.size(); ++i) rest += static_cast<double>(x[i]);
                                     return static_cast<float>(rest + static_cast<double>(sum));
                                   }),
                                   101);
  CHECK(found.verdict == ProbeVerdict::revealed);
  CHECK(mentions(found.reason, "several precisions"));
  REQUIRE(found.accumulator.has_value());
  CHECK(found.accumulator->widest == 53);
}

TEST_CASE("a language that adds whole numbers as integers") {
  const auto whole = [](double x) { return std::fabs(x) < 0x1p62 && x == std::floor(x); };
  const BoxMaker maker = function_box("integers", [whole](const TermView& terms) {
    double sum = 0;
    std::int64_t integer = 0;
    bool integers = true;
    for (std::size_t i = 0; i < terms.n; ++i) {
      const double x = terms.left(i);
      if (integers && whole(x) && whole(static_cast<double>(integer) + x)) {
        integer += static_cast<std::int64_t>(x);
        continue;
      }
      if (integers) sum = static_cast<double>(integer);
      sum += x;
      integers = whole(sum);
      if (integers) integer = static_cast<std::int64_t>(sum);
    }
    return integers ? static_cast<double>(integer) : sum;
  });
  const ProbedOrder found = probed(maker, 64, Format::fp64);
  check_named(found, "seq(from=zero)");
  CHECK(found.accumulator->widest == 53);
}

TEST_CASE("exact and compensated sums") {
  const ProbedOrder exact = probed(
      function_box(
          "exact",
          [](const TermView& terms) { return value_of_bits(Format::fp32, exact_sum(terms).round_to(Format::fp32)); }),
      64);
  CHECK(exact.verdict == ProbeVerdict::compensated);
  CHECK(exact.orders.empty());
  CHECK(mentions(exact.reason, "every sum is the exact sum, rounded to fp32"));
  const ProbedOrder neumaier = probed(order_box("seq(acc=neumaier)"), 64);
  CHECK(neumaier.verdict == ProbeVerdict::compensated);
  REQUIRE_FALSE(neumaier.orders.empty());
  CHECK(neumaier.orders.front().text == "seq(acc=neumaier)");
}

TEST_CASE("a compensated stage above plain ones") {
  const ProbedOrder found = probed(order_box("tile(32,2) | halving(32) | seq(acc=neumaier)"), 300);
  CHECK(found.verdict == ProbeVerdict::named);
  CHECK_FALSE(found.certified);
  CHECK(mentions(found.reason, "by its bits alone"));
  CHECK(std::any_of(found.orders.begin(), found.orders.end(),
                    [](const WrittenOrder& order) { return order.text == "tprc_neumaier(32)"; }));
}

TEST_CASE("an order that depends on the values") {
  const ProbedOrder sorted = probed(order_box("sort(asc) | seq"), 64);
  CHECK(sorted.verdict == ProbeVerdict::data_dependent);
  CHECK(sorted.orders.front().text == "sort(asc) | seq");
  const ProbedOrder wide = probed(order_box("sort(asc) | seq", false, Format::fp64), 64);
  CHECK(wide.verdict == ProbeVerdict::data_dependent);
  REQUIRE_FALSE(wide.orders.empty());
  CHECK(wide.orders.front().text == "sort(asc) | seq");
  const ProbedOrder in_part = probed(float_box([](std::vector<float> x) {
                                       if (x[0] > 0.3f && x[0] < 0x1p20f) std::reverse(x.begin(), x.end());
                                       return in_turn(x);
                                     }),
                                     64);
  CHECK_MESSAGE(in_part.verdict == ProbeVerdict::data_dependent, in_part.reason);
  CHECK(in_part.replayed == 0);
  const ProbedOrder unknown_sort = probed(float_box([](std::vector<float> x) {
                                            std::sort(x.begin(), x.end());
                                            float sum = 0;
                                            for (std::size_t i = 0; i < x.size(); i += 2)
                                              sum += i + 1 < x.size() ? x[i] + x[i + 1] : x[i];
                                            return sum;
                                          }),
                                          64);
  CHECK(unknown_sort.verdict == ProbeVerdict::data_dependent);
  CHECK(mentions(unknown_sort.reason, "permuted"));
}

TEST_CASE("the order of positive and negative terms") {
  const ProbedOrder found = probed(float_box([](std::vector<float> x) {
                                     std::stable_partition(x.begin(), x.end(), [](float term) { return term > 0; });
                                     return in_turn(x);
                                   }),
                                   64);
  CHECK(found.verdict == ProbeVerdict::data_dependent);
  CHECK(mentions(found.reason, "positive terms are added in the order seq"));
}

TEST_CASE("several precisions: an order that rounds between stages has the tree and the bits") {
  const ProbedOrder found = probed(float_box([](const std::vector<float>& x) {
                                     float sum = 0;
                                     for (std::size_t i = 0; i < x.size(); i += 8) {
                                       double part = 0;
                                       for (std::size_t k = i; k < std::min(i + 8, x.size()); ++k) part += x[k];
                                       sum += static_cast<float>(part);
                                     }
                                     return sum;
                                   }),
                                   64);
  CHECK(found.verdict == ProbeVerdict::named);
  CHECK(mentions(found.reason, "several formats"));
  REQUIRE_FALSE(found.orders.empty());
  CHECK(mentions(found.orders.front().text, "seq(8) | round(fp32)"));
  REQUIRE(found.tree.has_value());
}

TEST_CASE("several precisions: the tree is known, the bits are not checked") {
  const ProbedOrder found = probed(float_box([](const std::vector<float>& x) {
                                     float sum = 0;
                                     for (std::size_t i = 0; i < x.size(); i += 8) {
                                       double part = 0;
                                       for (std::size_t k = i; k < std::min(i + 8, x.size()); ++k) part += x[k];
                                       const auto cut = std::bit_cast<std::uint32_t>(static_cast<float>(part));
                                       sum += std::bit_cast<float>(cut & 0xfffff000U);  // to no format known here
                                     }
                                     return sum;
                                   }),
                                   64);
  CHECK(found.verdict == ProbeVerdict::revealed);
  CHECK(mentions(found.reason, "several precisions"));
  CHECK(mentions(found.reason, "seq(8) | seq"));
  REQUIRE(found.tree.has_value());
  CHECK(TreeShape::of(*found.tree) == shape_of_order("seq(8) | seq", 64));
}

TEST_CASE("additions with more bits than any format has are replayed with as many") {
  constexpr int kBits = std::numeric_limits<long double>::digits;
  if (kBits <= info(Format::fp64).precision) return;  // long double is double here
  for (const Format format : {Format::fp32, Format::fp64}) {
    const BoxMaker maker = function_box("long double", [](const TermView& terms) {
      long double sum = 0;
      for (std::size_t i = 0; i < terms.n; ++i) sum += terms.left(i);
      return terms.format == Format::fp32 ? static_cast<double>(static_cast<float>(sum)) : static_cast<double>(sum);
    });
    const ProbedOrder found = probed(maker, 64, format);
    CHECK(found.verdict == ProbeVerdict::revealed);
    CHECK(found.accumulator->narrowest == kBits);
    CHECK(found.replayed == kReplayedInputs);
    CHECK(mentions(found.reason, "its tree is that of seq"));
    REQUIRE(found.tree.has_value());
    CHECK(TreeShape::of(*found.tree) == shape_of_order("seq", 64));
  }
  const ProbedOrder kahan = probed(function_box("Kahan's sum",
                                                [](const TermView& terms) {
                                                  long double sum = 0;
                                                  long double lost = 0;
                                                  for (std::size_t i = 0; i < terms.n; ++i) {
                                                    const long double term = terms.left(i) - lost;
                                                    const long double total = sum + term;
                                                    lost = (total - sum) - term;
                                                    sum = total;
                                                  }
                                                  return static_cast<double>(sum);
                                                }),
                                   64, Format::fp64);
  CHECK(kahan.verdict == ProbeVerdict::revealed);
  CHECK(kahan.replayed == 0);
  CHECK(mentions(kahan.reason, "other bits"));
}

TEST_CASE("compensation beyond Neumaier's has not its bits") {
  const auto klein = [](const std::vector<float>& x) {  // second order
    float sum = 0;
    float first = 0;
    float second = 0;
    const auto add = [](float& to, float term) {
      const float total = to + term;
      const float lost = std::fabs(to) >= std::fabs(term) ? (to - total) + term : (term - total) + to;
      to = total;
      return lost;
    };
    for (const float term : x) second += add(first, add(sum, term));
    return sum + (first + second);
  };
  const ProbedOrder found = probed(float_box(klein), 64);
  CHECK(found.verdict == ProbeVerdict::compensated);
  CHECK(found.orders.empty());
  const ProbedOrder neumaier = probed(order_box("seq(acc=neumaier)"), 64);
  for (const WrittenOrder& order : neumaier.orders) CHECK_FALSE(mentions(order.text, "reverse"));
}

TEST_CASE("two products added in double are no fused sum") {
  const BoxMaker box = function_box(
      "dsdot",
      [](const TermView& terms) {
        double sum = 0;
        for (std::size_t i = 0; i < terms.n; ++i) sum += terms.left(i) * terms.right(i);
        return static_cast<double>(static_cast<float>(sum));
      },
      true);
  const ProbedOrder found = probed(box, 2);
  for (const WrittenOrder& order : found.orders) CHECK_FALSE(mentions(order.text, "fma"));
  check_named(probed(box, 64), "seq(from=zero)");
}

TEST_CASE("functions that are no sums") {
  const auto verdict = [](std::function<float(std::vector<float>)> sum, std::size_t n) {
    return probed(float_box(std::move(sum)), n);
  };
  CHECK(verdict([](std::vector<float> x) { return in_turn(x) / static_cast<float>(x.size()); }, 64).verdict ==
        ProbeVerdict::not_a_sum);
  CHECK(verdict([](std::vector<float> x) { return *std::max_element(x.begin(), x.end()); }, 64).verdict ==
        ProbeVerdict::not_a_sum);
  CHECK(verdict([](std::vector<float>) { return 1.0f; }, 64).verdict == ProbeVerdict::not_a_sum);
  CHECK(verdict([](std::vector<float>) { return std::numeric_limits<float>::quiet_NaN(); }, 3).verdict ==
        ProbeVerdict::not_a_sum);
  for (const std::size_t missing : {std::size_t{0}, std::size_t{700}, std::size_t{999}}) {
    const ProbedOrder found = verdict(
        [missing](std::vector<float> x) {
          x.erase(x.begin() + static_cast<std::ptrdiff_t>(missing));
          return in_turn(x);
        },
        1000);
    CHECK(found.verdict == ProbeVerdict::not_a_sum);
    if (!mentions(found.reason, "whole numbers"))  // which have it or not
      CHECK(found.reason == "term " + std::to_string(missing) + " is left out");
  }
}

TEST_CASE("large terms that overflow inside the box") {
  const ProbedOrder found = probed(float_box([](std::vector<float> x) {
                                     for (float& term : x) term *= 4;
                                     return in_turn(x) / 4;
                                   }),
                                   64);
  check_named(found, "seq(from=zero)");
  CHECK(found.certified);
}

TEST_CASE("units of fp16 that become zero") {
  const ProbedOrder found = probed(function_box("flushes",
                                                [](const TermView& terms) {
                                                  Half sum{};
                                                  for (std::size_t i = 0; i < terms.n; ++i)
                                                    if (!(std::fabs(terms.left(i)) < 0x1p-14))
                                                      sum = sum + Half(terms.left(i));
                                                  return static_cast<double>(sum);
                                                }),
                                   64, Format::fp16);
  check_named(found, "seq(from=zero)");
  CHECK(found.accumulator->flushes);
}

TEST_CASE("fp16 terms in an accumulator that their masks do not reach") {
  const ProbedOrder found = probed(order_box("seq", false, Format::fp64), 64, Format::fp16);
  CHECK(found.verdict == ProbeVerdict::compensated);  // no fp16 term is lost beside another
  CHECK(found.orders.empty());
  CHECK(mentions(found.reason, "cannot tell"));
}

TEST_CASE("the sign of a sum of negative zeros tells where a sum starts") {
  check_named(probed(order_box("seq"), 10), "seq");
  check_named(probed(order_box("seq(from=zero)"), 10), "seq(from=zero)");
  const ProbedOrder lanes = probed(order_box("strided(4,from=zero) | halving(4)"), 32);
  check_named(lanes, "strided(4,from=zero) | halving(4)");
}

TEST_CASE("answers with as many digits as their format needs, and fewer") {
  const ProbedOrder found = probed(text_box(9), 64);
  check_named(found, "seq(from=zero)");
  CHECK(to_string(found.formats) == "fp32");
  for (const int digits : {6, 7}) {  // too few for any verdict; too few to tell whether bits differ
    CAPTURE(digits);
    CHECK_THROWS_AS(probe_setting(text_box(digits), {.n = 64}), Error);
  }
}

TEST_CASE("one term and two") {
  CHECK(probed(order_box("seq"), 1).verdict == ProbeVerdict::named);
  check_named(probed(order_box("seq"), 2), "seq");
  CHECK(probed(float_box([](std::vector<float>) { return 0.0f; }), 1).verdict == ProbeVerdict::not_a_sum);
}

TEST_CASE("an expected order") {
  const auto as_expected = [](const std::string& box, const std::string& order) {
    ProbeOptions options;
    options.expected = {order, parse_order(order)};
    return *probe_setting(order_box(box), {.n = 64}, options);
  };
  CHECK(as_expected("numpy", "numpy").as_expected == true);
  const ProbedOrder other = as_expected("numpy", "pairwise");
  CHECK(other.as_expected == false);
  REQUIRE(other.differs.has_value());
  const auto i = static_cast<TreeShape::Node>(other.differs->i);
  const auto j = static_cast<TreeShape::Node>(other.differs->j);
  CHECK(shape_of_order("pairwise", 64).smallest_subtree(i, j) == other.differs->expected);
  CHECK(shape_of_order("numpy", 64).smallest_subtree(i, j) == other.differs->found);
  const ProbedOrder kahan = as_expected("seq", "seq(acc=kahan)");  // the same tree
  CHECK(kahan.as_expected == false);
  CHECK_FALSE(kahan.differs.has_value());
  CHECK(as_expected("chunks(3) | shuffle | seq", "chunks(3) | arrive | seq").as_expected == true);
  CHECK(as_expected("chunks(3) | shuffle | seq", "chunks(4) | arrive | seq").as_expected == false);
  CHECK(as_expected("seq", "chunks(3) | arrive | seq").as_expected == false);
  CHECK(as_expected("chunks(2) | seq", "chunks(2) | arrive | seq").as_expected == true);  // two: a + b is b + a
  const ProbedOrder fixed = as_expected("chunks(2) | seq", "chunks(2) | shuffle | seq");
  CHECK(fixed.as_expected == true);
  for (const WrittenOrder& order : fixed.orders) CHECK_FALSE(order.order.random());
}

TEST_CASE("a probe can be stopped") {
  std::stop_source stop;
  int calls = 0;
  const BoxMaker maker = function_box("stops", [&](const TermView& terms) {
    if (++calls == 50) stop.request_stop();
    double sum = 0;
    for (std::size_t i = 0; i < terms.n; ++i) sum += terms.left(i);
    return sum;
  });
  CHECK_FALSE(probe_setting(maker, {.n = 64, .format = Format::fp64}, {}, {.stop = stop.get_token()}).has_value());
  CHECK(calls == 50);
}

TEST_CASE("numbers of terms that cannot be probed") {
  CHECK_THROWS_AS(probe_setting(order_box("seq"), {.n = 0}), Error);
  CHECK_THROWS_AS(probe_setting(order_box("seq"), {.n = (std::size_t{1} << 24) + 1}), Error);
}
