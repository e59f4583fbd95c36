// Tables of options: which flag is which member of the request of a question. What is typed, the default, the bounds
// and the key in a config come from one row.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "describe/field.hpp"
#include "describe/flag.hpp"
#include "describe/kinds.hpp"

namespace orderlab {

struct Option {
  const Flag* flag = nullptr;
  const char* type = nullptr;  ///< the request that has it

  /// Gives the request what was typed. Error(usage), "--samples 0: must be ...".
  void (*take)(const Flag& flag, void* request, const std::string& text) = nullptr;

  std::string (*text)(const Flag& flag, const void* request) = nullptr;  ///< as it could be typed; empty: it has none
  std::optional<double> (*number)(const void* request) = nullptr;        ///< the number, where the request has one

  /// The most of a number, where that is less than other requests take.
  double high = std::numeric_limits<double>::infinity();
};

/// The flag with the bounds that it has in this request.
constexpr Flag flag_of(const Option& option) {
  Flag flag = *option.flag;
  if (option.high < flag.high) flag.high = option.high;
  return flag;
}

/// The options of one request.
struct Options {
  std::span<const Option> rows;
  const void* (*fresh)();  ///< a request in which nothing was given
};

/// What is wrong with a number: "must be from 1 to 10^6"; empty where it is in bounds.
std::string problem_with(const Flag& flag, double number);

/// The value of a flag that is left out: its own, or what a fresh request has. Empty where requests differ in it.
std::string default_text(const Flag& flag, std::span<const Options* const> options);

/// Throws RequestError for the first number that is out of bounds.
void check_bounds(const Options& options, const void* request);

namespace options {

// No constant may call these: the compiler prints the name of the one that a table calls.
void the_kind_of_the_flag_does_not_fit_the_type();
void an_option_of_another_request();

template <class T>
struct Given {
  using Type = T;
};
template <class T>
struct Given<std::optional<T>> {
  using Type = T;
};

std::string text_of(std::uint64_t value);
std::string text_of(double value);
std::uint64_t count_of(const Flag& flag, const std::string& text);
double real_of(const Flag& flag, const std::string& text);
std::size_t word_of(const Flag& flag, const std::string& text);  ///< its place among the words

template <class T>
constexpr bool fits(FlagKind kind) {
  if constexpr (std::is_same_v<T, bool>)
    return kind == FlagKind::toggle;
  else if constexpr (std::is_integral_v<T>)
    return kind == FlagKind::count;
  else if constexpr (std::is_floating_point_v<T>)
    return kind == FlagKind::fraction || kind == FlagKind::text;
  else if constexpr (std::is_enum_v<T>)
    return kind == FlagKind::word;
  else
    return std::is_same_v<T, std::string>;
}

template <class T>
T read(const Flag& flag, const std::string& text) {
  if constexpr (std::is_same_v<T, bool>)
    return true;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(count_of(flag, text));
  else if constexpr (std::is_floating_point_v<T>)
    return real_of(flag, text);
  else if constexpr (std::is_enum_v<T>)
    return static_cast<T>(word_of(flag, text));
  else
    return text;
}

template <class T>
std::string text([[maybe_unused]] const Flag& flag, const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return {};
  else if constexpr (std::is_signed_v<T> && std::is_integral_v<T>)
    return std::to_string(value);
  else if constexpr (std::is_integral_v<T>)
    return text_of(static_cast<std::uint64_t>(value));
  else if constexpr (std::is_floating_point_v<T>)
    return text_of(value);
  else if constexpr (std::is_enum_v<T>)
    return std::string(flag.words[static_cast<std::size_t>(value)]);
  else
    return value;
}

template <class T>
std::optional<double> number(const T& value) {
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
    return static_cast<double>(value);
  else
    return std::nullopt;
}

template <auto member, auto read, auto text>
consteval Option row(const Flag& flag) {
  using At = described::detail::Member<member>;
  using T = described::detail::TypeOf<At>;
  using Value = typename Given<T>::Type;
  Option option{&flag, &described::detail::kType<typename At::Class>};
  option.take = [](const Flag& own, void* request, const std::string& typed) { At::in(request) = read(own, typed); };
  option.text = [](const Flag& own, const void* request) -> std::string {
    const T& value = At::in(request);
    if constexpr (std::is_same_v<T, Value>)
      return text(own, value);
    else
      return value ? text(own, *value) : std::string();
  };
  option.number = [](const void* request) -> std::optional<double> {
    const T& value = At::in(request);
    if constexpr (std::is_same_v<T, Value>)
      return number(value);
    else
      return value ? number(*value) : std::nullopt;
  };
  return option;
}

}  // namespace options

/// A member that may be optional: a number, a text, whether a flag was given, or an enum whose enumerators, from 0 on,
/// are the flag's words. A number is at most `high`.
template <auto member>
consteval Option option(const Flag& flag, double high = std::numeric_limits<double>::infinity()) {
  using T = typename options::Given<described::detail::TypeOf<described::detail::Member<member>>>::Type;
  if (!options::fits<T>(flag.kind)) options::the_kind_of_the_flag_does_not_fit_the_type();
  Option made = options::row<member, options::read<T>, options::text<T>>(flag);
  made.high = high;
  return made;
}

/// A member with a grammar of its own: `read` makes it of what was typed, Error(usage); `text` is the inverse.
template <auto member, auto read, auto text>
consteval Option option(const Flag& flag) {
  return options::row<member, read, text>(flag);
}

/// The options of a request of type T.
template <class T>
struct OptionsOf : Options {
  consteval OptionsOf(std::span<const Option> all) requires std::default_initializable<T> : OptionsOf(all, [] {
    static const T kRequest;
    return static_cast<const void*>(&kRequest);
  }) {}
  consteval OptionsOf(std::span<const Option> all, const void* (*make)()) : Options{all, make} {
    for (const Option& one : all)
      if (one.type != &described::detail::kType<T>) options::an_option_of_another_request();
  }

