// The axes of sweeps: what a config may list values of. Each describes itself; configs, plans, JSON, the store's view,
// pages and flags of commands loop over the list, or ask it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace orderlab {

struct PointConfig;

/// A value on an axis is a text. That of a count is digits, or the axis's `word`, or a file; that of a real number is
/// its shortest decimal.
enum class AxisKind : std::uint8_t { text, count, real };

/// Which points an axis says something of.
enum class AxisUse : std::uint8_t { both, sums, operations };

/// What an axis says something of.
enum class AxisPart : std::uint8_t {
  terms,
  order,     ///< each order, where a command compares several
  sampling,  ///< how orders are drawn, and what is done with results
};

/// What charts make of points that differ on an axis.
enum class AxisRole : std::uint8_t {
  facet,   ///< panels, or parts of their names
  series,  ///< lines
  size,    ///< places on the horizontal axis
  input,   ///< inputs of one mark
  none,    ///< nothing
};

/// Default of an axis that may be absent.
inline constexpr std::string_view kAbsent = "-";

struct Axis {
  std::string_view name = {};          ///< key in configs, TOML and JSON; title in tables of plans
  std::string_view default_text = {};  ///< empty: it must be given
  std::string_view help = {};
  AxisKind kind = AxisKind::text;
  std::uint64_t low = 0;  ///< least value of a count
  std::uint64_t high = ~std::uint64_t{0};
  std::string_view word = {};  ///< word that may stand for a count
  bool or_file = false;        ///< a text that is no count is the path of a file
  AxisUse use = AxisUse::both;
  std::string_view operation_default = {};  ///< where it differs for operations
  AxisPart part = AxisPart::sampling;
  AxisRole role = AxisRole::facet;

  std::string_view column = {};       ///< in the store's view
  std::string_view exported = {};     ///< key in exports of an axis that the JSON leaves out where it has its default
  bool null_where_absent = false;     ///< in the JSON, which else leaves it out
  std::string_view chart_title = {};  ///< where it is not the name
  bool always_shown = false;          ///< in tables of plans, also where all points have one value
  bool always_written = false;        ///< in reconstructed configs, also where it has its default

  /// The canonical text of a text as a config writes it. Null: the same text. Error(usage).
  std::string (*canonical)(std::string_view text) = nullptr;

  /// The point's text. Null, as is then `set`: PointConfig::recorded has it.
  std::string (*get)(const PointConfig& point) = nullptr;

  /// Gives the point a canonical text.
  void (*set)(PointConfig& point, const std::string& text) = nullptr;

  /// Text in the JSON config, empty where it has none, and what reads that. Null: as `get` and `set`.
  std::string (*stored)(const PointConfig& point) = nullptr;
  void (*restore)(PointConfig& point, const std::string& text) = nullptr;

  /// What charts write. Null: the text, that of a count after "NAME = ".
  std::string (*words)(const PointConfig& point) = nullptr;
};

/// All of them. Points are the product in this order, the last one running fastest.
std::span<const Axis* const> axis_list();

/// Positions in axis_list(): of an axis, and of a name that an axis has.
std::size_t axis_position(const Axis& axis);
std::size_t axis_position(std::string_view name);

/// As they stand in the JSON config of a sum, and in that of an operation: those that it may have.
std::span<const Axis* const> axes_in_json();
std::span<const Axis* const> axes_in_operation_json();

/// All of them, as they stand in the store's view, and in reconstructed configs.
std::span<const Axis* const> axes_in_view();
std::span<const Axis* const> axes_in_toml();

/// The axes that code names.
namespace axes {
extern const Axis kDist;
extern const Axis kN;
extern const Axis kFormat;
extern const Axis kOrder;
extern const Axis kArrival;
extern const Axis kBaseline;
extern const Axis kSamples;
extern const Axis kMaxDistinct;
extern const Axis kSeed;
extern const Axis kInputSeed;
extern const Axis kInput;
extern const Axis kOp;
extern const Axis kGpu;
extern const Axis kShape;
extern const Axis kRatio;
extern const Axis kWith;
extern const Axis kIndex;
extern const Axis kSelf;
}  // namespace axes

}  // namespace orderlab
