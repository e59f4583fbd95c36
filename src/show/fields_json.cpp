#include "show/fields_json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
  each_inside(field, object, [&](const void* inside) {
    Json one = to_json(*field.table, inside);
    if (members)
      found.update(one);
    else if (field.list)
      found.push_back(std::move(one));
    else
      found = std::move(one);
  });
  if (found.is_null() && field.get != nullptr) return json_of_value(field, object);
  const bool nothing = field.list ? found.empty() && !field.absent.empty() : found.is_null() && field.null.empty();
  if (nothing) return {};
  return found;
}

std::optional<Json> json_of_field(const Field& field, const void* object) {
  return field.table != nullptr ? json_of_part(field, object) : json_of_value(field, object);
}

// Empty for what no field holds.
std::optional<Value> value_of(const Json& json, Holds holds) {
  if (json.is_null()) return Value();
  if (holds == Holds::number && (json.is_number() || json.is_text())) return number_from(json);
  if (json.is_count()) return json.count();
  if (json.is_text()) return json.text();
  if (json == Json(true) || json == Json(false)) return json == Json(true);
  return {};
}

bool accepts(const Kind& kind, const Value& value) {
  if (kind.accepts == nullptr) return true;
  if (const auto* number = std::get_if<double>(&value)) return kind.accepts(*number);
  const auto* count = std::get_if<std::uint64_t>(&value);
  return count == nullptr || kind.accepts(static_cast<double>(*count));
}

[[noreturn]] void refuse(std::string_view name, const Json& json) {
  throw Error(ErrorKind::input, std::string(name) + " is " + json.dump());
}

/// Reads what was written; `whole` is for what no other version may have written.
class Reader {
 public:
  explicit Reader(bool whole) : whole_(whole) {}

  void read(std::string_view name, const Table& table, const Json& json, void* object) const {
    if (is_nameless(table)) return read_field(name, table.fields[0], json, object);
    const bool elements = is_array(table);
    if (elements ? !json.is_array() : !json.is_object()) refuse(name, json);
    for (std::size_t i = 0; i < table.fields.size(); ++i) {
      const Field& field = table.fields[i];
      if (field.merged) {
        if (field.open != nullptr) read(name, *field.table, json, field.open(object, 0));
      } else if (elements ? i < json.size() : json.contains(field.name)) {
        read_field(field.name, field, elements ? json[i] : json[field.name], object);
      } else if (whole_ && field.absent.empty() && (field.set != nullptr || field.open != nullptr)) {
        throw Error(ErrorKind::input, std::string(name) + " has no " + std::string(field.name));
      }
    }
  }

 private:
  void read_field(std::string_view name, const Field& field, const Json& json, void* object) const {
    if (field.table == nullptr || (field.kind != nullptr && !json.is_object())) return set(name, field, json, object);
    if (field.open == nullptr) return;
    if (field.table->form == Form::member)
      read_members(name, field, json, object);
    else if (field.list)
      read_elements(name, field, json, object);
    else if (!json.is_null())
      read(name, *field.table, json, field.open(object, 0));
    else if (whole_ && field.null.empty())
      refuse(name, json);
  }

  void read_members(std::string_view name, const Field& field, const Json& json, void* object) const {
    if (!json.is_object()) refuse(name, json);
    std::size_t i = 0;
    for (const auto& [key, value] : json.members()) {
      void* const one = field.open(object, i++);
      set(name, field.table->fields[0], key, one);
      read_field(key, field.table->fields[1], value, one);
    }
  }

  void read_elements(std::string_view name, const Field& field, const Json& json, void* object) const {
    if (!json.is_array()) refuse(name, json);
    std::size_t i = 0;
    for (const Json& one : json.elements()) read(name, *field.table, one, field.open(object, i++));
  }

  void set(std::string_view name, const Field& field, const Json& json, void* object) const {
    if (field.set == nullptr) return;
    const auto value = value_of(json, field.kind->holds);
    if (!value || (whole_ && !accepts(*field.kind, *value)) || !field.set(object, *value)) refuse(name, json);
  }

  bool whole_;
};

}  // namespace

Json to_json(const Table& table, const void* object) {
  if (is_nameless(table)) return json_of_field(table.fields[0], object).value_or(Json());
  if (table.form == Form::member) {
    const Json key = *json_of_value(table.fields[0], object);
    Json json;
    json[key.text()] = json_of_field(table.fields[1], object).value_or(Json());
    return json;
  }
  Json json = is_array(table) ? Json::array() : Json::object();
  for (const Field& field : table.fields) {
    if (field.where == Where::csv || field.where == Where::text) continue;
    if (field.merged) {
      each_inside(field, object, [&](const void* inside) { json.update(to_json(*field.table, inside)); });
    } else if (auto found = json_of_field(field, object)) {
      if (is_array(table))
        json.push_back(std::move(*found));
      else
        json[field.name] = std::move(*found);
    }
  }
  return json;
}

void read(const Table& table, const Json& json, void* object, bool whole) {
  Reader(whole).read(table.title, table, json, object);
}

}  // namespace orderlab::described::detail
