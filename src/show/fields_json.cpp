#include "show/fields_json.hpp"

#include <optional>
#include <string>
#include <utility>

#include "orderlab/error.hpp"
#include "show/input_json.hpp"

namespace orderlab::described::detail {

namespace {

// Empty: left out.
std::optional<Json> json_of_value(const Field& field, const void* object) {
  if (field.get == nullptr) return Json::parse(field.constant);
  const std::optional<Value> value = field.get(object);
  if (!value || (std::holds_alternative<std::monostate>(*value) && field.null.empty())) return {};
  return json_of(*value);
}

std::optional<Json> json_of_part(const Field& field, const void* object) {
  Json found = field.list ? Json::array() : Json();
  each_inside(field, object, [&](const void* inside) {
    Json one = to_json(*field.table, inside);
    if (field.list)
      found.push_back(std::move(one));
    else
      found = std::move(one);
  });
  const bool nothing = field.list ? found.empty() && !field.absent.empty() : found.is_null() && field.null.empty();
  if (nothing) return {};
  return found;
}

Value value_of(const Json& json, Holds holds) {
  if (json.is_null()) return {};
  if (holds == Holds::number) return number_from(json);
  if (json.is_count()) return json.count();
  if (json.is_text()) return json.text();
  if (json == Json(true) || json == Json(false)) return json == Json(true);
  throw Error(ErrorKind::input, json.dump() + " is not a value");
}

void set(const Field& field, const Json& json, void* object) {
  if (field.set != nullptr && !field.set(object, value_of(json, field.kind->holds)))
    throw Error(ErrorKind::input, std::string(field.name) + " is " + json.dump());
}

}  // namespace

Json to_json(const Table& table, const void* object) {
  if (is_value(table)) return json_of(*table.fields[0].get(object));
  Json json = Json::object();
  for (const Field& field : table.fields) {
    if (field.where == Where::csv || field.where == Where::text) continue;
    if (field.merged)
      each_inside(field, object, [&](const void* inside) { json.update(to_json(*field.table, inside)); });
    else if (auto found = field.table != nullptr ? json_of_part(field, object) : json_of_value(field, object))
      json[field.name] = std::move(*found);
  }
  return json;
}

void read(const Table& table, const Json& json, void* object) {
  if (is_value(table)) return set(table.fields[0], json, object);
  for (const Field& field : table.fields) {
    if (field.merged && field.open != nullptr) read(*field.table, json, field.open(object));
    if (field.merged || !json.contains(field.name)) continue;
    const Json& value = json[field.name];
    if (field.table == nullptr)
      set(field, value, object);
    else if (field.open != nullptr && field.list)
      for (const Json& one : value.elements()) read(*field.table, one, field.open(object));
    else if (field.open != nullptr && !value.is_null())
      read(*field.table, value, field.open(object));
  }
}

}  // namespace orderlab::described::detail
