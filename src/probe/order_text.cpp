#include "probe/order_text.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kMostCount = 1024;

// Empty for a count that the order does not take.
std::optional<Order> read(const std::string& text) {
  try {
    return parse_order(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Texts of a named order: its name where it has no parameters, with each count where it has one.
template <class Visit>
bool any_text(const NamedOrder& named, std::size_t n, Visit visit) {
  const std::string name(named.name);
  if (named.parameters.empty()) return visit(name);
  const bool one = named.parameters.size() == 1 || named.parameters[1].keyword_only;  // or options after it
  if (!one || named.parameters.front().kind != ParameterKind::count) return visit(name);
  const Parameter& parameter = named.parameters.front();
  for (std::size_t count = 1; count <= std::min(n, kMostCount); ++count) {
    const auto value = static_cast<double>(count);
    if (value < parameter.low || value > parameter.high) continue;
    if (visit(name + "(" + std::to_string(count) + ")")) return true;
  }
  return false;
}

}  // namespace

WrittenOrder written(const Order& order, std::size_t n) {
  const std::string expression = order.expression();
  for (const NamedOrder& named : named_orders()) {
    WrittenOrder found{expression, order};
    const bool same = any_text(named, n, [&](const std::string& text) {
      const std::optional<Order> other = read(text);
      if (!other || other->expression() != expression) return false;
      found = {text, *other};
      return true;
    });
    if (same) return found;
  }
  return {expression, order};
}

}  // namespace orderlab
