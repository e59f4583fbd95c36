// What a config of a sweep says, as it was written: axes, exclusions, words. What it means is in sweep_plan.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orderlab {

/// A key whose values a config may list: an axis.
struct AxisKey {
  std::string_view name;
  std::string_view default_text;  ///< "" where it must be given, "-" where it may be absent
  bool count = false;             ///< whole numbers from `low` on; else texts
  std::uint64_t low = 0;
  std::string_view summary;
  std::string_view word = {};  ///< that may stand for a count
};

/// All of them. Points are the product in this order, the last one running fastest.
std::span<const AxisKey> axis_keys();

/// Position in axis_keys().
std::size_t axis_position(std::string_view name);

/// A value of a key: a text as written, a count in digits.
struct AxisValue {
  std::string text;
  std::string place;  ///< "FILE:LINE:COLUMN", of a default "FILE"
};

/// The values of one key. Empty: absent.
using AxisValues = std::vector<AxisValue>;

/// Values that a point must have to be excluded: one of a list, or a count in a range.
struct Condition {
  std::size_t axis = 0;
  std::vector<std::string> values;
  std::uint64_t from = 0;
  std::uint64_t to = ~std::uint64_t{0};
};

struct ConfigFile {
  std::string path;
  std::string title;
  std::string question;
  std::vector<AxisValues> axes;                  ///< one for each of axis_keys(), defaults filled in
  std::vector<std::vector<Condition>> excluded;  ///< a point is left out that meets all conditions of one entry
};

/// Reads a config.
///
/// Error(input), "FILE:LINE:COLUMN: ...": more than 1 MiB, no TOML, a control character in a text, an unknown key (with
/// the nearest), a value of the wrong type or out of range, an empty axis, a missing one.
ConfigFile read_config(const std::string& path);

}  // namespace orderlab
