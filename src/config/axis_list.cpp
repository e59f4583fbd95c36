// The built-in axes, one line each.
#include <algorithm>
#include <array>

#include "config/axis.hpp"

// Points are the product in this order. The numbers are the places that an axis has elsewhere: in the JSON config, in
// the store's view, in reconstructed configs.
#define ORDERLAB_AXES(AXIS)     \
  AXIS(kDist, 2, 2, 2)          \
  AXIS(kN, 1, 1, 1)             \
  AXIS(kFormat, 5, 5, 3)        \
  AXIS(kOrder, 6, 6, 4)         \
  AXIS(kArrival, 7, 7, 5)       \
  AXIS(kBaseline, 11, 10, 6)    \
  AXIS(kSamples, 9, 9, 8)       \
  AXIS(kMaxDistinct, 10, 11, 9) \
  AXIS(kSeed, 8, 8, 10)         \
  AXIS(kInputSeed, 3, 4, 11)    \
  AXIS(kInput, 4, 3, 7)

namespace orderlab {

namespace axes {
#define ORDERLAB_DECLARE(axis, json, view, toml) extern const Axis axis;
ORDERLAB_AXES(ORDERLAB_DECLARE)
}  // namespace axes

namespace {

struct ListedAxis {
  const Axis* axis;
  int json;
  int view;
  int toml;
};

#define ORDERLAB_LISTED(axis, json, view, toml) ListedAxis{&axes::axis, json, view, toml},
constexpr std::array kListed{ORDERLAB_AXES(ORDERLAB_LISTED)};

using AxisArray = std::array<const Axis*, kListed.size()>;

constexpr AxisArray axes_of(std::array<ListedAxis, kListed.size()> listed) {
  AxisArray axes{};
  std::transform(listed.begin(), listed.end(), axes.begin(), [](const ListedAxis& one) { return one.axis; });
  return axes;
}

constexpr AxisArray axes_by(int ListedAxis::*place) {
  std::array<ListedAxis, kListed.size()> sorted = kListed;
  std::sort(sorted.begin(), sorted.end(),
            [&](const ListedAxis& a, const ListedAxis& b) { return a.*place < b.*place; });
  return axes_of(sorted);
}

// Places are 1, 2, ... to the last one.
constexpr bool are_places(int ListedAxis::*place) {
  std::array<bool, kListed.size()> taken{};
  for (const ListedAxis& one : kListed) {
    const int here = one.*place;
    if (here < 1 || here > static_cast<int>(taken.size()) || taken[static_cast<std::size_t>(here - 1)]) return false;
    taken[static_cast<std::size_t>(here - 1)] = true;
  }
  return true;
}
static_assert(are_places(&ListedAxis::json) && are_places(&ListedAxis::view) && are_places(&ListedAxis::toml));

constexpr AxisArray kAxes = axes_of(kListed);
constexpr AxisArray kByJson = axes_by(&ListedAxis::json);
constexpr AxisArray kByView = axes_by(&ListedAxis::view);
constexpr AxisArray kByToml = axes_by(&ListedAxis::toml);

}  // namespace

std::span<const Axis* const> axis_list() { return kAxes; }
std::span<const Axis* const> axes_in_json() { return kByJson; }
std::span<const Axis* const> axes_in_view() { return kByView; }
std::span<const Axis* const> axes_in_toml() { return kByToml; }

std::size_t axis_position(const Axis& axis) {
  return static_cast<std::size_t>(std::find(kAxes.begin(), kAxes.end(), &axis) - kAxes.begin());
}

std::size_t axis_position(std::string_view name) {
  const auto is_meant = [&](const Axis* axis) { return axis->name == name; };
  return static_cast<std::size_t>(std::find_if(kAxes.begin(), kAxes.end(), is_meant) - kAxes.begin());
}

}  // namespace orderlab
