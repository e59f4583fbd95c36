// The built-in axes, one line each.
#include <algorithm>
#include <array>

#include "config/axis.hpp"

// Points are the product in this order. The numbers are the places that an axis has elsewhere: in the JSON config of a
// sum and in that of an operation (0: not there), in the store's view, in reconstructed configs.
#define ORDERLAB_AXES(AXIS)        \
  AXIS(kDist, 2, 6, 2, 2)          \
  AXIS(kN, 1, 0, 1, 1)             \
  AXIS(kFormat, 5, 3, 5, 3)        \
  AXIS(kOrder, 6, 12, 6, 4)        \
  AXIS(kArrival, 7, 13, 7, 5)      \
  AXIS(kBaseline, 11, 16, 10, 6)   \
  AXIS(kSamples, 9, 14, 9, 8)      \
  AXIS(kMaxDistinct, 10, 0, 11, 9) \
  AXIS(kSeed, 8, 15, 8, 10)        \
  AXIS(kInputSeed, 3, 7, 4, 11)    \
  AXIS(kInput, 4, 8, 3, 7)         \
  AXIS(kOp, 0, 1, 12, 12)          \
  AXIS(kGpu, 0, 2, 13, 13)         \
  AXIS(kShape, 0, 4, 14, 14)       \
  AXIS(kRatio, 0, 5, 15, 15)       \
  AXIS(kWith, 0, 9, 16, 16)        \
  AXIS(kIndex, 0, 10, 17, 17)      \
  AXIS(kSelf, 0, 11, 18, 18)

namespace orderlab {

namespace axes {
#define ORDERLAB_DECLARE(axis, json, operation_json, view, toml) extern const Axis axis;
ORDERLAB_AXES(ORDERLAB_DECLARE)
}  // namespace axes

namespace {

struct ListedAxis {
  const Axis* axis;
  int json;
  int operation_json;
  int view;
  int toml;
};

#define ORDERLAB_LISTED(axis, json, operation_json, view, toml) \
  ListedAxis{&axes::axis, json, operation_json, view, toml},
constexpr std::array kListed{ORDERLAB_AXES(ORDERLAB_LISTED)};

using Place = int ListedAxis::*;

constexpr std::size_t count_at(Place place) {
  return static_cast<std::size_t>(
      std::count_if(kListed.begin(), kListed.end(), [place](const ListedAxis& one) { return one.*place > 0; }));
}

template <std::size_t kCount>
constexpr std::array<const Axis*, kCount> axes_by(Place place) {
  std::array<const Axis*, kCount> axes{};
  for (const ListedAxis& one : kListed)
    if (one.*place > 0) axes[static_cast<std::size_t>(one.*place - 1)] = one.axis;
  return axes;
}

// Places are 1, 2, ... to the last one.
constexpr bool are_places(Place place) {
  std::array<bool, kListed.size()> taken{};
  for (const ListedAxis& one : kListed) {
    const int here = one.*place;
    if (here == 0) continue;
    if (here < 0 || here > static_cast<int>(count_at(place)) || taken[static_cast<std::size_t>(here - 1)]) return false;
    taken[static_cast<std::size_t>(here - 1)] = true;
  }
  return true;
}
static_assert(are_places(&ListedAxis::json) && are_places(&ListedAxis::operation_json) &&
              are_places(&ListedAxis::view) && are_places(&ListedAxis::toml));
static_assert(count_at(&ListedAxis::view) == kListed.size() && count_at(&ListedAxis::toml) == kListed.size());

constexpr auto kAxes = [] {
  std::array<const Axis*, kListed.size()> axes{};
  std::transform(kListed.begin(), kListed.end(), axes.begin(), [](const ListedAxis& one) { return one.axis; });
  return axes;
}();
constexpr auto kByJson = axes_by<count_at(&ListedAxis::json)>(&ListedAxis::json);
constexpr auto kByOperationJson = axes_by<count_at(&ListedAxis::operation_json)>(&ListedAxis::operation_json);
constexpr auto kByView = axes_by<kListed.size()>(&ListedAxis::view);
constexpr auto kByToml = axes_by<kListed.size()>(&ListedAxis::toml);

}  // namespace

std::span<const Axis* const> axis_list() { return kAxes; }
std::span<const Axis* const> axes_in_json() { return kByJson; }
std::span<const Axis* const> axes_in_operation_json() { return kByOperationJson; }
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
