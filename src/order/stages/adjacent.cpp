// adjacent: neighbours first, the tree of CUB's warp reduce and of interleaved addressing.
#include "order/grouped.hpp"
#include "order/stage_code.hpp"
#include "order/stages/counts.hpp"
#include "order/stages/neighbours.hpp"

namespace orderlab {

namespace {

constexpr Parameter kAdjacentParameters[] = {{.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 1}};

struct Adjacent {
  static constexpr auto& unit = run_unit;

  template <class Visit>
  static void groups(const Arguments& arguments, std::size_t m, Visit visit) {
    visit_runs(arguments.count(0), m, [&](const Groups& g) { visit(g, NeighboursTree()); });
  }
};

}  // namespace

extern const Stage kAdjacent;
const Stage kAdjacent{
    .name = "adjacent",
    .summary = "each run of k: v[i] += v[i+o] for i = 0, 2o, 4o, ... and o = 1, 2, 4, ...: neighbours first",
    .source = "CUB WarpReduce; [Harris2007] (interleaved addressing)",
    .parameters = kAdjacentParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .count = [](const Arguments& arguments, std::size_t m, Format) { return runs_of(m, arguments.count(0)); },
    .code = &kGroupCode<Adjacent>,
};

}  // namespace orderlab