  void check(const T& request) const { check_bounds(*this, &request); }
};

namespace described {

namespace detail {

template <class F>
concept Function = requires {
  &F::operator();
};

constexpr std::string_view config_help_of(const Flag& flag) {
  return flag.config_help.empty() ? flag.help : flag.config_help;
}

template <const Flag& flag>
struct WordsOf {
  static constexpr std::span<const std::string_view> get() { return flag.words; }
};

consteval Field of_flag(Field field, const Flag& flag) {
  field.flag = true;
  if (flag.kind == FlagKind::word) field.words = flag.words;
  return field;
}

}  // namespace detail

/// An option of the request in a finding's config: the flag says its name, and what it means.
template <auto member>
consteval Field value(const Flag& flag, const Kind& kind, More more = {}) {
  return detail::of_flag(value<member>(flag.key, kind, detail::config_help_of(flag), more), flag);
}

/// The same; a function without captures makes the value of the struct.
template <detail::Function F>
consteval Field value(const Flag& flag, const Kind& kind, F get, More more = {}) {
  return detail::of_flag(value(flag.key, kind, detail::config_help_of(flag), get, more), flag);
}

/// The same; another function takes the value that is read, and says whether it can be.
template <detail::Function F, detail::Takes<detail::Made<F>> G>
consteval Field value(const Flag& flag, const Kind& kind, F get, G set, More more = {}) {
  return detail::of_flag(value(flag.key, kind, detail::config_help_of(flag), get, set, more), flag);
}

/// The same for an enum whose enumerators, from 0 on, are the flag's words.
template <auto member, const Flag& flag>
consteval Field word(More more = {}) {
  const Said said{more, flag.key, detail::config_help_of(flag), &kinds::kText, nullptr};
  return detail::of_flag(detail::word<detail::Member<member>, detail::WordsOf<flag>>(said), flag);
}

}  // namespace described

}  // namespace orderlab
