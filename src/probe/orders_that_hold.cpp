// Orders found in one setting, in another one.
#include "orderlab/error.hpp"
#include "orderlab/probe.hpp"
#include "probe/candidates.hpp"

namespace orderlab {

std::optional<std::vector<WrittenOrder>> orders_that_hold(const BoxMaker& maker, const BoxSetting& setting,
                                                          const std::vector<WrittenOrder>& orders,
                                                          const Formats& formats, const ProbeWatch& watch) {
  const StopScope scope(watch.stop);
  return unless_stopped([&] {
    AskedBox box(maker, setting, watch);
    box.begin("other numbers of terms", kInputsElsewhere);
    BoxReplay replay(box);
    ProbedOrder unused;
    Candidates candidates(box, replay, unused);
    std::vector<WrittenOrder> holding;
    for (const WrittenOrder& order : orders)
      if (candidates.has_bits({order, formats, {}}, kInputsElsewhere)) holding.push_back(order);
    return holding;
  });
}

}  // namespace orderlab
