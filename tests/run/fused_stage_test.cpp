// The stage `fused`: its sums, trees, heights and bounds, and what it refuses.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;

namespace {

constexpr Formats kHalfProducts{Format::fp16, Format::fp32, Format::fp32};

Terms products_of(Format format, std::size_t n, std::uint64_t seed) {
  Terms terms = generate_terms("normal(0,1)", n, format, seed);
  terms.multiply_by(generate_terms("uniform(-2,2)", n, format, seed + 1));
  return terms;
}

std::vector<Factors> factors_of(const Terms& terms, std::size_t begin, std::size_t end) {
  std::vector<Factors> factors;
  for (std::size_t i = begin; i < std::min(end, terms.size()); ++i)
    factors.push_back({terms.view().left(i), terms.view().right(i)});
  return factors;
}

Evaluation evaluated(const std::string& order, const Terms& terms, const Formats& formats, std::uint64_t sample = 0) {
  const auto evaluator = Evaluator::make(parse_order(order), terms.view(), formats, 7);
  return evaluator->evaluate(sample, *evaluator->make_scratch());
}

std::string refusal_of(const std::string& order, const Formats& formats) {
  try {
    (void)compile(parse_order(order), 40, formats, true);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// A unit's formats of sums, with its terms.
std::vector<Formats> formats_of(const FusedUnit& unit) {
  std::vector<Formats> all;
  for (const Format sums : {Format::fp32, Format::fp16, Format::fp64})
    if (unit.built() && unit.rounding(sums) != FusedRounding::none) all.push_back({unit.terms, sums, sums});
  return all;
}

}  // namespace

TEST_CASE("a stage of every unit gives the unit's sum, as its tree does, within its bound") {
  for (const FusedUnit& unit : fused_units())
    for (const Formats& formats : formats_of(unit))
      for (const std::size_t n : {1u, 2u, 7u, 16u, 33u, 100u}) {
        CAPTURE(unit.name);
        CAPTURE(n);
        const Terms terms = products_of(formats.terms, n, 40 + n);
        const std::string order = "fused(" + std::string(unit.name) + ")";
        const Evaluation found = evaluated(order, terms, formats);
        CHECK(found.value == fused_sum(unit, formats.accumulate, factors_of(terms, 0, n)).sum);
        CHECK(found.height == unit.height(n));
        const auto evaluator = Evaluator::make(parse_order(order), terms.view(), formats, 7);
        const SummationTree tree = evaluator->tree(0);
        CHECK(tree.height() == found.height);
        CHECK(tree.operation(tree.roots()[0]) == Operation::fused);
        CHECK(tree.unit(tree.roots()[0])->name == unit.name);
        CHECK(evaluate(tree, terms.view()).back() == found.value);
        CHECK(std::fabs(exact_sum(terms.view()).difference(found.value)) <= found.error.extra);
        CHECK(found.error.bounded);
        CHECK(!found.error.random_model);
      }
}

TEST_CASE("with run= a unit starts from zero every so many products, and what follows adds the pieces") {
  const Terms terms = products_of(Format::fp16, 1000, 3);
  const FusedUnit& unit = *find_fused_unit("h100_fp16");
  float sum = 0;
  for (std::size_t begin = 0; begin < 1000; begin += 128)
    sum += static_cast<float>(fused_sum(unit, Format::fp32, factors_of(terms, begin, begin + 128)).sum);
  CHECK(evaluated("fused(h100_fp16,run=128) | seq(from=zero)", terms, kHalfProducts).value == sum);
  CHECK(evaluated("fused(h100_fp16,run=1000)", terms, kHalfProducts).bits ==
        evaluated("fused(h100_fp16)", terms, kHalfProducts).bits);
}

TEST_CASE("the explicit form is the unit of its parameters, and an alias the unit that it stands for") {
  const Terms terms = products_of(Format::fp16, 500, 5);
  const std::uint64_t h100 = evaluated("fused(h100_fp16)", terms, kHalfProducts).bits;
  CHECK(evaluated("fused(16,F=25)", terms, kHalfProducts).bits == h100);
  CHECK(evaluated("fused(16,F=25,round=rz,terms=fp16)", terms, kHalfProducts).bits == h100);
  CHECK(evaluated("fused(h200_fp16)", terms, kHalfProducts).bits == h100);
  CHECK(evaluated("fused(16,F=13)", terms, kHalfProducts).bits != h100);
  CHECK(evaluated("fused(8,F=25)", terms, kHalfProducts).bits != h100);
  CHECK(evaluated("fused(16,F=25,round=rne)", terms, kHalfProducts).bits != h100);
  const Terms eight = products_of(Format::e4m3, 500, 6);
  const Formats formats{Format::e4m3, Format::fp32, Format::fp32};
  CHECK(evaluated("fused(32,F=13,round=e8m13,terms=e4m3)", eight, formats).bits ==
        evaluated("fused(h100_e4m3_wgmma)", eight, formats).bits);
  CHECK(parse_order("fused( 16 ,F=25, run=64 ) | seq").expression() == "fused(16,F=25,run=64) | seq");
}

TEST_CASE("products of narrower terms than the unit's are added as they are") {
  const Terms eight = products_of(Format::e4m3, 100, 8);
  Terms half(Format::fp16, 100);
  Terms others(Format::fp16, 100);
  for (std::size_t i = 0; i < 100; ++i) {
    half.set(i, eight.view().left(i));
    others.set(i, eight.view().right(i));
  }
  half.multiply_by(others);
  CHECK(evaluated("fused(a100_fp16)", eight, {Format::e4m3, Format::fp32, Format::fp32}).bits ==
        evaluated("fused(a100_fp16)", half, kHalfProducts).bits);
}

TEST_CASE("units go with stages before and after them, in parts and in rows") {
  const Terms terms = products_of(Format::fp16, 300, 9);
  const FusedUnit& unit = *find_fused_unit("v100_fp16");
  float sum = 0;
  for (std::size_t begin = 0; begin < 300; begin += 75)
    sum += static_cast<float>(fused_sum(unit, Format::fp32, factors_of(terms, begin, begin + 75)).sum);
  CHECK(evaluated("chunks(4,each=fused(v100_fp16)) | seq(from=zero)", terms, kHalfProducts).value == sum);
  std::vector<Factors> reversed = factors_of(terms, 0, 300);
  std::reverse(reversed.begin(), reversed.end());
  CHECK(evaluated("reverse | fused(v100_fp16)", terms, kHalfProducts).value ==
        fused_sum(unit, Format::fp32, reversed).sum);
  for (const char* order : {"shuffle | fused(v100_fp16)", "fused(v100_fp16,run=16) | arrive | seq(acc=atomic)",
                            "fused(v100_fp16,run=32) | round(bf16) | in(fp32) | shuffle | seq"}) {
    CAPTURE(order);
    const auto evaluator = Evaluator::make(parse_order(order), terms.view(), kHalfProducts, 7);
    const auto scratch = evaluator->make_scratch();
    std::vector<Evaluation> together(5);
    evaluator->evaluate_all(0, together, *scratch);
    for (std::uint64_t sample = 0; sample < 5; ++sample) {
      const Evaluation one = evaluator->evaluate(sample, *scratch);
      CHECK(one.bits == together[sample].bits);
      CHECK(evaluate(evaluator->tree(sample), terms.view()).back() == one.value);
      CHECK(evaluator->tree(sample).height() == one.height);
      CHECK(sum_of(evaluator->plan(), terms.view(), 7, sample) == one.value);
    }
  }
}

TEST_CASE("a unit says which formats it takes, and the stage what it lacks") {
  CHECK(refusal_of("fused(h100_fp16)", {Format::fp32, Format::fp32, Format::fp32}) ==
        "order fused(h100_fp16): h100_fp16 multiplies numbers of fp16, and the terms are fp32; write --format "
        "fp16:fp32");
  CHECK(refusal_of("fused(h100_bf16)", {Format::bf16, Format::fp16, Format::fp16}) ==
        "order fused(h100_bf16): h100_bf16 keeps no sums in fp16; write --format bf16:fp32");
  CHECK(refusal_of("chunks(2,each=fused(h100_fp16)) | seq", {Format::bf16, Format::fp32, Format::fp32}) ==
        "order chunks(2,each=fused(h100_fp16)) | seq: h100_fp16 multiplies numbers of fp16, and the terms are bf16; "
        "write --format fp16:fp32");
  CHECK(refusal_of("fused(b200_nvf4)", kHalfProducts) ==
        "order 'fused(b200_nvf4)': position 1: fused: b200_nvf4 is known but not built, as it adds blocks of e2m1; see "
        "`orderlab list units` for those that are");
  CHECK(refusal_of("fused(16)", kHalfProducts) ==
        "order 'fused(16)': position 1: fused: a unit of 16 products needs F=, the fraction bits that it keeps, such "
        "as fused(16,F=25)");
  CHECK(refusal_of("fused(h100_fp16,F=25)", kHalfProducts) ==
        "order 'fused(h100_fp16,F=25)': position 1: fused: h100_fp16 has a F of its own; leave it out, or give the "
        "products of a step in place of a name");
  CHECK(refusal_of("seq(4) | fused(h100_fp16)", kHalfProducts) ==
        "order seq(4) | fused(h100_fp16): `fused` stands after another reducing stage, where no products are left; "
        "move it to the first one");
  CHECK_THROWS_WITH_AS((void)compile(parse_order("fused(h100_fp16)"), 40, kHalfProducts),
                       "order fused(h100_fp16): `fused` needs terms that are products; add --with FILE", Error);
  CHECK(refusal_of("fused(h100_fp17)", kHalfProducts).find("did you mean h100_fp16?") != std::string::npos);
}
