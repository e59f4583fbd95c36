#include "cuda/capture/recordings.hpp"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <map>
#include <sstream>

#include "core/drawn_index.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cuda {

namespace {

/// A file to be recorded, on any GPU.
struct RecordingRow {
  std::string_view name;
  std::string_view purpose;
  std::string_view kernel;
  unsigned threads;
  unsigned items;
  unsigned blocks;      ///< thread blocks that the terms fill; 0: those of the published recording, 10^6 terms
  unsigned blocks_per;  ///< thread blocks for each multiprocessor, besides
  unsigned launches;
  unsigned quick;  ///< launches of a quick recording; 0: none
  unsigned timed;
  TileOrder tiles = TileOrder::in_turn;
  LaunchCondition condition = LaunchCondition::warm;
};

using enum TileOrder;
using enum LaunchCondition;

// Of spa64, 7813 thread blocks as in the published recording of a V100. 16 launches and more give a fit 8 rows for each
// half; clocks take more than half of the bytes of a launch.
constexpr RecordingRow kRecordingRows[] = {
    {"spa64", "as the published recording of a V100", "spa", 64, 2, 0, 0, 24, 10, 6},
    {"spa256", "larger thread blocks", "spa", 256, 2, 0, 0, 24, 10, 8},
    {"spa64_waves", "128 thread blocks for each multiprocessor", "spa", 64, 2, 0, 128, 10, 0, 2},
    {"spa64_small", "two thread blocks for each multiprocessor", "spa", 64, 2, 0, 2, 40, 10, 40},
    {"spa64_reversed", "thread block b adds the b-th tile from the end", "spa", 64, 2, 0, 0, 12, 0, 4, reversed},
    {"spa64_flushed", "terms not in the L2 cache", "spa", 64, 2, 0, 0, 12, 0, 4, in_turn, flushed},
    {"spa64_idle", "after a pause of 200 ms", "spa", 64, 2, 0, 0, 12, 0, 4, in_turn, idle},
    {"spa64_loaded", "beside a kernel that reads memory", "spa", 64, 2, 0, 0, 12, 10, 4, in_turn, loaded},
    {"spa64_cold", "the first launch of a new context", "spa", 64, 2, 0, 0, 12, 0, 4, in_turn, cold},
    {"warp_block", "the warps of one thread block", "warp", 1024, 1, 1, 0, 64, 10, 64},
    {"warp_few", "the warps of eight thread blocks", "warp", 256, 1, 8, 0, 64, 10, 64},
    {"warp_one_each", "two warps on each multiprocessor", "warp", 64, 1, 0, 1, 40, 0, 40},
    {"warp_full", "32 warps on each multiprocessor", "warp", 256, 1, 0, 4, 16, 0, 4},
    {"index_add_150", "terms for 150 thread blocks", "index_add_large", 128, 1, 150, 0, 24, 0, 8},
    {"index_add_400", "terms for 400 thread blocks", "index_add_large", 128, 1, 400, 0, 24, 10, 8},
    {"index_add_1000", "terms for 1000 thread blocks", "index_add_large", 128, 1, 1000, 0, 16, 0, 4},
    {"index_add_2000", "terms for 2000 thread blocks", "index_add_large", 128, 1, 2000, 0, 16, 0, 2},
    {"index_add_4000", "terms for 4000 thread blocks", "index_add_large", 128, 1, 4000, 0, 10, 0, 2},
};

constexpr std::size_t kPublishedTerms = 1000000;
constexpr unsigned kQuickTimed = 2;
constexpr unsigned kStridingBlocks = 8;  // of index_add for each multiprocessor, as PyTorch launches it

Format recorded_format(std::string_view kernel) { return kernel == "index_add_large" ? Format::fp32 : Format::fp64; }

PlannedRecording planned_on(const RecordingRow& row, unsigned multiprocessors, bool quick) {
  PlannedRecording planned{.name = row.name,
                           .purpose = row.purpose,
                           .what = {.kernel = std::string(row.kernel),
                                    .unit = row.kernel == "spa" ? ArrivalUnit::thread_block : ArrivalUnit::warp,
                                    .format = recorded_format(row.kernel),
                                    .shape = {row.threads, row.items},
                                    .tiles = row.tiles,
                                    .condition = row.condition},
                           .launches = quick ? row.quick : row.launches,
                           .timed = quick ? kQuickTimed : row.timed};
  RecordedLaunches& what = planned.what;
  const std::size_t blocks = row.blocks + std::size_t{row.blocks_per} * multiprocessors;
  what.n = blocks == 0 ? kPublishedTerms : blocks * row.threads * row.items;
  if (row.kernel == "index_add_large") what.shape.grid = kStridingBlocks * multiprocessors;
  what.shape.grid = thread_blocks(what.shape, what.n);
  return planned;
}

/// `value` less `first`, in 32 bits.
std::uint32_t since(std::uint64_t value, std::uint64_t first) {
  const std::uint64_t difference = value - first;
  if (value < first || difference > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorKind::device,
                "clocks of one launch lie more than 4294967295 apart; record again without other "
                "programs on the GPU");
  return static_cast<std::uint32_t>(difference);
}

/// The units in the order of their tickets.
std::vector<std::uint32_t> units_by_ticket(const std::vector<std::uint32_t>& ticket_of) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> units(ticket_of.size(), kNone);
  for (std::size_t unit = 0; unit < ticket_of.size(); ++unit) {
    const std::uint32_t ticket = ticket_of[unit];
    if (ticket >= units.size() || units[ticket] != kNone)
      throw Error(ErrorKind::device, "unit " + std::to_string(unit) + " has ticket " + std::to_string(ticket) +
                                         ", and each of 0 to " + std::to_string(units.size() - 1) +
                                         " must be taken once; record again");
    units[ticket] = static_cast<std::uint32_t>(unit);
  }
  return units;
}

