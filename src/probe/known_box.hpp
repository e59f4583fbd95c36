// A box of several terms and what was measured of it: what every step towards its order starts from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/probe.hpp"
#include "probe/asked_box.hpp"
#include "probe/first_answers.hpp"
#include "probe/pair_sizes.hpp"
#include "probe/replay.hpp"

namespace orderlab {

struct KnownBox {
  AskedBox& box;
  BoxReplay& replay;
  AccumulatorPrecision accumulator = {};
  Masks masks = {};
  bool masks_work = true;    ///< answers to them count units
  std::uint64_t agreed = 0;  ///< calls with the answers of earlier calls
  Formats formats = {};      ///< what a verdict without an order says of them

  Format terms() const { return box.setting().format; }

  /// Bits of the additions, as far as these can be told.
  int precision() const { return accumulator.narrowest.value_or(info(terms()).precision); }

  /// Formats that additions of the measured precision may be done in.
  std::vector<Format> accumulate_formats() const;

  /// The first of them; fp64 where no format has that precision.
  Format additions() const;
};

/// `wrong`: why the box is not a sum, in a line. Empty where it may be one.
struct MeasuredBox {
  KnownBox known;
  std::string wrong = {};
};

/// Measures the precision, finds masks, and asks whether every term counts once. Shape: n >= 2.
MeasuredBox measure_box(AskedBox& box, BoxReplay& replay, const FirstAnswers& first);

/// Asks for sums that no order changes: of `varied` inputs, and of one of them `repeated` times more. What was wrong,
/// in a line; empty where every answer was right.
std::string wrong_exact_sums(const KnownBox& known, std::size_t varied, std::size_t repeated);

}  // namespace orderlab
