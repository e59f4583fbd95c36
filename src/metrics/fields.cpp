#include "orderlab/fields.hpp"

#include <limits>

namespace orderlab::detail {

bool take(const Value& value, double& to) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (const auto* number = std::get_if<double>(&value)) {
    to = *number;
  } else if (const auto* count = std::get_if<std::uint64_t>(&value)) {
    to = static_cast<double>(*count);
  } else if (const auto* text = std::get_if<std::string>(&value)) {  // what JSON has no number for
    if (*text == "inf")
      to = kInfinity;
    else if (*text == "-inf")
      to = -kInfinity;
    else if (*text == "nan")
      to = std::numeric_limits<double>::quiet_NaN();
    else
      return false;
  } else {
    return false;
  }
  return true;
}

bool take(const Value& value, std::uint64_t& to) {
  const auto* count = std::get_if<std::uint64_t>(&value);
  if (count != nullptr) to = *count;
  return count != nullptr;
}

bool take(const Value& value, std::string& to) {
  const auto* text = std::get_if<std::string>(&value);
  if (text != nullptr) to = *text;
  return text != nullptr;
}

bool take(const Value& value, Value& to) {
  to = value;
  return true;
}

}  // namespace orderlab::detail
