// Lines of KEY=VALUE words, described by a table. Plain C++ that nvcc compiles, too.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sealed_text.hpp"
#include "core/text.hpp"

namespace orderlab {

inline constexpr std::string_view kCountWanted = "a whole number in digits";

/// One KEY=VALUE of a record. Values are read in the order of the table.
template <class Record>
struct KeyedField {
  std::string_view key;
  bool required;
  bool (*read)(std::string_view text, Record& record);
  std::string (*write)(const Record& record);  ///< empty: left out
  std::string_view wanted;
};

/// " KEY=VALUE" for each field that is required or has a value.
template <class Record, std::size_t kCount>
std::string write_fields(const KeyedField<Record> (&fields)[kCount], const Record& record) {
  std::string text;
  for (const KeyedField<Record>& field : fields)
    if (const std::string value = field.write(record); !value.empty() || field.required)
      text += " " + std::string(field.key) + "=" + value;
  return text;
}

/// Reads the words of `rest`, which are of `what` ("run"), in any order, and says which keys there were. Error(input)
/// for an unknown key, one that is there twice or is missing, and a value that cannot be read.
template <class Record, std::size_t kCount>
std::array<bool, kCount> read_fields(const KeyedField<Record> (&fields)[kCount], const SealedText& lines,
                                     const std::string& what, std::string_view rest, Record& record) {
  std::array<std::optional<std::string_view>, kCount> values;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const std::string_view key = word.substr(0, word.find('='));
    const auto field =
        std::find_if(std::begin(fields), std::end(fields), [&](const KeyedField<Record>& f) { return f.key == key; });
    if (field == std::end(fields)) {
      std::vector<std::string> known;
      for (const KeyedField<Record>& f : fields) known.emplace_back(f.key);
      lines.refuse(unknown_name("key of a " + what, shown_word(key), known));
    }
    auto& value = values[static_cast<std::size_t>(field - std::begin(fields))];
    if (value) lines.refuse(std::string(key) + "= is there a second time; keep one of them");
    value = word.substr(std::min(key.size() + 1, word.size()));
  }
  std::array<bool, kCount> given{};
  for (std::size_t i = 0; i < kCount; ++i) {
    const KeyedField<Record>& field = fields[i];
    given[i] = values[i].has_value();
    if (given[i] && !field.read(*values[i], record))
      lines.refuse(std::string(field.key) + "=" + shown_word(*values[i]) + ": must be " + std::string(field.wanted));
    if (!given[i] && field.required)
      lines.refuse("a " + what + " without " + std::string(field.key) + "=; it must be " + std::string(field.wanted));
  }
  return given;
}

/// A field that is a number.
template <class Record, auto kMember>
constexpr KeyedField<Record> number_field(std::string_view key, bool required) {
  return {key, required, [](std::string_view text, Record& record) { return read_number(text, record.*kMember); },
          [](const Record& record) { return std::to_string(record.*kMember); }, kCountWanted};
}

/// A field that is a number of the record's launch shape.
template <class Record, auto kMember>
constexpr KeyedField<Record> shape_field(std::string_view key) {
  return {key, true, [](std::string_view text, Record& record) { return read_number(text, record.shape.*kMember); },
          [](const Record& record) { return std::to_string(record.shape.*kMember); }, kCountWanted};
}

/// A field that is a word.
template <class Record, auto kMember>
constexpr KeyedField<Record> word_field(std::string_view key, std::string_view wanted) {
  return {key, true,
          [](std::string_view text, Record& record) {
            record.*kMember = text;
            return !text.empty();
          },
          [](const Record& record) { return record.*kMember; }, wanted};
}

}  // namespace orderlab
