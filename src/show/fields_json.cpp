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
  if (!any && field.get != nullptr) return json_of_value(field, object);  // in place of the part
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

bool accepts(const Kind& kind, const Value& value) {
  if (kind.accepts == nullptr) return true;
  if (const auto* number = std::get_if<double>(&value)) return kind.accepts(*number);
  const auto* count = std::get_if<std::uint64_t>(&value);
  return count == nullptr || kind.accepts(static_cast<double>(*count));
}

[[noreturn]] void refuse(std::string_view name, const Json& json) {
  throw Error(ErrorKind::input, std::string(name) + " is " + json.dump());
}

/// Reads what was written; `whole` is for what no other version may have written. Names in errors are those of fields,
/// or of the list that an element is in.
class Reader {
 public:
  explicit Reader(bool whole) : whole_(whole) {}

  void read(std::string_view name, const Table& table, const Json& json, void* object) const {
    if (is_nameless(table)) return read_field(name, table.fields[0], json, object);
    const bool elements = is_array(table);
    if (elements ? !json.is_array() : !json.is_object()) refuse(name, json);
    for (std::size_t i = 0; i < table.fields.size(); ++i) {
      const Field& field = table.fields[i];
      const bool there = elements ? i < json.size() : json.contains(field.name);
      if (field.merged) {
        if (field.open != nullptr) read(name, field.inside(), json, field.open(object, 0));
      } else if (there) {
        read_field(field.name, field, elements ? json[i] : json[field.name], object);
      } else if (field.absent.empty() && (field.set != nullptr || field.open != nullptr)) {
        if (whole_) throw Error(ErrorKind::input, std::string(name) + " has no " + std::string(field.name));
        if (elements) refuse(name, json);
      }
    }
  }

 private:
  void read_field(std::string_view name, const Field& field, const Json& json, void* object) const {
    if (field.is_value() || (field.kind != nullptr && !json.is_object())) return set(name, field, json, object);
    if (field.open == nullptr) return;
    if (json.is_null()) {
      if (whole_ && field.null.empty()) refuse(name, json);
    } else if (field.inside().form == Form::member) {
      read_members(name, field, json, object);
    } else if (field.list) {
      read_elements(name, field, json, object);
    } else {
      read(name, field.inside(), json, field.open(object, 0));
    }
  }

  void read_members(std::string_view name, const Field& field, const Json& json, void* object) const {
    if (!json.is_object()) refuse(name, json);
    std::size_t i = 0;
    for (const auto& [key, value] : json.members()) {
      void* const one = field.open(object, i++);
      set(name, field.inside().fields[0], key, one);
      read_field(key, field.inside().fields[1], value, one);
    }
  }

  void read_elements(std::string_view name, const Field& field, const Json& json, void* object) const {
    if (!json.is_array()) refuse(name, json);
    std::size_t i = 0;
    for (const Json& one : json.elements()) read(name, field.inside(), one, field.open(object, i++));
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
      each_inside(field, object, [&](const void* inside) { json.update(to_json(field.inside(), inside)); });
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
  Reader(whole).read(whole ? table.title : table.key, table, json, object);
}

}  // namespace orderlab::described::detail
