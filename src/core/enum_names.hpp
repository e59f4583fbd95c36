// The names of all enumerators of an enum, for lists of words, and back: name_of has each, and nothing else does.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace orderlab {

namespace detail {
template <class Enum, std::size_t first, std::size_t... i>
constexpr std::array<std::string_view, sizeof...(i)> enum_names(std::index_sequence<i...>) {
  return {name_of(static_cast<Enum>(first + i))...};
}
template <auto first, auto last>
inline constexpr auto kEnumNames = enum_names<decltype(last), static_cast<std::size_t>(first)>(
    std::make_index_sequence<static_cast<std::size_t>(last) - static_cast<std::size_t>(first) + 1>());
}  // namespace detail

/// The names of the enumerators from `first` to `last`, of an enum whose enumerators count up.
template <auto first, decltype(first) last>
constexpr const auto& names_from() {
  return detail::kEnumNames<first, last>;
}

/// The same from the first of the enum on, which is 0: entry i is the name of enumerator i.
template <auto last>
constexpr const auto& names_through() {
  return detail::kEnumNames<decltype(last){}, last>;
}

/// The enumerator, up to `last`, of this name; empty where there is none.
template <auto last>
constexpr std::optional<decltype(last)> enumerator_named(std::string_view name) {
  const auto& names = names_through<last>();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<decltype(last)>(i);
  return {};
}

}  // namespace orderlab
