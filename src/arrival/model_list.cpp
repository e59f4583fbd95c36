// The lists of arrival models and of named parameter sets.
#include "orderlab/arrival.hpp"

/// One line for each model, the constant that its file defines, in the order that users see.
#define ORDERLAB_ARRIVAL_MODELS(ENTRY) \
  ENTRY(kUniformArrival)               \
  ENTRY(kLaunchArrival)                \
  ENTRY(kJitterArrival)                \
  ENTRY(kDriftArrival)                 \
  ENTRY(kBatchesArrival)               \
  ENTRY(kPassesArrival)                \
  ENTRY(kSteadyArrival)                \
  ENTRY(kSlotsArrival)                 \
  ENTRY(kSmQueuesArrival)              \
  ENTRY(kTraceArrival)

namespace orderlab {

#define ORDERLAB_DECLARE_MODEL(constant) extern const ArrivalModel constant;
ORDERLAB_ARRIVAL_MODELS(ORDERLAB_DECLARE_MODEL)
#undef ORDERLAB_DECLARE_MODEL

namespace {

#define ORDERLAB_ADDRESS(constant) &constant,
constexpr const ArrivalModel* kModels[] = {ORDERLAB_ARRIVAL_MODELS(ORDERLAB_ADDRESS)};
#undef ORDERLAB_ADDRESS

constexpr NamedArrival kNamed[] = {
    {"v100_b64", "sm_queues(80,16,622,0.188,1,433,38,0.03)",
     "V100, 7813 thread blocks of 64 threads: Kendall tau 0.92 to launch order, neighbours and multiprocessors as "
     "recorded",
     "[Shanmugavelu2024], `orderlab fit` to 49 recorded orders", 64, 7813},
    {"v100_b64_drift", "drift(107,413)",
     "as v100_b64, with the spread along the grid alone: thread blocks share no delay",
     "[Shanmugavelu2024], mean of the fits to the two halves of 49 recorded orders", 64, 7813},
    // Extrapolations: multiprocessors of the GPU, `bias` in proportion to them, and the one `delay` that gives the
    // published Kendall tau. explanation/arrivals.md has the rule, and what it is not.
    {"v100_loaded_guess", "sm_queues(80,16,622,0.188,1,953,38,0.03)",
     "extrapolation, no recording: v100_b64 beside a matrix product, with delays that give Kendall tau 0.84",
     "orderlab; range of Kendall tau of [Shanmugavelu2024]", 64, 7813},
    {"gh200_guess", "sm_queues(132,16,1026,0.188,1,3820,38,0.03)",
     "extrapolation, no recording: v100_b64 on 132 multiprocessors, with delays that give Kendall tau 0.68",
     "orderlab; Kendall tau of [Shanmugavelu2024]", 64, 7813},
    {"mi250x_guess", "sm_queues(110,16,855,0.188,1,5000,38,0.03)",
     "extrapolation, no recording: v100_b64 on 110 compute units, with delays that give Kendall tau 0.65",
     "orderlab; range of Kendall tau of [Shanmugavelu2024]", 64, 7813},
    {"h100_index_add", "passes(1056,335,172,run=0.22)",
     "H100, index_add: share of outputs that differ, and its variation over runs, for n x n from n = 200 to 1000",
     "[Shanmugavelu2024], geometric mean of the fits to n up to 500 and above in half of the published table", 128,
     1056, "index_add"},
    {"h100_index_add_few", "steady(passes(1056,327,127,run=2),0.95)",
     "H100, index_add(unit=warp) by up to 132 thread blocks: share of outputs that differ, its variation, distinct "
     "results",
     "[Shanmugavelu2024], greatest likelihood of launches of up to 132 thread blocks in half of the published table",
     128, 132, "index_add"},
};

}  // namespace

std::span<const ArrivalModel* const> arrival_models() { return kModels; }

std::span<const NamedArrival> named_arrivals() { return kNamed; }

}  // namespace orderlab
