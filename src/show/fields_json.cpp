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
    Json one = to_json(field.inside(), inside);
    if (field.list)
      found.push_back(std::move(one));
    else
      found = std::move(one);
  });
  const bool nothing = field.list ? found.empty() && !field.absent.empty() : found.is_null() && field.null.empty();
  if (nothing) return {};
  return found;
}

// Empty for what no field holds.
std::optional<Value> value_of(const Json& json, Holds holds) {
  const auto is = [&](const auto& value) { return json == Json(value); };
  if (json.is_null()) return Value();
  if (json.is_count() && holds != Holds::number) return Value(json.count());
  if (json.is_number() || (holds == Holds::number && (is("inf") || is("-inf") || is("nan")))) return number_from(json);
  if (json.is_text()) return Value(json.text());
  if (is(true) || is(false)) return Value(is(true));
  return {};
}

[[noreturn]] void refuse(std::string_view name, const Json& json) {
  throw Error(ErrorKind::input, std::string(name) + " is " + json.dump());
}

void set(std::string_view name, const Field& field, const Json& json, void* object) {
  if (field.set == nullptr) return;
  const auto value = value_of(json, field.kind->holds);
  if (!value || !field.set(object, *value)) refuse(name, json);
}

void read_into(std::string_view name, const Table& table, const Json& json, void* object);

void read_field(const Field& field, const Json& json, void* object) {
  if (field.is_value()) return set(field.name, field, json, object);
  if (field.open == nullptr) return;
  if (!field.list) {
    if (!json.is_null()) read_into(field.name, field.inside(), json, field.open(object));
    return;
  }
  if (!json.is_array()) refuse(field.name, json);
  for (const Json& one : json.elements()) read_into(field.name, field.inside(), one, field.open(object));
}

void read_into(std::string_view name, const Table& table, const Json& json, void* object) {
  if (is_value(table)) return set(name, table.fields[0], json, object);
  if (table.form == Form::array ? !json.is_array() || json.size() != table.fields.size() : !json.is_object())
    refuse(name, json);
  for (std::size_t i = 0; i < table.fields.size(); ++i) {
    const Field& field = table.fields[i];
    if (table.form == Form::array)
      read_field(field, json[i], object);
    else if (!field.merged && json.contains(field.name))
      read_field(field, json[field.name], object);
    else if (field.merged && field.open != nullptr)
      read_into(name, field.inside(), json, field.open(object));
  }
}

}  // namespace

Json to_json(const Table& table, const void* object) {
  if (is_value(table)) return json_of(*table.fields[0].get(object));
  Json json = table.form == Form::array ? Json::array() : Json::object();
  for (const Field& field : table.fields) {
    if (field.where == Where::csv || field.where == Where::text) continue;
    if (field.merged) {
      each_inside(field, object, [&](const void* inside) { json.update(to_json(field.inside(), inside)); });
      continue;
    }
    auto found = field.is_value() ? json_of_value(field, object) : json_of_part(field, object);
    if (table.form == Form::array)
      json.push_back(std::move(found).value_or(nullptr));
    else if (found)
      json[field.name] = std::move(*found);
  }
  return json;
}

void read(const Table& table, const Json& json, void* object) { read_into(table.key, table, json, object); }

}  // namespace orderlab::described::detail
