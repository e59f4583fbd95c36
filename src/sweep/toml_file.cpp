#include "sweep/toml_file.hpp"

#include <fmt/format.h>

#include "core/input_file.hpp"
#include "orderlab/error.hpp"
#include "sweep/toml_guard.hpp"

namespace orderlab {

namespace {

// A hundred thousand values in digits.
constexpr std::uint64_t kMostConfigBytes = std::uint64_t{1} << 20;

}  // namespace

std::string toml_place(const std::string& path, const toml::source_region& where) {
  return fmt::format("{}:{}:{}", path, where.begin.line, where.begin.column);
}

toml::table read_toml(const std::string& path) {
  InputFile file(path, "give a config such as configs/quick.toml", Pipes::refused);  // a config is read more than once
  const std::string text = file.rest(kMostConfigBytes);
  if (const auto fault = find_toml_fault(text))
    throw Error(ErrorKind::input, fmt::format("{}:{}:{}: {}", path, fault->line, fault->column, fault->problem));
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::input, toml_place(path, error.source()) + ": " + std::string(error.description()));
  }
}

}  // namespace orderlab
