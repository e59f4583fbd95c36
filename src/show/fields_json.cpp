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
  const bool members = field.table->form == Form::member;
  Json found = members ? Json::object() : field.list ? Json::array() : Json();
  bool any = false;
  each_inside(field, object, [&](const void* inside) {
    any = true;
    if (inside == nullptr) return;
    Json one = to_json(*field.table, inside);
    if (members)
      found.update(one);
    else if (field.list)
      found.push_back(std::move(one));
    else
      found = std::move(one);
  });
  const bool shown = any || (field.absent.empty() && (field.list || !field.null.empty()));
  return shown ? std::optional(std::move(found)) : std::nullopt;
}

std::optional<Json> json_of_field(const Field& field, const void* object) {
  return field.table != nullptr ? json_of_part(field, object) : json_of_value(field, object);
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

void read_field(const Field& field, const Json& json, void* object) {
  if (field.table == nullptr) return set(field, json, object);
  if (field.open == nullptr || json.is_null()) return;
  if (field.table->form == Form::member) {
    for (const auto& [key, value] : json.members()) {
      void* const one = field.open(object);
      set(field.table->fields[0], key, one);
      read_field(field.table->fields[1], value, one);
    }
  } else if (field.list) {
    for (const Json& one : json.elements()) read(*field.table, one, field.open(object));
  } else {
    read(*field.table, json, field.open(object));
  }
}

}  // namespace

Json to_json(const Table& table, const void* object) {
  if (is_nameless(table)) return json_of_field(table.fields[0], object).value_or(Json());
  if (table.form == Form::member) {
    const Json key = *json_of_value(table.fields[0], object);
    Json json;
    json[key.text()] = json_of_field(table.fields[1], object).value_or(Json());
    return json;
  }
  Json json = table.form == Form::array ? Json::array() : Json::object();
  for (const Field& field : table.fields) {
    if (field.where == Where::csv || field.where == Where::text) continue;
    if (field.merged) {
      each_inside(field, object, [&](const void* inside) { json.update(to_json(*field.table, inside)); });
    } else if (auto found = json_of_field(field, object)) {
      if (table.form == Form::array)
        json.push_back(std::move(*found));
      else
        json[field.name] = std::move(*found);
    }
  }
  return json;
}

void read(const Table& table, const Json& json, void* object) {
  if (is_nameless(table)) return read_field(table.fields[0], json, object);
  for (std::size_t i = 0; i < table.fields.size(); ++i) {
    const Field& field = table.fields[i];
    if (field.merged && field.open != nullptr) read(*field.table, json, field.open(object));
    if (field.merged) continue;
    if (table.form == Form::array && i < json.size()) read_field(field, json[i], object);
    if (table.form == Form::object && json.contains(field.name)) read_field(field, json[field.name], object);
  }
}

}  // namespace orderlab::described::detail
