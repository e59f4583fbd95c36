// JSON of structs by the tables of their fields, and back.
#pragma once

#include "config/json.hpp"
#include "describe/table.hpp"

namespace orderlab::described {

/// What is inside a field, one by one.
template <class F>
void each_inside(const Field& field, const void* object, const F& call) {
  field.each(object, {&call, [](const void* state, const void* inside) { (*static_cast<const F*>(state))(inside); }});
}

namespace detail {
Json to_json(const Table& table, const void* object);
void read(const Table& table, const Json& json, void* object, bool whole);
}  // namespace detail

/// The struct as JSON, its fields in the order of the table.
template <class T>
Json to_json(const TableOf<T>& table, const T& object) {
  return detail::to_json(table, &object);
}

/// The inverse, for fields that are members; what `json` has not is left as it is. Error(input) for a value of another
/// type.
template <class T>
void read(const TableOf<T>& table, const Json& json, T& object) {
  detail::read(table, json, &object, false);
}

/// The same of what this program wrote: also Error(input) where a field is missing that is never absent, and for a
/// number that is none of its kind.
template <class T>
void read_whole(const TableOf<T>& table, const Json& json, T& object) {
  detail::read(table, json, &object, true);
}

}  // namespace orderlab::described