ArrivalLaunch launch_of(const UnitNotes& notes, bool timed) {
  ArrivalLaunch launch{.tickets = units_by_ticket(notes.ticket)};
  for (const std::uint32_t unit : launch.tickets) launch.sm.push_back(notes.sm[unit]);
  if (!timed) return launch;
  std::map<std::uint32_t, std::uint64_t> first_cycles;  // by multiprocessor
  for (std::size_t unit = 0; unit < notes.sm.size(); ++unit) {
    std::uint64_t& first = first_cycles.try_emplace(notes.sm[unit], notes.started_cycles[unit]).first->second;
    first = std::min(first, notes.started_cycles[unit]);
  }
  const std::uint64_t first_ns = *std::min_element(notes.ticket_ns.begin(), notes.ticket_ns.end());
  for (const std::uint32_t unit : launch.tickets) {
    const std::uint64_t first = first_cycles.at(notes.sm[unit]);
    launch.started_cycles.push_back(since(notes.started_cycles[unit], first));
    launch.ticket_cycles.push_back(since(notes.ticket_cycles[unit], first));
    launch.ticket_ns.push_back(since(notes.ticket_ns[unit], first_ns));
  }
  return launch;
}

/// Text of a share, such as "97 %".
std::string percent(std::size_t part, std::size_t whole) {
  std::ostringstream text;
  text << std::setprecision(3) << 100 * static_cast<double>(part) / static_cast<double>(whole) << " %";
  return text.str();
}

/// Pairs of adjacent tickets from one multiprocessor, of all.
std::string bursts(const RecordedLaunches& recorded) {
  std::size_t same = 0;
  std::size_t pairs = 0;
  for (const ArrivalLaunch& launch : recorded.launches)
    for (std::size_t i = 1; i < launch.sm.size(); ++i, ++pairs) same += launch.sm[i] == launch.sm[i - 1] ? 1U : 0U;
  return pairs == 0 ? "-" : percent(same, pairs);
}

/// Thread blocks of the first wave that run where the one before them by the number of multiprocessors does.
std::string dealt_in_turn(const RecordedLaunches& recorded) {
  const std::size_t step = recorded.multiprocessors;
  std::size_t same = 0;
  std::size_t pairs = 0;
  for (const ArrivalLaunch& launch : recorded.launches) {
    std::vector<std::uint32_t> sm_of(launch.tickets.size());
    for (std::size_t i = 0; i < launch.sm.size(); ++i) sm_of[launch.tickets[i]] = launch.sm[i];
    const std::size_t first_wave = std::min(sm_of.size(), step * recorded.resident);
    for (std::size_t unit = step; unit < first_wave; ++unit, ++pairs)
      same += sm_of[unit] == sm_of[unit - step] ? 1U : 0U;
  }
  return pairs == 0 || recorded.unit != ArrivalUnit::thread_block ? "-" : percent(same, pairs);
}

}  // namespace

std::vector<PlannedRecording> recording_plan(unsigned multiprocessors, bool quick) {
  std::vector<PlannedRecording> plan;
  for (const RecordingRow& row : kRecordingRows)
    if (!quick || row.quick > 0) plan.push_back(planned_on(row, multiprocessors, quick));
  return plan;
}

RecordedLaunches make_recording(const PlannedRecording& planned, const std::vector<TextEntry>& facts, TermStore& store,
                                const ArrivalLauncher& launcher) {
  RecordedLaunches recorded = planned.what;
  ArrivalRequest request{.what = planned.what, .launches = planned.launches, .terms = {}};
  request.terms = store.terms(capture_inputs(recorded.format).front(), recorded.format, recorded.n, false);
  std::vector<std::int64_t> index;
  if (recorded.kernel == "index_add_large") {
    constexpr std::size_t kTermsOfABin = 8;
    request.bins = std::max<std::size_t>(1, recorded.n / kTermsOfABin);
    index = drawn_index(recorded.n, request.bins, kIndexSeed);
    request.index = index;
  }
  const NotedLaunches noted = launcher(request);
  recorded.facts = facts;
  recorded.facts.push_back({"purpose", std::string(planned.purpose)});
  recorded.multiprocessors = noted.multiprocessors;
  recorded.sm_ids = noted.sm_ids;
  recorded.resident = noted.resident;
  for (std::size_t i = 0; i < noted.launches.size(); ++i)
    recorded.launches.push_back(launch_of(noted.launches[i], i < planned.timed));
  return recorded;
}

std::string recording_summary_head() {
  return "file            launches  units                 time         bursts   in turn\n";
}

std::string recording_summary(std::string_view name, const RecordedLaunches& recorded) {
  const ArrivalLaunch& first = recorded.launches.front();
  const bool timed = !first.ticket_ns.empty();
  std::ostringstream line;
  line << std::left << std::setw(16) << name << std::right << std::setw(8) << recorded.launches.size() << "  "
       << std::setw(5) << first.tickets.size() << std::left << std::setw(17)
       << (recorded.unit == ArrivalUnit::warp ? " warps" : " thread blocks") << std::setw(13)
       << (timed ? std::to_string(*std::max_element(first.ticket_ns.begin(), first.ticket_ns.end())) + " ns" : "-")
       << std::setw(9) << bursts(recorded) << dealt_in_turn(recorded) << "\n";
  return line.str();
}

std::string driver_version(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text))
    if (word.find('.') != std::string_view::npos && word.find_first_not_of("0123456789.") == std::string_view::npos)
      return std::string(word);
  return {};
}

}  // namespace orderlab::cuda
