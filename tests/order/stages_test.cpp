// Each stage on a few terms, its summation tree worked out by hand from design.md.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "order/pipelines.hpp"
#include "order/trouble.hpp"
#include "vectors/permutation.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::string shape(std::string_view order, const TypedTerms& terms, const Formats& formats = {},
                  std::uint64_t sample = 0) {
  return text_of(Evaluator::make(parse_order(order), terms.view(), formats, 1)->tree(sample));
}

/// The tree of n terms 1, 2, 3, ..., n.
std::string shape(std::string_view order, std::size_t n, std::uint64_t sample = 0) {
  std::vector<double> x(n);
  std::iota(x.begin(), x.end(), 1.0);
  return shape(order, TypedTerms(Format::fp64, x), {}, sample);
}

/// The leaves that `node` adds up, if they are consecutive, as "first..last".
std::string leaf_range(const SummationTree& tree, SummationTree::Node node) {
  std::set<SummationTree::Node> leaves;
  std::vector<SummationTree::Node> open{node};
  while (!open.empty()) {
    const auto next = open.back();
    open.pop_back();
    if (tree.leaf(next)) leaves.insert(next);
    for (const auto child : tree.children(next)) open.push_back(child);
  }
  if (*leaves.rbegin() - *leaves.begin() + 1 != leaves.size()) return "not consecutive";
  return std::to_string(*leaves.begin()) + ".." + std::to_string(*leaves.rbegin());
}

}  // namespace

TEST_CASE("seq adds left to right, everything or each run") {
  CHECK(shape("seq", 1) == "0");
  CHECK(shape("seq", 4) == "(((0+1)+2)+3)");
  CHECK(shape("seq(3) | seq", 8) == "((((0+1)+2)+((3+4)+5))+(6+7))");
  CHECK(shape("seq(1) | seq", 3) == "((0+1)+2)");
  CHECK(shape("seq(9)", 3) == "((0+1)+2)");
}

TEST_CASE("from=zero puts +0.0 before the first of every group, from=first does not") {
  CHECK(shape("seq(from=first)", 2) == "(0+1)");
  CHECK(shape("seq(2,from=zero) | seq", 3) == "((0+0+1)+0+2)");
  CHECK(shape("strided(2,from=zero) | seq(from=zero)", 3) == "(0+(0+0+2)+0+1)");
  CHECK(shape("pairwise(2,from=zero)", 3) == "((0+0+1)+0+2)");
  CHECK(shape("chunks(2,from=zero) | seq", 3) == "((0+0+1)+0+2)");
}

TEST_CASE("chunks are as equal as possible, the first ones one longer") {
  CHECK(shape("chunks(3) | seq", 8) == "((((0+1)+2)+((3+4)+5))+(6+7))");
  CHECK(shape("chunks(3) | seq", 7) == "((((0+1)+2)+(3+4))+(5+6))");
  CHECK(shape("chunks(5) | seq", 3) == "((0+1)+2)");
  CHECK(shape("chunks(1)", 3) == "((0+1)+2)");
}

TEST_CASE("group j of strided takes j, j+w, j+2w, ...") {
  CHECK(shape("strided(3) | seq", 8) == "((((0+3)+6)+((1+4)+7))+(2+5))");
  CHECK(shape("strided(9) | seq", 3) == "((0+1)+2)");
}

TEST_CASE("a thread of a tile starts from +0.0 and takes items a block apart") {
  CHECK(shape("tile(2,2) | halving(2) | seq", 8) == "(((0+0+2)+(0+1+3))+((0+4+6)+(0+5+7)))");
  CHECK(shape("tile(1,3) | seq", 4) == "(((0+0+1)+2)+0+3)");
}

TEST_CASE("a tile with a grid strides on while in range, item by item") {
  CHECK(shape("tile(2,2,1) | seq", 8) == "((((0+0+2)+4)+6)+(((0+1+3)+5)+7))");
  CHECK(shape("tile(2,2,2) | halving(2) | seq", 11) == "(((((0+0+2)+8)+10)+((0+1+3)+9))+((0+4+6)+(0+5+7)))");
}

