#include "reference/wide_sum.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <vector>

#include "orderlab/terms.hpp"

using namespace orderlab;

namespace {

SummationTree in_turn(std::uint64_t n) {
  SummationTree tree(n);
  SummationTree::Node sum = 0;
  for (SummationTree::Node i = 1; i < n; ++i) sum = tree.add(Operation::add, Format::fp64, std::array{sum, i});
  tree.set_roots({sum});
  return tree;
}

}  // namespace

TEST_CASE("additions with the precision of fp64 are fp64's") {
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{33}, std::uint64_t{500}}) {
    const Terms terms = generate_terms("normal(0,1)", n, Format::fp64, 1);
    const SummationTree tree = in_turn(n);
    const double sum = evaluate(tree, terms.view())[tree.roots()[0]];
    CHECK(round_to_bits(Format::fp64, wide_sum(tree, terms.view(), 53, Format::fp64)) ==
          round_to_bits(Format::fp64, sum));
  }
}

TEST_CASE("additions of long double") {
  const Terms terms = generate_terms("normal(0,1)", 1000, Format::fp64, 2);
  long double sum = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) sum += terms.view().left(i);
  CHECK(round_to_bits(Format::fp64, wide_sum(in_turn(1000), terms.view(), std::numeric_limits<long double>::digits,
                                             Format::fp64)) == round_to_bits(Format::fp64, static_cast<double>(sum)));
}

TEST_CASE("two roundings of a product and a sum") {
  // With 3 bits: 1.25 * 1.25 = 1.5625 becomes 1.5; 4 + 1.5 = 5.5 becomes 6, a tie to even.
  Terms x(Format::fp64, 2);
  Terms y(Format::fp64, 2);
  x.set(0, 4);
  y.set(0, 1);
  x.set(1, 1.25);
  y.set(1, 1.25);
  x.multiply_by(std::move(y));
  CHECK(round_to_bits(Format::fp64, wide_sum(in_turn(2), x.view(), 3, Format::fp64)) ==
        round_to_bits(Format::fp64, 6.0));
}
