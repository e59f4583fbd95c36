// Captures: runs of kernels on a GPU, recorded in a small text file that any machine can verify later. The format is
// described in this folder's README. Plain C++ that nvcc compiles, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sealed_text.hpp"
#include "orderlab/format.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab {

using CaptureEntry = TextEntry;

/// One run of one kernel: all that is needed to repeat it, and what it gave.
struct CapturedRun {
  std::string kernel = {};
  Format format = Format::fp32;  ///< format of the terms, and of the sum unless `sums` is there
  std::uint64_t n = 0;
  LaunchShape shape = {};                             ///< as asked for
  std::string input = {};                             ///< distribution of the terms, as --dist takes it, without blanks
  std::uint64_t seed = 1;                             ///< seed of the terms
  std::optional<std::uint64_t> with_seed = {};        ///< products: the second factors are drawn alike from this seed
  std::optional<std::uint64_t> aligned = {};          ///< bytes: greatest power of two that divides the terms' address
  std::optional<std::uint64_t> temporary_bytes = {};  ///< that a library asked for
  std::optional<unsigned> blocks = {};  ///< thread blocks at most, where a library and not `shape` sets them
  std::uint64_t repeat = 0;             ///< number of this run among those that differ in nothing else
  std::uint64_t bits = 0;               ///< the computed sum; 0 where there are many outputs

  // For kernels with many outputs, whose source of rows x columns are the n terms:
  std::optional<std::uint64_t> rows = {};
  std::optional<std::uint64_t> columns = {};
  std::optional<std::uint64_t> bins = {};        ///< number of bins of the index; with it come self_seed and index_seed
  std::optional<std::uint64_t> self_seed = {};   ///< the outputs' first values are drawn alike from this seed
  std::optional<std::uint64_t> index_seed = {};  ///< seed of drawn_index
  std::vector<std::uint64_t> outputs = {};       ///< bits
  std::vector<std::uint32_t> looked_back = {};   ///< by tile of a scan, from its second: how many tiles

  /// By arriving unit, of many outputs by contribution: what its float atomic returned; empty: no record.
  std::vector<std::uint64_t> returned = {};
  std::vector<std::uint32_t> tickets = {};  ///< units in the order of tickets taken before the atomics; or empty
  std::size_t line = 0;                     ///< line in the file it was read from; not written

  std::optional<Format> sums = {};  ///< format of the sum where it is another

  Formats formats() const { return {format, sums.value_or(format), sums.value_or(format)}; }

  friend bool operator==(const CapturedRun&, const CapturedRun&) = default;
};

/// A capture, in the order of its lines.
struct Capture {
  std::vector<CaptureEntry> facts;
  std::vector<CaptureEntry> probes;
  std::vector<CapturedRun> runs;

  friend bool operator==(const Capture&, const Capture&) = default;
};

/// The capture as text that read_capture reads back to the same capture, lines aside.
///
/// Errors: usage for a capture that no text can hold: an empty value, a line break, a name used twice.
std::string write_capture(const Capture& capture);

/// Reads the text of a capture; `file` is its name in messages.
///
/// Errors: input, "FILE:LINE: what is wrong, what would be right": another or a newer format, a file that was cut or
///         changed (its checksum tells), an unknown word, a missing or repeated one, a number that is none. Whether
///         kernels and distributions are known is not looked at.
Capture read_capture(std::string_view text, const std::string& file);

}  // namespace orderlab
