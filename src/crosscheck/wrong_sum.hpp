// What a sum that is not the claim's can be: the same terms in another order, or not the same terms.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "orderlab/crosscheck.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// A result, the terms that its kernel claims to add, and how.
struct WrongSum {
  TermView terms;
  Formats formats;       ///< formats of the terms, the sums, the result; the argument of `finish` is in `accumulate`
  bool flushes = false;  ///< sums may pass float atomics, which flush subnormals
  std::uint64_t bits = 0;
  std::function<std::uint64_t(std::uint64_t sum)> finish = {};  ///< null: the result is the sum
};

/// A kind and what it rests on, in words.
struct Diagnosis {
  MismatchKind kind = MismatchKind::undecided;
  std::string basis;
};

/// Whether some order of the terms gives the result: from all orders of at most 8 terms, else by the bound over all
/// orders of plain additions, products fused or not. O(n).
Diagnosis diagnosis(const WrongSum& wrong);

/// The same in more detail, for a result that is shown: random orders are sampled, and a term is looked for without
/// which, or with which twice, the result fits.
Diagnosis detailed_diagnosis(const WrongSum& wrong);

}  // namespace orderlab