TEST_CASE("threads of a tile that have no term are absent, and so are thread blocks") {
  const char* const expected = "(((0+0+4)+(0+2+6))+((0+1+5)+(0+3+7)))";
  CHECK(shape("tile(4,2) | halving(4) | seq", 8) == expected);
  CHECK(shape("tile(4,2) | halving(4) | seq", 10) == "(" + std::string(expected) + "+(0+8+0+9))");
  CHECK(shape("tile(4,2,9) | halving(4) | seq", 10) == shape("tile(4,2) | halving(4) | seq", 10));
  CHECK(shape("tile(64,2) | halving(64) | seq", 1) == "0+0");
}

TEST_CASE("a warp tree adds the far partner first") {
  CHECK(shape("halving(4) | seq", 4) == "((0+2)+(1+3))");
  CHECK(shape("halving(8)", 8) == "(((0+4)+(2+6))+((1+5)+(3+7)))");
  CHECK(shape("halving(2) | halving(2)", 4) == "((0+1)+(2+3))");
  CHECK(shape("halving(1) | seq", 3) == "((0+1)+2)");
}

TEST_CASE("a warp tree skips absent lanes") {
  CHECK(shape("halving(4)", 3) == "((0+2)+1)");
  CHECK(shape("halving(4)", 2) == "(0+1)");
  CHECK(shape("halving(4)", 1) == "0");
  CHECK(shape("halving(8)", 5) == "(((0+4)+2)+(1+3))");
  CHECK(shape("halving(4) | seq", 5) == "(((0+2)+(1+3))+4)");
  CHECK(shape("halving(2^40)", 3) == "((0+2)+1)");
}

TEST_CASE("adjacent adds neighbours first") {
  CHECK(shape("adjacent(4)", 4) == "((0+1)+(2+3))");
  CHECK(shape("adjacent(3)", 3) == "((0+1)+2)");
  CHECK(shape("adjacent(5)", 5) == "(((0+1)+(2+3))+4)");
  CHECK(shape("adjacent(6)", 6) == "(((0+1)+(2+3))+(4+5))");
  CHECK(shape("adjacent(8)", 7) == "(((0+1)+(2+3))+((4+5)+6))");
  CHECK(shape("adjacent(3) | seq", 5) == "(((0+1)+2)+(3+4))");
}

TEST_CASE("pairwise gives the left half the odd one and adds ranges of at most base left to right") {
  CHECK(shape("pairwise", 5) == "(((0+1)+2)+(3+4))");
  CHECK(shape("pairwise", 7) == "(((0+1)+(2+3))+((4+5)+6))");
  CHECK(shape("pairwise(3)", 7) == "(((0+1)+(2+3))+((4+5)+6))");
  CHECK(shape("pairwise(4)", 7) == "((((0+1)+2)+3)+((4+5)+6))");
  CHECK(shape("pairwise(100)", 3) == "((0+1)+2)");
}

TEST_CASE("numpy adds fewer than 8 terms in turn and others in 8 lanes, the rest after them") {
  CHECK(shape("numpy", 1) == "0+0");
  CHECK(shape("numpy", 7) == "0+((((((0+1)+2)+3)+4)+5)+6)");
  CHECK(shape("numpy", 8) == "0+(((0+1)+(2+3))+((4+5)+(6+7)))");
  CHECK(shape("numpy", 17) == "0+(((((0+8)+(1+9))+((2+10)+(3+11)))+(((4+12)+(5+13))+((6+14)+(7+15))))+16)");
}

TEST_CASE("numpy splits more than 128 terms, the left half rounded down to a multiple of 8") {
  struct Case {
    std::size_t n;
    const char* left;
    const char* right;
  };
  for (const auto& [n, left, right] :
       {Case{129, "0..63", "64..128"}, Case{136, "0..63", "64..135"}, Case{200, "0..95", "96..199"},
        Case{1025, "0..511", "512..1024"}, Case{8192, "0..4095", "4096..8191"}}) {
    CAPTURE(n);
    const std::vector<double> ones(n, 1);
    const SummationTree tree = Evaluator::make(parse_order("numpy"), view_of(ones.data(), n), {}, 1)->tree(0);
    const auto start = tree.roots()[0];
    CHECK(tree.operation(start) == Operation::start);
    const auto sum = tree.children(tree.children(start)[0]);
    CHECK(leaf_range(tree, sum[0]) == left);
    CHECK(leaf_range(tree, sum[1]) == right);
  }
}

