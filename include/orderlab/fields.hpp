// Tables of the fields of a struct: what JSON, CSV and stores write and read of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "orderlab/value.hpp"

namespace orderlab {

/// One field of a struct: a value, or a group of fields, which is a struct itself.
struct Field {
  std::string_view name;  ///< empty: the struct shows as this value alone
  const void* member;     ///< which member it is (kMember)

  /// For a value. `get` is empty where the field is left out, not null; `set` is false for a value of another type.
  std::optional<Value> (*get)(const void* object) = nullptr;
  bool (*set)(void* object, const Value& value) = nullptr;

  /// For a group: the struct inside, null where it is left out; `open` makes it.
  const void* (*inside)(const void* object) = nullptr;
  void* (*open)(void* object) = nullptr;
  std::span<const Field> fields = {};
};

namespace detail {

template <class T, class C>
C class_of(T C::*);

/// `member` of the object behind a pointer.
template <auto member>
struct At {
  using Class = decltype(class_of(member));
  static const auto& in(const void* object) { return static_cast<const Class*>(object)->*member; }
  static auto& in(void* object) { return static_cast<Class*>(object)->*member; }
};

inline std::optional<Value> shown(double value) { return value; }
inline std::optional<Value> shown(std::uint64_t value) { return value; }
inline std::optional<Value> shown(const std::string& value) { return value; }
inline std::optional<Value> shown(const Value& value) { return value; }
template <class T>
std::optional<Value> shown(const std::optional<T>& value) {
  if (value) return Value(*value);
  return Value();
}
template <class T>
std::optional<Value> shown(const std::optional<std::optional<T>>& value) {  // known to be none, or not even known
  return value ? shown(*value) : std::nullopt;
}

bool take(const Value& value, double& to);
bool take(const Value& value, std::uint64_t& to);
bool take(const Value& value, std::string& to);
bool take(const Value& value, Value& to);
template <class T>
bool take(const Value& value, std::optional<T>& to) {
  if (!std::holds_alternative<std::monostate>(value)) return take(value, to.emplace());
  to.reset();
  return true;
}
template <class T>
bool take(const Value& value, std::optional<std::optional<T>>& to) {
  return take(value, to.emplace());
}

template <class T>
const void* inside(const T& group) {
  return &group;
}
template <class T>
const void* inside(const std::optional<T>& group) {
  return group ? &*group : nullptr;
}
template <class T>
void* open(T& group) {
  return &group;
}
template <class T>
void* open(std::optional<T>& group) {
  return &group.emplace();
}

}  // namespace detail

/// Its address stands for a member of a struct.
template <auto member>
inline constexpr char kMember = 0;

/// A member of type double, std::uint64_t, std::string or Value, or optional: null without a value. An optional in an
/// optional is left out where the outer one has none.
template <auto member>
constexpr Field field(std::string_view name) {
  using At = detail::At<member>;
  return {.name = name,
          .member = &kMember<member>,
          .get = [](const void* object) { return detail::shown(At::in(object)); },
          .set = [](void* object, const Value& value) { return detail::take(value, At::in(object)); }};
}

/// A member of a member that is a struct.
template <auto outer, auto member>
constexpr Field field_of(std::string_view name) {
  using Outer = detail::At<outer>;
  return {.name = name,
          .member = &kMember<member>,
          .get = [](const void* object) { return detail::shown(Outer::in(object).*member); },
          .set = [](void* object, const Value& value) { return detail::take(value, Outer::in(object).*member); }};
}

/// A member that is a struct with fields; an optional one is left out where there is none.
template <auto member>
constexpr Field group(std::string_view name, std::span<const Field> fields) {
  using At = detail::At<member>;
  return {.name = name,
          .member = &kMember<member>,
          .inside = [](const void* object) { return detail::inside(At::in(object)); },
          .open = [](void* object) { return detail::open(At::in(object)); },
          .fields = fields};
}

/// Fields of the struct itself under a name of their own.
constexpr Field nested(std::string_view name, std::span<const Field> fields) {
  return {.name = name,
          .member = nullptr,
          .inside = [](const void* object) { return object; },
          .open = [](void* object) { return object; },
          .fields = fields};
}

/// The element `i` of a member that is an array of structs.
template <auto member, std::size_t i>
constexpr Field element(std::string_view name, std::span<const Field> fields) {
  using At = detail::At<member>;
  return {.name = name,
          .member = nullptr,
          .inside = [](const void* object) -> const void* { return &At::in(object)[i]; },
          .open = [](void* object) -> void* { return &At::in(object)[i]; },
          .fields = fields};
}

}  // namespace orderlab
