#include "arrival/recording.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <new>

#include "core/input_file.hpp"
#include "core/memory.hpp"
#include "core/pass.hpp"
#include "core/recorded_launches.hpp"
#include "core/text.hpp"
#include "files/open_input.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

static_assert(std::endian::native == std::endian::little, "hashes are of little-endian numbers, as storage is");

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& problem) {
  throw Error(ErrorKind::input, path + ": " + problem);
}

/// The numbers of one line. Error(input, "WHERE: ...") for anything else in it.
std::vector<std::uint32_t> read_line(const std::string& where, std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  constexpr std::string_view kEnds = " \t\r,";
  std::vector<std::uint32_t> row;
  line = line.substr(0, line.find('#'));
  bool after_comma = false;
  for (StopCounter numbers;; numbers.step()) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty()) break;
    if (line.front() == ',') {
      if (row.empty() || after_comma) fail(where, "a comma without a number in front of it");
      after_comma = true;
      line.remove_prefix(1);
      continue;
    }
    const std::string_view word = line.substr(0, line.find_first_of(kEnds));
    if (word.find_first_not_of("0123456789") != std::string_view::npos)
      fail(where, in_quotes(word) + " is not a whole number; each row lists whole numbers from 0");
    std::uint32_t value = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), value).ec != std::errc())
      fail(where, in_quotes(word) + " is too large; numbers up to 4294967295 can be read");
    row.push_back(value);
    after_comma = false;
    line.remove_prefix(word.size());
  }
  if (after_comma) fail(where, "a comma without a number behind it");
  return row;
}

/// Warps in the order of their arrival as thread blocks of `warps` each, in the order of their last warps.
std::vector<std::uint32_t> blocks_of_warps(std::span<const std::uint32_t> order, std::uint32_t warps) {
  std::vector<std::uint32_t> blocks;
  std::vector<bool> arrived((order.size() + warps - 1) / warps);
  for (std::size_t i = order.size(); i > 0; --i) {
    const std::uint32_t block = order[i - 1] / warps;
    if (!arrived[block]) blocks.push_back(block);
    arrived[block] = true;
  }
  std::reverse(blocks.begin(), blocks.end());
  return blocks;
}

Rows rows_of_launches(RecordedLaunches recorded, const std::string& path, std::optional<ArrivalUnit> unit) {
  if (unit == ArrivalUnit::warp && recorded.unit != ArrivalUnit::warp)
    throw Error(ErrorKind::usage, path + ": the order of thread blocks, not of warps; leave out the unit");
  Rows result{.path = path, .hash = {}, .rows = {}};
  Pass pass(recorded.launches.size());
  for (ArrivalLaunch& launch : recorded.launches) {
    check_permutation_row(fmt::format("{}:{}", path, launch.line), launch.tickets);
    result.rows.push_back(unit.value_or(recorded.unit) == recorded.unit
                              ? std::move(launch.tickets)
                              : blocks_of_warps(launch.tickets, recorded.shape.threads / kWarp));
    result.lines.push_back(launch.line);
    pass.did(1);
  }
  return result;
}

Rows rows_of_numbers(std::string_view data, const std::string& path) {
  constexpr std::size_t kBytesOfRow = sizeof(std::vector<std::uint32_t>) + sizeof(std::size_t) + 2 * sizeof(void*);
  InputMemory memory(path);
  Rows result{.path = path, .hash = {}, .rows = {}};
  std::string_view rest = data;
  Pass pass(data.size());
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    std::vector<std::uint32_t> row = read_line(fmt::format("{}:{}", path, number), rest.substr(0, length));
    if (!row.empty()) {
      memory.take(kBytesOfRow + row.capacity() * sizeof(std::uint32_t));
      result.rows.push_back(std::move(row));
      result.lines.push_back(number);
    }
    pass.did(std::min(length + 1, rest.size()));
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  if (result.rows.empty()) fail(path, "has no numbers; it must have rows of whole numbers");
  return result;
}

}  // namespace

std::string hash_rows(std::span<const std::vector<std::uint32_t>> rows) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  for (const std::vector<std::uint32_t>& row : rows) {
    const std::uint64_t length = row.size();
    XXH3_128bits_update(state.get(), &length, sizeof(length));
    XXH3_128bits_update(state.get(), row.data(), row.size() * sizeof(std::uint32_t));
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("xxh3:{:016x}{:016x}", hash.high64, hash.low64);
}

std::shared_ptr<const Rows> read_rows(const std::string& path) {
  return parse_rows(InputFile(path, "name a file of rows of whole numbers").rest(), path);
}

LaunchedRows parse_launched_rows(std::string data, const std::string& path, std::optional<ArrivalUnit> unit) {
  data = decompressed(std::move(data), path);
  const bool recorded = data.starts_with(kArrivalsFirstWords);
  if (unit == ArrivalUnit::warp && !recorded)
    throw Error(ErrorKind::usage, path + ": rows of numbers are orders of thread blocks; leave out the unit");
  LaunchedRows found;
  Rows rows;
  if (recorded) {
    RecordedLaunches launches = read_arrivals_text(data, path);
    found.multiprocessors = launches.multiprocessors;
    found.resident = launches.resident;
    rows = rows_of_launches(std::move(launches), path, unit);
  } else {
    rows = rows_of_numbers(data, path);
  }
  rows.hash = hash_rows(rows.rows);
  found.rows = std::make_shared<const Rows>(std::move(rows));
  return found;
}

std::shared_ptr<const Rows> parse_rows(std::string data, const std::string& path, std::optional<ArrivalUnit> unit) {
  return parse_launched_rows(std::move(data), path, unit).rows;
}

std::string place_of_row(const Rows& recording, std::size_t i) {
  if (i < recording.lines.size()) return fmt::format("{}:{}", recording.path, recording.lines[i]);
  return fmt::format("{}: row {}", recording.path, i + 1);
}

void check_permutation_row(std::string_view where, std::span<const std::uint32_t> row) {
  std::vector<bool> seen(row.size());
  for (const std::uint32_t value : row) {
    if (value >= row.size())
      throw Error(ErrorKind::input,
                  fmt::format("{}: {} is out of range; a row of {} numbers must have each of 0 to {} once", where,
                              value, row.size(), row.size() - 1));
    if (seen[value])
      throw Error(ErrorKind::input, fmt::format("{}: {} occurs twice; a row must have each of 0 to {} once", where,
                                                value, row.size() - 1));
    seen[value] = true;
  }
}

std::vector<std::uint32_t> flatten(const Rows& recording) {
  if (recording.rows.size() == 1) return recording.rows.front();
  std::vector<std::uint32_t> list;
  list.reserve(recording.rows.size());
  for (const std::vector<std::uint32_t>& row : recording.rows) {
    if (row.size() != 1)
      fail(recording.path,
           fmt::format("has {} rows, one of them with {} numbers; it must have one row, or one number per line",
                       recording.rows.size(), row.size()));
    list.push_back(row.front());
  }
  return list;
}

}  // namespace orderlab
