#include "probe/varying_verdict.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "probe/few_term_sums.hpp"
#include "probe/random_box.hpp"
#include "probe/reveal.hpp"
#include "probe/stable_clusters.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kRepeatsInDoubt = 64;  // more calls where answers contradict each other: threads can vary rarely
constexpr std::size_t kExactInDoubt = 200;   // calls with one exact sum

// Two terms have several sums. Masks show the tree all the same: what they swallow is far below one rounding.
Judgement judge_random_rounding(const KnownBox& known) {
  const char* how = "two terms gave different sums in different calls: additions are rounded at random";
  known.box.begin("revelation", revelation_calls(known.box.n()));
  PairSizes sizes(known.box, known.masks);
  const std::optional<TreeShape> shape = sizes_vary(sizes) ? std::nullopt : reveal(sizes);
  if (!shape) return judged(known, ProbeVerdict::random, how);
  return with_shape(judged(known, ProbeVerdict::revealed, how), known, *shape);
}

}  // namespace

Judgement judge_varying(const KnownBox& known) {
  KnownBox varying = known;
  varying.agreed = 0;
  if (const std::string wrong = wrong_exact_sums(varying, 1, kExactInDoubt); !wrong.empty())
    return judged_no_sum(varying, wrong);
  if (const std::string wrong = known.replay.impossible_answer(known.precision()); !wrong.empty())
    return judged_no_sum(varying, wrong);
  if (rounds_at_random(known.box, std::min(known.precision(), info(known.terms()).precision)))
    return judge_random_rounding(varying);
  Judgement found = judged(varying, ProbeVerdict::random);
  found.formats = known.replay.formats_in(known.additions());
  PairSizes sizes(known.box, known.masks);
  probe_random(sizes, known.replay, found);
  return found;
}

bool varies_in_doubt(const KnownBox& known) {
  if (known.replay.varies(BoxReplay::kRepeatedInputs, kRepeatsInDoubt)) return true;
  if (!known.masks_work) return false;
  PairSizes sizes(known.box, known.masks);
  return sizes_vary(sizes);
}

}  // namespace orderlab
