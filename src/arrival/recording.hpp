// Files of rows of whole numbers: recorded arrival orders, permutations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/kernel.hpp"
#include "orderlab/parameters.hpp"

namespace orderlab {

/// Reads the rows of a text file, which may be compressed (told by its first bytes).
///
/// Of a file of recorded arrivals (core/recorded_launches.hpp) a row is the order in which the units of a launch
/// arrived. Of any other file a line is a row: whole numbers below 2^32 in decimal digits, with blanks or one comma
/// (and blanks) between two. '#' starts a comment; lines without numbers are no rows. The hash is that of hash_rows.
/// Error(input), "FILE: ..." or "FILE:LINE: ...": not readable, larger than kMostTextBytes (also decompressed), a
/// damaged or truncated archive, no row, no number. Error(unsupported): more than fits into memory.
std::shared_ptr<const Rows> read_rows(const std::string& path);

/// The same for the content of such a file. `unit`: of recorded arrivals, the units to order, where not those that were
/// recorded; a thread block arrives with its last warp, anew in each pass of a grid that strides. Rows of
/// numbers are orders of thread blocks. Error(usage) for warps where only thread blocks were recorded.
std::shared_ptr<const Rows> parse_rows(std::string data, const std::string& path,
                                       std::optional<ArrivalUnit> unit = std::nullopt);

/// Rows, and what a file of recorded arrivals says of the GPU beside them.
struct LaunchedRows {
  std::shared_ptr<const Rows> rows;
  std::uint64_t multiprocessors = 0;  ///< 0: the file does not say it
  std::uint64_t resident = 0;         ///< thread blocks of the kernel that a multiprocessor runs at once, likewise
};

/// As parse_rows.
LaunchedRows parse_launched_rows(std::string data, const std::string& path,
                                 std::optional<ArrivalUnit> unit = std::nullopt);

/// "xxh3:" and 32 hex digits: XXH3-128 (canonical form) of the rows, each its length as a 64-bit integer and then its
/// numbers as 32-bit integers, all little-endian. Blanks, comments and compression do not change it.
std::string hash_rows(std::span<const std::vector<std::uint32_t>> rows);

/// Where row i (from 0) stands, for messages: "FILE:LINE", or "FILE: row R" (from 1) for rows without lines.
std::string place_of_row(const Rows& recording, std::size_t i);

/// Error(input, "WHERE: ...") unless `row` holds each of 0 .. row.size() - 1 once.
void check_permutation_row(std::string_view where, std::span<const std::uint32_t> row);

/// All numbers of a file that is one list: a single row, or rows of one number each. Error(input) for anything else.
std::vector<std::uint32_t> flatten(const Rows& recording);

}  // namespace orderlab
