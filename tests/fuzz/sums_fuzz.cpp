// Any order on any terms in any formats: the ways to evaluate it agree.
#include <string>
#include <vector>

#include "fuzz/evaluations.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/terms.hpp"
#include "order/pipelines.hpp"
#include "order/trouble.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

namespace {

std::string any_order(Choices& choices, bool products) {
  static const std::vector<std::string> kKnown = testing::product_pipelines();
  if (choices.flag()) return choices.pick(kKnown);
  IndexGenerator draw(RandomStream(choices.word(3), 0, 0), 0);
  return testing::random_pipeline(draw, products);
}

}  // namespace

ORDERLAB_FUZZ(sums) {
  Choices choices(input);
  const Formats formats{choices.format(), choices.format(), choices.format()};
  const bool products = choices.flag();
  const Order order = parse_order(any_order(choices, products));
  const std::size_t n = 1 + choices.below(choices.flag() ? 40 : 700);
  const std::vector<double> y = products ? any_numbers(choices, formats.terms, 1 + n % 8) : std::vector<double>{};
  const std::vector<double> x = any_numbers(choices, formats.terms, n);
  std::vector<double> factors;
  for (std::size_t i = 0; products && i < n; ++i) factors.push_back(y[i % y.size()]);
  const testing::TypedTerms terms =
      products ? testing::TypedTerms(formats.terms, x, factors) : testing::TypedTerms(formats.terms, x);
  require_evaluations_agree(order, terms.view(), formats, choices.word(2));
}
