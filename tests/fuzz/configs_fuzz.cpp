// Configs of sweeps: read, and planned where the points are few.
#include <string>

#include "config/axis.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "sweep/config_file.hpp"
#include "sweep/sweep_plan.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(configs) {
  static const Folder kFolder;
  const ConfigFile config = read_config(kFolder.write("in.toml", text_of(input)));
  require_equal("axes and their keys", config.axes.size(), axis_list().size());
  double points = 1;
  for (const AxisValues& axis : config.axes)
    if (!axis.empty()) points *= static_cast<double>(axis.size());
  if (points > 100) return;
  const SweepPlan plan = make_plan(config);
  require(plan.points.size() >= 1 && static_cast<double>(plan.points.size()) <= points, "some points of the product");
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const SweepPoint point = plan.points[i];
    require(point.order != nullptr || point.operation != nullptr, "a point has an order or an operation");
  }
  require(plan_hash(plan) == plan_hash(accepted("the same config", [&] { return make_plan(config); })),
          "planning twice gives one plan");
}
