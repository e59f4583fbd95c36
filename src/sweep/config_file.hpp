// What a config of a sweep says, as it was written: axes, exclusions, words. What it means is in sweep_plan.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sweep/published_points.hpp"

namespace orderlab {

/// A value on an axis: a text as written, a count in digits.
struct AxisValue {
  std::string text;
  std::string place;  ///< "FILE:LINE:COLUMN", of a default "FILE"
};

/// The values on one axis. Empty: absent.
using AxisValues = std::vector<AxisValue>;

/// Values that a point must have to be excluded: one of a list, or a count in a range.
struct Condition {
  std::size_t axis = 0;  ///< in axis_list()
  std::vector<std::string> values;
  std::uint64_t from = 0;
  std::uint64_t to = ~std::uint64_t{0};
};

struct ConfigFile {
  std::string path;
  std::string title;
  std::string question;
  PublishedPoints published;                     ///< points of the file that `published` names
  std::vector<AxisValues> axes;                  ///< one for each of axis_list(), defaults filled in
  std::vector<bool> given;                       ///< by axis: whether the config has it; else `axes` has its default
  std::vector<std::vector<Condition>> excluded;  ///< a point is left out that meets all conditions of one entry
};

/// Reads a config.
///
/// Error(input), "FILE:LINE:COLUMN: ...": more than 1 MiB, no TOML, a control character in a text, an unknown key (with
/// the nearest), a value of the wrong type or out of range, an empty axis, a missing one;
/// what read_published says of the file that it names.
ConfigFile read_config(const std::string& path);

}  // namespace orderlab
