// Which launches orderlab_capture --record makes, and what it writes about them. Plain C++: the launches themselves are
// made by a function that it is given.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/recorded_launches.hpp"
#include "cuda/arrival_recorder.hpp"
#include "cuda/capture/runs.hpp"

namespace orderlab::cuda {

/// One file to be recorded.
struct PlannedRecording {
  std::string_view name;
  std::string_view purpose;
  RecordedLaunches what;  ///< without launches, facts and what only the GPU knows
  std::size_t launches = 0;
  std::size_t timed = 0;  ///< of so many launches, the clocks are written, too
};

/// The files, for a GPU of so many multiprocessors. `quick`: fewer files and launches.
std::vector<PlannedRecording> recording_plan(unsigned multiprocessors, bool quick);

/// Makes the launches of one file. Times are counted from the first of the launch, so they hold no date.
///
/// Errors: device: the GPU gave tickets that are no permutation, or clocks that lie more than 2^32 - 1 apart.
RecordedLaunches make_recording(const PlannedRecording& planned, const std::vector<TextEntry>& facts, TermStore& store,
                                const ArrivalLauncher& launcher);

/// What a recording shows, as one line of a table: `time` of the first launch, `bursts`: adjacent tickets from one
/// multiprocessor, `in turn`: thread blocks of the first wave dealt to the multiprocessors in turn.
std::string recording_summary_head();
std::string recording_summary(std::string_view name, const RecordedLaunches& recorded);

/// The version of the driver in the text of /proc/driver/nvidia/version; empty where it has none.
std::string driver_version(std::string_view text);

}  // namespace orderlab::cuda
