// Orders: what is printed is parsed to the same, and what fits its terms is summed as its tree says.
#include <numeric>
#include <vector>

#include "fuzz/evaluations.hpp"
#include "fuzz/fuzz.hpp"
#include "orderlab/order.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(orders) {
  Choices choices(input);
  const std::size_t n = 1 + choices.below(70);
  const std::string_view text = choices.text();
  const bool takes = takes_arrival(text);
  const Order order = parse_order(text, takes ? "jitter(2)" : "");
  const std::string expression = order.expression();
  if (expression.find('\'') == std::string::npos) {  // files stand as hashes
    require_equal("the canonical text and what is read from it", expression,
                  accepted("the canonical text", [&] { return parse_order(expression).expression(); }));
    require(!takes_arrival(expression), "no bare arrive is left in a canonical text");
  }
  require(!order.fixed_form().random(), "a fixed form is fixed");
  require(order.random() == (order.first_random() < order.stages().size()), "a random order has a random stage");
  std::vector<float> terms(n);
  std::iota(terms.begin(), terms.end(), 0.1F);
  require_evaluations_agree(order, view_of(terms.data(), n), parse_formats("fp32"), n);
}
