// The options of `arrivals`.
#pragma once

#include "orderlab/study/arrivals.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kGridBlocks{
    .key = "blocks",
    .kind = FlagKind::count,
    .value = "B",
    .help = "thread blocks of a launch; default: those of the recording, or of the model's recordings",
    .config_help = "Number of thread blocks of a launch",
    .low = kLeastFeatureBlocks,
    .high = 1e7};
inline constexpr Flag kDraws{.key = "draws",
                             .kind = FlagKind::count,
                             .value = "N",
                             .help = "orders drawn from each model",
                             .config_help = "Number of orders drawn from each model",
                             .low = 2,
                             .high = 1e6};
inline constexpr Flag kSms{.key = "sms",
                           .kind = FlagKind::count,
                           .value = "N",
                           .help =
                               "multiprocessors of the GPU: thread block b starts on multiprocessor b mod N; default: "
                               "as a file of orderlab_capture --record says, else 80",
                           .config_help = "Number of multiprocessors of the GPU",
                           .low = 1,
                           .high = 1e6};
inline constexpr Flag kResident{.key = "resident",
                                .kind = FlagKind::count,
                                .value = "N",
                                .help =
                                    "thread blocks that each multiprocessor runs in the first wave; default: as such a "
                                    "file says, else 22",
                                .config_help = "Number of thread blocks that each multiprocessor runs at first",
                                .low = 1,
                                .high = 1e6};
static_assert(FirstWave{}.sms == 80 && FirstWave{}.resident == 22, "the help of --sms and --resident says them");
inline constexpr Flag kArrivalsSeed = seed_flag("seed of drawn orders and of resampling");

inline constexpr Option kArrivalsRows[] = {
    option<&ArrivalsRequest::blocks>(kGridBlocks), option<&ArrivalsRequest::draws>(kDraws),
    option<&ArrivalsRequest::sms>(kSms),           option<&ArrivalsRequest::resident>(kResident),
    option<&ArrivalsRequest::seed>(kArrivalsSeed), option<&ArrivalsRequest::threads>(kThreads),
};
inline constexpr OptionsOf<ArrivalsRequest> kArrivalsOptions{kArrivalsRows};

}  // namespace orderlab::study
