#include "reference/wide_sum.hpp"

#include <mpfr.h>

#include <cassert>
#include <vector>

#include "reference/mpfr_cache.hpp"

namespace orderlab {

namespace {

class Numbers {
 public:
  Numbers(std::size_t count, int precision) : numbers_(count) {
    for (__mpfr_struct& number : numbers_) mpfr_init2(&number, precision);
  }
  ~Numbers() {
    for (__mpfr_struct& number : numbers_) mpfr_clear(&number);
  }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;

  mpfr_ptr operator[](std::size_t i) { return &numbers_[i]; }

 private:
  std::vector<__mpfr_struct> numbers_;
};

}  // namespace

double wide_sum(const SummationTree& tree, const TermView& terms, int precision, Format result) {
  assert(terms.n == tree.term_count() && tree.roots().size() == 1);
  free_mpfr_cache_at_thread_exit();
  Numbers nodes(tree.node_count(), precision);
  for (std::size_t i = 0; i < terms.n; ++i) {
    mpfr_set_d(nodes[i], terms.left(i), MPFR_RNDN);
    if (terms.products()) mpfr_mul_d(nodes[i], nodes[i], terms.right(i), MPFR_RNDN);
  }
  for (SummationTree::Node node = terms.n; node < tree.node_count(); ++node) {
    assert(tree.operation(node) == Operation::add || tree.operation(node) == Operation::round);
    const auto children = tree.children(node);
    mpfr_set(nodes[node], nodes[children[0]], MPFR_RNDN);
    for (const SummationTree::Node child : children.subspan(1))
      mpfr_add(nodes[node], nodes[node], nodes[child], MPFR_RNDN);
  }
  const mpfr_ptr sum = nodes[tree.roots()[0]];
  mpfr_prec_round(sum, info(result).precision, MPFR_RNDN);
  return mpfr_get_d(sum, MPFR_RNDN);
}

}  // namespace orderlab
