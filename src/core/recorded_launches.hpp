// Recorded arrivals: launches of one kernel on one GPU, with the order in which its thread blocks or warps arrived, and
// where and when if the GPU says so. The format is described in src/cuda/README. Plain C++ that nvcc compiles, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/sealed_text.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab {

/// What happened before a recorded launch, or beside it.
enum class LaunchCondition : std::uint8_t {
  warm,     ///< it follows an equal launch
  cold,     ///< the first launch of its context
  flushed,  ///< the L2 cache was overwritten
  idle,     ///< the GPU had nothing to do for a while
  loaded,   ///< another kernel runs in another stream
};
constexpr std::string_view name_of(LaunchCondition condition) {
  switch (condition) {
    case LaunchCondition::warm:
      return "warm";
    case LaunchCondition::cold:
      return "cold";
    case LaunchCondition::flushed:
      return "flushed";
    case LaunchCondition::idle:
      return "idle";
    case LaunchCondition::loaded:
      return "loaded";
  }
  return {};
}

/// Which tile of the terms thread block b adds.
enum class TileOrder : std::uint8_t {
  in_turn,   ///< tile b
  reversed,  ///< the b-th from the end
};
constexpr std::string_view name_of(TileOrder tiles) { return tiles == TileOrder::in_turn ? "in_turn" : "reversed"; }

/// One launch. Lists other than `tickets` are empty if they were not recorded; else they have a number for each ticket.
struct ArrivalLaunch {
  std::vector<std::uint32_t> tickets = {};         ///< units in the order of tickets taken before the atomics
  std::vector<std::uint32_t> sm = {};              ///< %smid of the multiprocessor
  std::vector<std::uint32_t> started_cycles = {};  ///< its clock when the unit started, from its first start on
  std::vector<std::uint32_t> ticket_cycles = {};   ///< its clock just before the ticket, from the same
  std::vector<std::uint32_t> ticket_ns = {};  ///< %globaltimer just before the ticket, from the least of the launch
  std::size_t line = 0;                       ///< line of its tickets in the file; not written

  friend bool operator==(const ArrivalLaunch&, const ArrivalLaunch&) = default;
};

/// Launches that are alike. Unit i of a kernel that strides is the i-th of its first pass, then of the next.
struct RecordedLaunches {
  std::vector<TextEntry> facts = {};  ///< the GPU and the software on it
  std::string kernel = {};
  ArrivalUnit unit = ArrivalUnit::thread_block;  ///< or warp
  Format format = Format::fp64;                  ///< of the terms
  std::uint64_t n = 0;                           ///< terms
  LaunchShape shape = {};                        ///< as launched
  TileOrder tiles = TileOrder::in_turn;
  LaunchCondition condition = LaunchCondition::warm;
  unsigned multiprocessors = 0;
  unsigned sm_ids = 0;    ///< %nsmid: %smid is less
  unsigned resident = 0;  ///< thread blocks of this kernel that a multiprocessor runs at once
  std::vector<ArrivalLaunch> launches = {};

  friend bool operator==(const RecordedLaunches&, const RecordedLaunches&) = default;
};

/// Words that such a text begins with.
inline constexpr std::string_view kArrivalsFirstWords = "orderlab arrivals ";

/// The text that read_arrivals_text reads back.
///
/// Errors: usage for what no text can hold, such as a launch without tickets.
std::string write_arrivals_text(const RecordedLaunches& recorded);

/// Reads such a text; `file` is its name in messages.
///
/// Errors: input, "FILE:LINE: what is wrong, what would be right". That tickets are a permutation is not looked at.
RecordedLaunches read_arrivals_text(std::string_view text, const std::string& file);

}  // namespace orderlab
