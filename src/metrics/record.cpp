#include "orderlab/record.hpp"

namespace orderlab {

Record& Record::set(std::string name, Field value) {
  fields_.emplace_back(std::move(name), std::move(value));
  return *this;
}

Record& Record::set(std::string name, const std::optional<double>& value) {
  return set(std::move(name), value ? Field(*value) : Field());
}

Record& Record::set(std::string name, Record value) {
  std::vector<Record> nested;
  nested.push_back(std::move(value));
  return set(std::move(name), Field(std::move(nested)));
}

const Record* as_record(const Field& field) {
  const auto* nested = std::get_if<std::vector<Record>>(&field);
  return nested == nullptr ? nullptr : &nested->front();
}

const Field* Record::find(std::initializer_list<std::string_view> path) const {
  const Record* record = this;
  const Field* found = nullptr;
  for (const std::string_view name : path) {
    if (record == nullptr) return nullptr;
    found = nullptr;
    for (const auto& [key, value] : record->fields_)
      if (key == name) found = &value;
    record = found == nullptr ? nullptr : as_record(*found);
  }
  return found;
}

std::optional<double> Record::number(std::initializer_list<std::string_view> path) const {
  const Field* field = find(path);
  if (field == nullptr) return std::nullopt;
  if (const auto* number = std::get_if<double>(field)) return *number;
  if (const auto* count = std::get_if<std::uint64_t>(field)) return static_cast<double>(*count);
  return std::nullopt;
}

}  // namespace orderlab
