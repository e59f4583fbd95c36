// Orders found in one setting, in another one.
#include "core/float_environment.hpp"
#include "orderlab/error.hpp"
#include "orderlab/probe.hpp"
#include "probe/candidates.hpp"

namespace orderlab {

std::optional<std::vector<WrittenOrder>> orders_that_hold(const BoxMaker& maker, const BoxSetting& setting,
                                                          const std::vector<WrittenOrder>& orders,
                                                          const Formats& formats, const ProbeWatch& watch) {
  const FloatEnvironment environment;
  const StopScope scope(watch.stop);
  return unless_stopped([&] {
    AskedBox box(maker, setting, watch);
    box.begin("other numbers of terms", kInputsElsewhere);
    BoxReplay replay(box);
    std::vector<WrittenOrder> holding;
    for (const WrittenOrder& order : orders)
      if (has_bits(replay, order.order, formats, kInputsElsewhere)) holding.push_back(order);
    return holding;
  });
}

}  // namespace orderlab
