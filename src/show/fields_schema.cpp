#include "show/fields_schema.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace orderlab::described {

namespace {

// Help of a flag begins with a small letter.
std::string capitalized(std::string_view help) {
  std::string text(help);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// "Result minus exact sum; null where one of them is NaN. Absent for a tree."
std::string sentence(const Said& field) {
  std::string text = field.flag ? capitalized(meaning(field)) : std::string(meaning(field));
  if (!field.null.empty()) text.append(field.null.starts_with(':') ? "; null" : "; null ").append(field.null);
  text += ".";
  if (!field.absent.empty()) text.append(" Absent ").append(field.absent).append(".");
  return text;
}

Json words_json(const Field& field) {
  Json words = Json::array();
  for (const std::string_view word : field.words) words.push_back(word);
  if (field.words_of != nullptr)
    for (const std::string_view word : field.words_of()) words.push_back(word);
  if (!field.null.empty()) words.push_back(nullptr);
  return words;
}

Json schema_of_value(const Field& field) {
  Json json{{"description", sentence(field)}};
  if (!field.constant.empty())
    json["const"] = Json::parse(field.constant);
  else if (!field.words.empty() || field.words_of != nullptr)
    json["enum"] = words_json(field);
  else
    json.update(Json::parse(field.null.empty() ? field.kind->schema : field.kind->or_null));
  return json;
}

class Schemas {
 public:
  explicit Schemas(const Table& document) { count(document); }

  Json object(const Table& table) {
    if (table.form == Form::array) return array(table);
    if (table.form == Form::numbers) return numbers(table);
    Json properties = Json::object();
    Json required = Json::array();
    Json rules = Json::array();
    add(table, properties, required, rules);
    Json json;
    add_words(json, table);
    json["type"] = "object";
    json["properties"] = std::move(properties);
    if (!required.empty()) json["required"] = std::move(required);
    json["additionalProperties"] = false;
    if (rules.size() == 1) json.update(rules[0]);
    if (rules.size() > 1) json["allOf"] = std::move(rules);
    return json;
  }

  Json take_definitions() { return std::move(definitions_); }

  /// Tables whose schema stands in shared.json.
  const std::vector<const Table*>& shared() const { return shared_; }

 private:
  static void add_words(Json& json, const Table& table) {
    if (!table.title.empty()) json["title"] = table.title;
    if (!table.help.empty()) json["description"] = table.help;
  }

  Json numbers(const Table& table) {
    Json json{{"type", "array"}, {"items", Json::parse(table.fields[0].kind->schema)}};
    json["minItems"] = table.fields.size();
    json["maxItems"] = table.fields.size();
    return json;
  }

  Json array(const Table& table) {
    Json elements = Json::array();
    std::size_t least = 0;
    for (const Field& field : table.fields) {
      elements.push_back(schema_of(field));
      if (field.absent.empty()) ++least;
    }
    Json json;
    add_words(json, table);
    json["type"] = "array";
    json["prefixItems"] = std::move(elements);
    json["items"] = false;
    json["minItems"] = least;
    return json;
  }

  void count(const Table& table) {
    if (++uses_[&table] > 1) return;
    if (table.shared) shared_.push_back(&table);
    for (const Field& field : table.fields)
      if (!field.is_value()) count(field.inside());
  }

  void add(const Table& table, Json& properties, Json& required, Json& rules) {
    for (const Field& field : table.fields) {
      if (field.where == Where::csv || field.where == Where::text) continue;
      if (field.merged) {
        add(field.inside(), properties, required, rules);
        continue;
      }
      properties[field.name] = schema_of(field);
      if (field.absent.empty()) required.push_back(field.name);
    }
    if (!table.rules.empty()) rules.push_back(Json::parse(table.rules));
  }

  Json schema_of(const Field& field) { return field.is_value() ? schema_of_value(field) : schema_of_part(field); }

  Json schema_of_part(const Field& field) {
    const std::string said = sentence(field);
    const Table& table = field.inside();
    if (table.form == Form::member)
      return {{"description", said}, {"type", "object"}, {"additionalProperties", schema_of_member(table)}};
    Json inside = schema_inside(table);
    if (field.list) {
      Json json{{"description", said}, {"type", "array"}, {"items", std::move(inside)}};
      if (!field.list_rule.empty()) json.update(Json::parse(field.list_rule));
      return json;
    }
    if (!field.null.empty() || field.kind != nullptr) {
      Json other = field.kind != nullptr ? Json::parse(field.kind->schema) : Json{{"type", "null"}};
      return {{"description", said}, {"anyOf", Json::array({std::move(inside), std::move(other)})}};
    }
    Json json = Json::object();
    if (inside.contains("title")) json["title"] = inside["title"];
    if (said != table.help || !inside.contains("$ref")) json["description"] = said;
    inside.erase("description");
    json.update(inside);
    return json;
  }

  // A map says nothing of each of its members but what they are.
  Json schema_of_member(const Table& table) {
    const Field& field = table.fields[1];
    if (!field.is_value() && !field.list) return schema_inside(field.inside());
    Json json = schema_of(field);
    json.erase("description");
    return json;
  }

  Json schema_inside(const Table& table) {
    if (is_nameless(table)) {
      const Field& field = table.fields[0];
      if (field.is_value()) return Json::parse(field.kind->schema);
      Json json = schema_of_part(field);
      if (field.help.empty()) json.erase("description");
      return json;
    }
    const std::string key(table.key);
    if (table.shared) return {{"$ref", "shared.json#/$defs/" + key}};
    if (uses_[&table] == 1) return object(table);
    if (!definitions_.contains(key)) {
      definitions_[key] = nullptr;  // its place, before those inside
      Json made = object(table);
      definitions_[key] = std::move(made);
    }
    return {{"$ref", "#/$defs/" + key}};
  }

  std::map<const Table*, int> uses_;
  std::vector<const Table*> shared_;
  Json definitions_ = Json::object();
};

}  // namespace

Json schema(const Table& document) {
  Schemas schemas(document);
  Json json;
  json["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  json["$id"] = "https://orderlab.invalid/schemas/1/" + std::string(document.key) + ".json";
  json.update(schemas.object(document));
  if (Json definitions = schemas.take_definitions(); !definitions.empty()) json["$defs"] = std::move(definitions);
  return json;
}

void add_shared(Json& definitions, std::span<const Table* const> documents) {
  for (const Table* document : documents) {
    const Schemas all(*document);
    for (const Table* table : all.shared()) {
      if (definitions.contains(table->key)) continue;
      Schemas schemas(*table);
      definitions[table->key] = schemas.object(*table);
      definitions.update(schemas.take_definitions());
    }
  }
}

}  // namespace orderlab::described