TEST_CASE("numpy adds the sums of runs of 8192 left to right") {
  const std::vector<double> ones(16385, 1);
  const SummationTree tree = Evaluator::make(parse_order("numpy"), view_of(ones.data(), ones.size()), {}, 1)->tree(0);
  const auto last = tree.children(tree.roots()[0]);
  CHECK(last[1] == 16384);
  const auto first = tree.children(last[0]);
  CHECK(leaf_range(tree, first[1]) == "8192..16383");
  CHECK(tree.operation(first[0]) == Operation::start);
  CHECK(leaf_range(tree, first[0]) == "0..8191");
}

TEST_CASE("numpy adds 16-bit terms in fp32 and rounds once a run") {
  const std::vector<double> ones(8193, 1);
  for (const Format format : {Format::fp16, Format::bf16}) {
    const TypedTerms terms(format, ones);
    const Formats formats{format, format, format};
    const auto evaluator = Evaluator::make(parse_order("numpy"), terms.view(), formats, 1);
    const SummationTree tree = evaluator->tree(0);
    const auto root = tree.roots()[0];
    CHECK(tree.operation(root) == Operation::round);
    CHECK(tree.format(root) == format);
    const auto sum = tree.children(root)[0];
    CHECK(tree.operation(sum) == Operation::add);
    CHECK(tree.format(sum) == Format::fp32);
    CHECK(tree.children(sum)[1] == 8192);
    const auto first_run = tree.children(sum)[0];
    CHECK(tree.operation(first_run) == Operation::round);
    CHECK(tree.format(first_run) == format);
    CHECK(shape("numpy", TypedTerms(format, {1, 2}), formats) == "r(0+(0+1))");
    // 8192 is a number of both; fp32 adds 1 exactly, and the rounding of the run takes it off again.
    CHECK(evaluate_once(*evaluator).bits == round_to_bits(format, 8192));
    CHECK(sum_bits_of("seq", terms.view(), formats) == round_to_bits(format, format == Format::fp16 ? 2048 : 256));
  }
}

TEST_CASE("reverse goes from last to first") { CHECK(shape("reverse | seq", 4) == "(((3+2)+1)+0)"); }

TEST_CASE("sorts are stable, by value or magnitude, NaN last") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const TypedTerms terms(Format::fp64, {2, -3, 0.0, -3, nan, -0.0, 3});
  CHECK(shape("sort(asc) | seq", terms) == "((((((1+3)+2)+5)+0)+6)+4)");
  CHECK(shape("sort(desc) | seq", terms) == "((((((6+0)+2)+5)+1)+3)+4)");
  CHECK(shape("sort(abs_asc) | seq", terms) == "((((((2+5)+0)+1)+3)+6)+4)");
  CHECK(shape("sort(abs_desc) | seq", terms) == "((((((1+3)+6)+0)+2)+5)+4)");
}

TEST_CASE("a sort of many equal magnitudes leaves them as they are") {
  std::vector<double> x(200);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 3 == 0 ? -1 : 1;
  const TypedTerms terms(Format::fp64, x);
  for (const std::string key : {"abs_asc", "abs_desc"})
    CHECK(shape("sort(" + key + ") | seq", terms) == shape("seq", terms));
}

TEST_CASE("a product is sorted by its value in the accumulate format") {
  const TypedTerms terms(Format::fp32, {3, 1, -2}, {-1, 4, -1});  // -3, 4, 2
  const Formats formats{Format::fp32, Format::fp32, Format::fp32};
  CHECK(shape("sort(asc) | seq", terms, formats) == "((r(0)+r(2))+r(1))");
  CHECK(shape("sort(abs_desc) | seq(acc=fma)", terms, formats) == "fma[r(1),0,2]");
}

