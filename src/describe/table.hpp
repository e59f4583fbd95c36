// Tables of the fields of a struct, for those who read them: writers and readers of JSON, CSV, text and schemas. Fields
// are constants: a function for each access, no virtual calls, nothing made at start-up. describe/field.hpp makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "orderlab/value.hpp"

namespace orderlab::described {

/// Which alternative of Value a kind has.
enum class Holds : std::uint8_t { truth, number, count, text };

/// What values of one kind are, as a JSON Schema says it.
struct Kind {
  Holds holds;
  std::string_view schema = {};              ///< {"type": "boolean"}
  std::string_view or_null = {};             ///< the same where it may be null; empty: it may not
  bool (*accepts)(double number) = nullptr;  ///< which numbers are of the kind; null: all
};

struct Table;

/// Called with each struct that is inside a field: once for a part, not at all for one that is left out. A part that
/// may be left out or null is an optional of an optional: for null it is called with a null pointer. So it is, at
/// first, for a list that is empty and not left out.
struct Use {
  const void* state;
  void (*call)(const void* state, const void* inside);
  void operator()(const void* inside) const { call(state, inside); }
};

/// Who shows a field. Text for people shows those with a cell.
enum class Where : std::uint8_t { json, csv, both, text };

/// The cell of a value in a table for people.
struct Cell {
  std::string_view title = {};  ///< empty: there is no such column
  int digits = 0;               ///< significant ones of a number; 0: as text
  bool scaled = false;          ///< shown in the unit of errors, where there is one
  bool needs_unit = false;      ///< shown only in that unit, which the title names
  bool dispensable = false;     ///< left out where the terminal is narrow
};

/// What only some fields need to say.
struct More {
  std::string_view null = {};                             ///< when it is null: "where none is derived"
  std::string_view absent = {};                           ///< when it is left out: "for a tree"
  std::span<const std::string_view> words = {};           ///< a text that is one of these
  std::vector<std::string_view> (*words_of)() = nullptr;  ///< or one of those that a list of the program has
  std::string_view constant = {};                         ///< JSON of the only value
  std::string_view list_rule = {};                        ///< schema of a list besides its elements: {"minItems": 1}
  Where where = Where::json;
  Cell cell = {};
};

/// What a field is called and means.
struct Said : More {
  std::string_view name;
  std::string_view help;         ///< "Bit pattern of the result", without a stop; empty: that of the table
  const Kind* kind = nullptr;    ///< what a value is
  const Table* table = nullptr;  ///< what a part, or an element of a list, has
  bool flag = false;             ///< the help is that of a flag
};

/// A value, or a part: one struct, or a list of them.
struct Field : Said {
  const char* type = nullptr;  ///< &kType of the struct that has it
  bool list = false;
  bool merged = false;                                         ///< a part whose fields stand beside those around it
  const Table& (*listed)() = nullptr;                          ///< where the fields of a merged part come from a list
  std::optional<Value> (*get)(const void* object) = nullptr;   ///< the value; empty: left out; null: the constant
  bool (*set)(void* object, const Value& value) = nullptr;     ///< false for another type; null: it is computed
  void (*each)(const void* object, const Use& use) = nullptr;  ///< what is inside a part
  void* (*open)(void* object, std::size_t i) = nullptr;        ///< makes the part, or element i of the list

  bool is_value() const { return each == nullptr; }
  /// The table of a part.
  const Table& inside() const { return listed != nullptr ? listed() : *table; }
};

/// How a struct is written as JSON.
enum class Form : std::uint8_t {
  object,   ///< {"name": value, ...}
  array,    ///< [value, ...]: without names; what may be left out comes last
  numbers,  ///< the same of values of one kind, which are an array of numbers for Python
  member,   ///< a key and its value, the two fields: a list of these structs is one object
};

/// The fields of a struct, in the order in which they are shown.
struct Table {
  std::string_view key;         ///< its name among the definitions of a schema
  std::string_view title = {};  ///< "Worst sample"; the class of Python is WorstSample
  std::string_view help = {};   ///< a sentence; empty where the one field that has it says all
  std::span<const Field> fields;
  std::string_view rules = {};  ///< what the schema says of several fields together
  bool shared = false;          ///< the schema stands in shared.json
  Form form = Form::object;
};

namespace detail {

template <class T>
inline constexpr char kType = 0;  // its address stands for the type

void a_field_of_another_struct();  // no constant may call it

}  // namespace detail

/// The table of a T.
template <class T>
struct TableOf : Table {
  consteval TableOf(const Table& table) : Table(table) {
    for (const Field& field : table.fields)
      if (field.type != &detail::kType<T>) detail::a_field_of_another_struct();
  }
};

/// What a field means, without a stop.
constexpr std::string_view meaning(const Said& field) {
  if (!field.help.empty() || field.table == nullptr || field.table->help.empty()) return field.help;
  return field.table->help.substr(0, field.table->help.size() - 1);
}

/// Whether a table's struct is written without names.
constexpr bool is_array(const Table& table) { return table.form == Form::array || table.form == Form::numbers; }

/// Whether a table is of values, or of lists, without names.
constexpr bool is_nameless(const Table& table) {
  return table.fields.size() == 1 && table.fields[0].name.empty() && !table.fields[0].merged;
}

}  // namespace orderlab::described
