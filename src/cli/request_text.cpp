#include "cli/request_text.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace orderlab::cli {

namespace {

// Fields that are not called as their flags are.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {{"formats", "--format"},
                                                                         {"memory_bytes", "--memory"}};

std::string flag_of(std::string_view field) {
  for (const auto& [name, flag] : kOtherNames)
    if (name == field) return std::string(flag);
  std::string flag = "--" + std::string(field);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

bool is_field(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

}  // namespace

std::string with_flags(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('`', at);
    const std::size_t close = open == std::string::npos ? open : text.find('`', open + 1);
    if (close == std::string::npos) return result + text.substr(at);
    const std::string inside = text.substr(open + 1, close - open - 1);
    result += text.substr(at, open - at) + (is_field(inside) ? flag_of(inside) : "`" + inside + "`");
    at = close + 1;
  }
  return result;
}

std::string with_flags(const RequestError& error, const CommandLine& line) {
  if (error.field().empty()) return with_flags(error.what());
  const Flag* const flag = line.find_flag(flag_of(error.field()));
  return flag == nullptr ? with_flags(error.what()) : line.quoted(*flag) + ": " + with_flags(error.problem());
}

}  // namespace orderlab::cli