TEST_CASE("perm replays the permutation of a file") {
  const TemporaryFile row("# launch indices\n1 2 0\n");
  const TemporaryFile lines("2\n0\n1\n");
  CHECK(shape("perm('" + row.path() + "') | seq", 3) == "((1+2)+0)");
  CHECK(shape("perm('" + lines.path() + "') | seq", 3) == "((2+0)+1)");
  CHECK(shape("seq(2) | perm('" + lines.path() + "') | seq", 6) == "(((4+5)+(0+1))+(2+3))");
}

TEST_CASE("the accumulators are nodes of their own") {
  CHECK(shape("seq(acc=kahan)", 3) == "kahan[0,1,2]");
  CHECK(shape("seq(2,acc=neumaier) | seq(acc=neumaier)", 3) == "neumaier[neumaier[0,1],neumaier[2]]");
  CHECK(shape("seq(acc=atomic)", 3) == "((0~0~1)~2)");
  CHECK(shape("tile(2,2,acc=kahan) | seq", 5) == "((kahan[0,2]+kahan[1,3])+kahan[4])");
  const TypedTerms products(Format::fp64, {1, 2, 3}, {1, 2, 3});
  CHECK(shape("seq(acc=fma)", products) == "fma[r(0),1,2]");  // the first is rounded, the others are fused
  CHECK(shape("seq(acc=fma,from=zero)", products) == "fma[0,1,2]");
  CHECK(shape("tile(1,2,acc=fma) | seq", products) == "(fma[0,1]+fma[2])");
}

TEST_CASE("terms and products are rounded to the accumulate format before the first addition") {
  CHECK(shape("seq", TypedTerms(Format::fp64, {1, 2}, {1, 2})) == "(r(0)+r(1))");
  CHECK(shape("seq", TypedTerms(Format::fp16, {1, 2}), parse_formats("fp16:fp32")) == "(r(0)+r(1))");
  CHECK(shape("seq", TypedTerms(Format::fp16, {1, 2}), parse_formats("fp16:fp32:fp16")) == "r((r(0)+r(1)))");
}

TEST_CASE("shuffle and arrive with the uniform model draw the published permutation") {
  std::vector<int> order(8);
  std::iota(order.begin(), order.end(), 0);
  shuffle_values(std::span(order), RandomStream(1, streams::kFirstStage, 0));
  std::string expected = std::to_string(order[0]);
  for (std::size_t i = 1; i < order.size(); ++i) expected = "(" + expected + "+" + std::to_string(order[i]) + ")";
  CHECK(shape("shuffle | seq", 8) == expected);
  CHECK(shape("reverse | reverse | shuffle | seq", 8) == expected);  // fixed stages take no stream
  CHECK(shape("arrive(launch) | shuffle | seq", 8) == expected);
  CHECK(shape("shuffle | seq", 8, 1) != expected);
}

TEST_CASE("the second random stage takes the next stream") {
  std::vector<int> order(8);
  std::iota(order.begin(), order.end(), 0);
  shuffle_values(std::span(order), RandomStream(1, streams::kFirstStage, 3));
  shuffle_values(std::span(order), RandomStream(1, streams::kFirstStage + 1, 3));
  std::string expected = std::to_string(order[0]);
  for (std::size_t i = 1; i < order.size(); ++i) expected = "(" + expected + "+" + std::to_string(order[i]) + ")";
  CHECK(shape("shuffle | shuffle | seq", 8, 3) == expected);
}

TEST_CASE("the first random tree of 8 with seed 1 is the one of kBitsVersion 4") {
  // Computed by a Remy in Python from [Remy1985]. Where it changes, kBitsVersion has to.
  REQUIRE(kBitsVersion == 5);
  CHECK(shape("tree", 8) == "(0+((1+(2+3))+(4+((5+6)+7))))");
}

TEST_CASE("tree keeps the order of the leaves and draws every plane tree") {
  std::set<std::string> shapes;
  for (std::uint64_t sample = 0; sample < 400; ++sample) shapes.insert(shape("tree", 4, sample));
  const std::set<std::string> catalan{"(((0+1)+2)+3)", "((0+(1+2))+3)", "((0+1)+(2+3))", "(0+((1+2)+3))",
                                      "(0+(1+(2+3)))"};
  CHECK(shapes == catalan);
  CHECK(shape("tree", 1) == "0");
  CHECK(shape("tree", 2) == "(0+1)");
}
