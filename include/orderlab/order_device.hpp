// Which kind of device programs add on in a named order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace orderlab {

enum class OrderDevice : std::uint8_t {
  any,  ///< both
  cpu,
  gpu,
};

/// In the order of OrderDevice.
inline constexpr std::array<std::string_view, 3> kOrderDeviceNames{"any", "cpu", "gpu"};

constexpr std::string_view name_of(OrderDevice device) { return kOrderDeviceNames[static_cast<std::size_t>(device)]; }

/// The inverse. Error(usage) for another name.
OrderDevice order_device_of(std::string_view name);

/// The device of a built-in named order; any for other names.
OrderDevice device_of_order(std::string_view name);

/// Whether an order of the first is among those of the second.
constexpr bool among(OrderDevice device, OrderDevice asked) {
  return device == OrderDevice::any || asked == OrderDevice::any || device == asked;
}

}  // namespace orderlab
