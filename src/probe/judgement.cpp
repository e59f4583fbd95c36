#include "probe/judgement.hpp"

#include <utility>

#include "probe/peel.hpp"

namespace orderlab {

Judgement judged(const BoxSetting& setting, ProbeVerdict verdict, std::string reason) {
  Judgement found;
  found.setting = setting;
  found.formats = {setting.format, setting.format, setting.format};
  found.verdict = verdict;
  found.reason = std::move(reason);
  return found;
}

Judgement judged(const KnownBox& known, ProbeVerdict verdict, std::string reason) {
  Judgement found = judged(known.box.setting(), verdict, std::move(reason));
  found.formats = known.formats;
  found.accumulator = known.accumulator;
  found.compared = known.agreed;
  return found;
}

Judgement judged(const KnownBox& known, ProbeVerdict verdict, const ReplayedOrders& replayed, std::string reason) {
  Judgement found = judged(known, verdict, std::move(reason));
  found.orders = replayed.orders;
  found.formats = replayed.formats;
  found.replayed = BoxReplay::kInputs;
  return found;
}

Judgement judged_no_sum(const KnownBox& known, std::string reason) {
  Judgement found = judged(known, ProbeVerdict::not_a_sum, std::move(reason));
  found.compared = 0;
  return found;
}

Judgement with_shape(Judgement found, const KnownBox& known, const TreeShape& shape) {
  found.tree_masks = known.masks;
  found.tree = tree_of(shape, {known.replay.formats_in(known.terms()), {}});
  if (const auto names = peel(shape, known.terms(), 1); !names.empty())
    found.reason += "; its tree is that of " + Order({}, names.front()).expression();
  return found;
}

}  // namespace orderlab
