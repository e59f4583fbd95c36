// Distributions: what is printed is parsed to the same, with the same terms.
#include "fuzz/fuzz.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(distributions) {
  Choices choices(input);
  const std::size_t n = 1 + choices.below(40);
  const Format format = choices.format();
  const std::uint64_t seed = choices.word(2);
  const std::string_view text = choices.text();
  const std::string canonical = canonical_distribution(text);
  require_equal("the canonical text and what is read from it", canonical,
                accepted("the canonical text", [&] { return canonical_distribution(canonical); }));
  const Terms terms = generate_terms(text, n, format, seed);
  require(terms.size() == n, "as many terms as asked for");
  require_equal("the terms of both texts", terms.hash(),
                accepted("the canonical text", [&] { return generate_terms(canonical, n, format, seed); }).hash());
}
