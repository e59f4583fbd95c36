// Named values in order: what metrics return and reports print.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace orderlab {

class Record;

/// A value: null (there is none), a number, a count, a text, or named values.
using Field = std::variant<std::monostate, double, std::uint64_t, std::string, std::vector<Record>>;

/// Ordered named values.
class Record {
 public:
  /// Appends; an empty optional becomes null.
  Record& set(std::string name, Field value);
  Record& set(std::string name, const std::optional<double>& value);
  Record& set(std::string name, Record value);

  const std::vector<std::pair<std::string, Field>>& fields() const { return fields_; }

  /// The value at a path of names; null when there is none.
  const Field* find(std::initializer_list<std::string_view> path) const;

  /// The number (or count) at a path; empty when it is null or absent.
  std::optional<double> number(std::initializer_list<std::string_view> path) const;

 private:
  std::vector<std::pair<std::string, Field>> fields_;
};

/// The record inside a field; null if it holds none.
const Record* as_record(const Field& field);

}  // namespace orderlab
