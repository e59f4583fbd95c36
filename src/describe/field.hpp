// What makes the fields of tables (describe/table.hpp), from members and functions of the struct. One table gives the
// struct's JSON, the schema of it, rows of CSV and of text, and its reader. What a table has wrong is an error of the
// compiler, which names the function that no constant may call. Long, since the kinds of fields share their accesses.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "describe/table.hpp"
#include "orderlab/value.hpp"

namespace orderlab::described {

namespace detail {

template <class T>
struct ClassOf;
template <class C, class T>
struct ClassOf<T C::*> {
  using Type = C;
};
template <class F, class C, class R>
struct ClassOf<R (F::*)(const C&) const> {
  using Type = C;
};
template <class F>
requires requires { &F::operator(); }
struct ClassOf<F> : ClassOf<decltype(&F::operator())> {};

/// A member of a member, and so on.
template <auto first, auto... more>
struct Path {};
template <auto first, auto... more>
struct ClassOf<Path<first, more...>> {
  using Type = typename ClassOf<decltype(first)>::Type;
};

template <class C, class T>
constexpr decltype(auto) reach(C& object, T member) {
  if constexpr (std::is_member_function_pointer_v<T>)
    return (object.*member)();
  else
    return (object.*member);
}
template <class C, auto first, auto... more>
constexpr auto& reach(C& object, Path<first, more...>) {
  return ((object.*first).*....*more);
}

/// A member of the struct: data, a path, or a function.
template <auto member>
struct Member {
  using Class = typename ClassOf<std::remove_cv_t<decltype(member)>>::Type;
  static decltype(auto) in(const void* object) { return reach(*static_cast<const Class*>(object), member); }
  static decltype(auto) in(void* object) { return reach(*static_cast<Class*>(object), member); }
  static constexpr bool kStored = !std::is_member_function_pointer_v<std::remove_cv_t<decltype(member)>>;
};

/// The element `i` of a member that is an array.
template <auto member, std::size_t i>
struct Element {
  using Class = typename Member<member>::Class;
  static const auto& in(const void* object) { return Member<member>::in(object)[i]; }
  static auto& in(void* object) { return Member<member>::in(object)[i]; }
  static constexpr bool kStored = true;
};

/// What a function without captures makes of the struct.
template <class F>
requires requires { &F::operator(); }
struct Made {
  using Class = typename ClassOf<F>::Type;
  static decltype(auto) in(const void* object) { return F{}(*static_cast<const Class*>(object)); }
  static constexpr bool kStored = false;
};

/// The struct itself.
template <class T>
struct Itself {
  using Class = T;
  static const T& in(const void* object) { return *static_cast<const T*>(object); }
  static T& in(void* object) { return *static_cast<T*>(object); }
  static constexpr bool kStored = true;
};

template <class Access>
using TypeOf = std::remove_cvref_t<decltype(Access::in(static_cast<const void*>(nullptr)))>;

/// A function that takes a value which was read.
template <class G, class Access>
concept Takes = std::predicate<G, typename Access::Class&, TypeOf<Access>>;

template <class T>
inline constexpr bool kOptional = false;
template <class T>
inline constexpr bool kOptional<std::optional<T>> = true;
template <class T>
requires std::is_class_v<T>
inline constexpr bool kOptional<const T*> = true;  // null: there is none
template <class T>
inline constexpr bool kNullable = false;  // may be left out, or null
template <class T>
inline constexpr bool kNullable<std::optional<std::optional<T>>> = true;
template <class T>
concept List = std::ranges::range<T> && !std::convertible_to<T, std::string_view>;
template <class T>
inline constexpr bool kOptionalList = false;  // may be left out though it may be empty
template <List T>
inline constexpr bool kOptionalList<std::optional<T>> = true;

template <class T>
std::optional<Value> shown(const T& value) {
  if constexpr (std::is_same_v<T, std::optional<Value>>) {
    return value;  // left out, or null
  } else if constexpr (kOptional<T>) {
    if (value) return shown(*value);
    return Value();
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double> || std::is_same_v<T, Value>) {
    return Value(value);
  } else if constexpr (std::is_integral_v<T>) {
    return Value(static_cast<std::uint64_t>(value));
  } else {
    return Value(std::string(value));
  }
}

template <class T>
bool take(const Value& value, T& to) {
  if constexpr (kOptional<T>) {
    if (!std::holds_alternative<std::monostate>(value)) return take(value, to.emplace());
    to.reset();
    return true;
  } else if constexpr (std::is_same_v<T, Value>) {
    to = value;
    return true;
  } else {
    const auto set = [&](const auto* given) {
      if (given != nullptr) to = static_cast<T>(*given);
      return given != nullptr;
    };
    if constexpr (std::is_same_v<T, bool>)
      return set(std::get_if<bool>(&value));
    else if constexpr (std::is_integral_v<T>)
      return set(std::get_if<std::uint64_t>(&value));
    else if constexpr (std::is_floating_point_v<T>)
      return set(std::get_if<double>(&value)) || set(std::get_if<std::uint64_t>(&value));
    else
      return set(std::get_if<std::string>(&value));
  }
}

template <class T>
constexpr bool fits(Holds holds) {
  if constexpr (kOptional<T>)
    return fits<std::remove_cvref_t<decltype(*std::declval<const T&>())>>(holds);
  else if constexpr (std::is_same_v<T, bool>)
    return holds == Holds::truth;
  else if constexpr (std::is_floating_point_v<T>)
    return holds == Holds::number;
  else if constexpr (std::is_integral_v<T>)
    return holds == Holds::count;
  else
    return holds == Holds::text || std::is_same_v<T, Value>;
}

// No constant may call these: the compiler prints the name of the one that a table calls.
void a_field_needs_a_name();
void help_has_no_stop_at_its_end();
void a_field_has_a_kind_or_a_table();
void the_kind_does_not_fit_the_type();
void what_may_be_empty_says_when_it_is_null_or_absent();
void a_kind_that_is_never_null();

template <class T>
constexpr void check(const Said& said) {
  if (said.name.empty()) a_field_needs_a_name();
  const bool of_table = said.help.empty() && said.table != nullptr;
  if ((said.help.empty() && !of_table) || said.help.ends_with('.')) help_has_no_stop_at_its_end();
  if ((said.kind != nullptr) == (said.table != nullptr)) a_field_has_a_kind_or_a_table();
  if (kOptional<T> && said.null.empty() && said.absent.empty()) what_may_be_empty_says_when_it_is_null_or_absent();
  if (said.kind == nullptr) return;
  if (!fits<T>(said.kind->holds)) the_kind_does_not_fit_the_type();
  if (!said.null.empty() && said.kind->or_null.empty() && said.words.empty()) a_kind_that_is_never_null();
}

template <class Access>
consteval Field value(const Said& said) {
  check<TypeOf<Access>>(said);
  Field field{said};
  field.type = &kType<typename Access::Class>;
  field.get = [](const void* object) { return shown(Access::in(object)); };
  if constexpr (Access::kStored)
    field.set = [](void* object, const Value& value) { return take(value, Access::in(object)); };
  return field;
}

template <class Access>
consteval Field part(const Said& said) {
  using T = TypeOf<Access>;
  Field field{said};
  field.type = &kType<typename Access::Class>;
  field.list = List<T> || kOptionalList<T>;
  field.each = [](const void* object, const Use& use) {
    const auto& inside = Access::in(object);
    if constexpr (List<T>) {
      for (const auto& one : inside) use(&one);
    } else if constexpr (kOptionalList<T>) {
      if (inside) use(nullptr);
      if (inside)
        for (const auto& one : *inside) use(&one);
    } else if constexpr (kNullable<T>) {
      if (inside) use(*inside ? &**inside : nullptr);
    } else if constexpr (kOptional<T>) {
      if (inside) use(&*inside);
    } else {
      use(&inside);
    }
  };
  if constexpr (Access::kStored && !kNullable<T> && !kOptionalList<T>)
    field.open = [](void* object, [[maybe_unused]] std::size_t i) -> void* {
      auto& inside = Access::in(object);
      if constexpr (List<T>)
        return i < inside.size() ? &inside[i] : &inside.emplace_back();
      else if constexpr (kOptional<T>)
        return &inside.emplace();
      else
        return &inside;
    };
  return field;
}

template <class T>
struct Inside {
  using Type = T;
};
template <class T>
struct Inside<std::optional<T>> {
  using Type = T;
};
template <class T>
struct Inside<const T*> {
  using Type = T;
};
template <class T>
struct Inside<std::optional<std::optional<T>>> {
  using Type = T;
};
template <List T>
struct Inside<std::optional<T>> {
  using Type = std::ranges::range_value_t<T>;
};
template <List T>
struct Inside<T> {
  using Type = std::ranges::range_value_t<T>;
};

}  // namespace detail

/// A member of a member, and so on, wherever a member is named: kThrough<&Finding::request, &Request::seed>.
template <auto first, auto... more>
inline constexpr detail::Path<first, more...> kThrough;

/// The table of what is inside a member, or what a function gives: of the element of a list.
template <class Access>
using TableInside = TableOf<typename detail::Inside<detail::TypeOf<Access>>::Type>;

/// A value that is a member.
template <auto member>
consteval Field value(std::string_view name, const Kind& kind, std::string_view help, More more = {}) {
  return detail::value<detail::Member<member>>({more, name, help, &kind, nullptr});
}

/// A value that a function without captures makes of the struct.
template <class F>
consteval Field value(std::string_view name, const Kind& kind, std::string_view help, F, More more = {}) {
  return detail::value<detail::Made<F>>({more, name, help, &kind, nullptr});
}

/// The same; another function takes the value that is read, and says whether it can be.
template <class F, detail::Takes<detail::Made<F>> G>
consteval Field value(std::string_view name, const Kind& kind, std::string_view help, F, G, More more = {}) {
  using Access = detail::Made<F>;
  Field field = detail::value<Access>({more, name, help, &kind, nullptr});
  field.set = [](void* object, const Value& value) {
    detail::TypeOf<Access> taken{};
    return detail::take(value, taken) && G{}(*static_cast<typename Access::Class*>(object), taken);
  };
  return field;
}

/// A value that is always the same: `json`.
template <class T>
consteval Field constant(std::string_view name, const Kind& kind, std::string_view help, std::string_view json) {
  const Said said{{.constant = json}, name, help, &kind, nullptr};
  Field field{said};
  field.type = &detail::kType<T>;
  return field;
}

namespace detail {

template <const auto& words>
struct TheseWords {
  static constexpr std::span<const std::string_view> get() { return words; }
};

/// An enum whose enumerators, from 0 on, have the words that Words::get() gives.
template <class Access, class Words>
consteval Field word(Said said) {
  said.words = Words::get();
  check<std::string>(said);
  Field field{said};
  field.type = &kType<typename Access::Class>;
  field.get = [](const void* object) { return shown(Words::get()[static_cast<std::size_t>(Access::in(object))]); };
  field.set = [](void* object, const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    for (std::size_t i = 0; text != nullptr && i < Words::get().size(); ++i)
      if (Words::get()[i] == *text) {
        Access::in(object) = static_cast<TypeOf<Access>>(i);
        return true;
      }
    return false;
  };
  return field;
}

}  // namespace detail

/// An enum whose enumerators, from 0 on, have these words.
template <auto member, const auto& words>
consteval Field word(std::string_view name, const Kind& kind, std::string_view help, More more = {}) {
  return detail::word<detail::Member<member>, detail::TheseWords<words>>({more, name, help, &kind, nullptr});
}

/// A member that is a struct, an optional one, or a list of them.
template <auto member>
consteval Field part(std::string_view name, const TableInside<detail::Member<member>>& table, std::string_view help,
                     More more = {}) {
  using Access = detail::Member<member>;
  const Said said{more, name, help, nullptr, &table};
  detail::check<detail::TypeOf<Access>>(said);
  return detail::part<Access>(said);
}

/// A struct, a pointer to one or to nothing, or a list of structs, that a function without captures makes of the
/// struct.
template <class F>
consteval Field part(std::string_view name, const TableInside<detail::Made<F>>& table, std::string_view help, F,
                     More more = {}) {
  using Access = detail::Made<F>;
  const Said said{more, name, help, nullptr, &table};
  detail::check<detail::TypeOf<Access>>(said);
  return detail::part<Access>(said);
}

/// The same; the table says what it is.
template <auto member>
consteval Field part(std::string_view name, const TableInside<detail::Member<member>>& table, More more = {}) {
  return part<member>(name, table, {}, more);
}
template <class F>
consteval Field part(std::string_view name, const TableInside<detail::Made<F>>& table, F made, More more = {}) {
  return part(name, table, {}, made, more);
}

/// The element `i` of a member that is an array of structs.
template <auto member, std::size_t i>
consteval Field element(std::string_view name, const TableInside<detail::Element<member, i>>& table,
                        std::string_view help, More more = {}) {
  const Said said{more, name, help, nullptr, &table};
  detail::check<detail::TypeOf<detail::Element<member, i>>>(said);
  return detail::part<detail::Element<member, i>>(said);
}

/// A part that is an optional member; where it is empty, another member is a value in its place.
template <auto member, auto other>
consteval Field either(std::string_view name, const TableInside<detail::Member<member>>& table, const Kind& kind,
                       std::string_view help) {
  using Other = detail::Member<other>;
  static_assert(detail::fits<detail::TypeOf<Other>>(Holds::text));
  Field field = detail::part<detail::Member<member>>({{}, name, help, &kind, &table});
  field.get = [](const void* object) { return detail::shown(Other::in(object)); };
  field.set = [](void* object, const Value& value) { return detail::take(value, Other::in(object)); };
  return field;
}

/// Fields of the struct itself under a name.
template <class T>
consteval Field group(std::string_view name, const TableOf<T>& table, std::string_view help, More more = {}) {
  const Said said{more, name, help, nullptr, &table};
  detail::check<T>(said);
  return detail::part<detail::Itself<T>>(said);
}
template <class T>
consteval Field group(std::string_view name, const TableOf<T>& table, More more = {}) {
  return group(name, table, {}, more);
}

/// Fields of a struct inside, beside those of the one around it.
template <auto member>
consteval Field merged(const TableInside<detail::Member<member>>& table) {
  Field field = detail::part<detail::Member<member>>({{}, {}, {}, nullptr, &table});
  field.merged = true;
  return field;
}
template <class T>
consteval Field merged(const TableOf<T>& table) {  // a field of the struct itself
  Field field = detail::part<detail::Itself<T>>({{}, {}, {}, nullptr, &table});
  field.merged = true;
  return field;
}
template <class F>
consteval Field merged(F, const TableInside<detail::Made<F>>& table) {
  Field field = detail::part<detail::Made<F>>({{}, {}, {}, nullptr, &table});
  field.merged = true;
  return field;
}

/// Fields of the struct itself that a list has, whose length is not known here.
template <class T>
consteval Field listed(const Table& (*table)()) {
  Field field = detail::part<detail::Itself<T>>({});
  field.merged = true;
  field.listed = table;
  return field;
}

/// The struct as a value, such as an element of a list of numbers: a table with this field alone has no names.
template <class T>
consteval Field itself(const Kind& kind) {
  Field field{{{}, {}, {}, &kind, nullptr}};
  field.type = &detail::kType<T>;
  field.get = [](const void* object) { return detail::shown(*static_cast<const T*>(object)); };
  field.set = [](void* object, const Value& value) { return detail::take(value, *static_cast<T*>(object)); };
  return field;
}

/// A member as the value that stands for the struct.
template <auto member>
consteval Field itself(const Kind& kind) {
  Field field = detail::value<detail::Member<member>>({{}, "value", "Value", &kind, nullptr});
  field.name = field.help = {};
  return field;
}

/// A list as an element of another list: the only field of its table, too. Help may be empty.
template <detail::List T>
consteval Field itself(const TableOf<std::ranges::range_value_t<T>>& table, std::string_view help) {
  return detail::part<detail::Itself<T>>({{}, {}, help, nullptr, &table});
}

}  // namespace orderlab::described
