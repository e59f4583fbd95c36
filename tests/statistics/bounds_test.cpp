// A million sums against the bounds that always hold; the quick test takes thousands.
#include "metrics/bound_trials.hpp"

using namespace orderlab::testing;

TEST_CASE("D1, D2, D3 and the bound over every order hold for a million sums") {
  const BoundTrials tried = BoundTrials::run(1, trials(1'000'000));
  CHECK(tried.sums >= trials(1'000'000));
}
