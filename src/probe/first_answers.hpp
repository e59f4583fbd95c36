// The first calls of a box: can it be a sum, and do calls agree?
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "probe/asked_box.hpp"
#include "probe/replay.hpp"

namespace orderlab {

struct FirstAnswers {
  std::string wrong = {};    ///< why it is not a sum, in a line; empty where it may be one
  bool vary = false;         ///< calls with the same terms differ
  std::uint64_t agreed = 0;  ///< calls with the answers of earlier calls
};

/// Asks some inputs `repeats` times each, at least twice.
///
/// Errors: input for answers of too few digits.
FirstAnswers first_answers(AskedBox& box, BoxReplay& replay, std::size_t repeats);

/// Answers with fewer decimal digits cannot be compared bit by bit: Error(input).
void require_digits(const AskedBox& box, int digits);

}  // namespace orderlab
