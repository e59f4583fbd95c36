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
  const bool members = field.inside().form == Form::member;
  Json found = members ? Json::object() : field.list ? Json::array() : Json();
  bool any = false;
  each_inside(field, object, [&](const void* inside) {
    any = true;
    if (inside == nullptr) return;
    Json one = to_json(field.inside(), inside);
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
  return field.is_value() ? json_of_value(field, object) : json_of_part(field, object);
}

// Empty for what no field holds.
std::optional<Value> value_of(const Json& json, Holds holds) {
  const auto is = [&](const auto& value) { return json == Json(value); };
  if (json.is_null()) return Value();
  if (json.is_count() && holds != Holds::number) return Value(json.count());
  if (json.is_number() || (holds == Holds::number && (is("inf") || is("-inf") || is("nan")))) return number_from(json);
  if (json.is_text()) return Value(json.text());
  if (holds == Holds::truth && (is(true) || is(false))) return Value(is(true));
  return {};
}

[[noreturn]] void refuse(std::string_view name, const Json& json) {
  throw Error(ErrorKind::input, std::string(name) + " is " + json.dump());
}

// `name` is that of the field, or of the list that the value is in.
void set(std::string_view name, const Field& field, const Json& json, void* object) {
  if (field.set == nullptr) return;
  const auto value = value_of(json, field.kind->holds);
  if (!value || !field.set(object, *value)) refuse(name, json);
}

void read_into(std::string_view name, const Table& table, const Json& json, void* object);

void read_field(std::string_view name, const Field& field, const Json& json, void* object) {
  if (field.is_value()) return set(name, field, json, object);
  const Table& table = field.inside();
  if (field.open == nullptr || json.is_null()) return;
  if (table.form == Form::member) {
    if (!json.is_object()) refuse(name, json);
    for (const auto& [key, value] : json.members()) {
      void* const one = field.open(object);
      set(name, table.fields[0], key, one);
      read_field(key, table.fields[1], value, one);
    }
  } else if (field.list) {
    if (!json.is_array()) refuse(name, json);
    for (const Json& one : json.elements()) read_into(name, table, one, field.open(object));
  } else {
    read_into(name, table, json, field.open(object));
  }
}

void read_into(std::string_view name, const Table& table, const Json& json, void* object) {
  if (is_nameless(table)) return read_field(name, table.fields[0], json, object);
  const bool array = table.form == Form::array;
  if (array ? !json.is_array() : !json.is_object()) refuse(name, json);
  for (std::size_t i = 0; i < table.fields.size(); ++i) {
    const Field& field = table.fields[i];
    if (field.merged) {
      if (field.open != nullptr) read_into(name, field.inside(), json, field.open(object));
    } else if (array) {
      if (i < json.size())
        read_field(field.name, field, json[i], object);
      else if (field.absent.empty())
        refuse(name, json);
    } else if (json.contains(field.name)) {
      read_field(field.name, field, json[field.name], object);
    }
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
      each_inside(field, object, [&](const void* inside) { json.update(to_json(field.inside(), inside)); });
    } else if (auto found = json_of_field(field, object)) {
      if (table.form == Form::array)
        json.push_back(std::move(*found));
      else
        json[field.name] = std::move(*found);
    }
  }
  return json;
}

void read(const Table& table, const Json& json, void* object) { read_into(table.key, table, json, object); }

}  // namespace orderlab::described::detail
