#include "files/file_address.hpp"

#include <filesystem>
#include <system_error>

namespace orderlab {

FileAddress file_address(const std::string& text) {
  constexpr std::string_view kMark = "::";
  const auto exists = [](const std::string& path) {
    std::error_code code;
    return path == "-" || std::filesystem::exists(path, code);
  };
  const auto address = [&](std::size_t mark) {
    return FileAddress{text.substr(0, mark), text.substr(mark + kMark.size())};
  };
  const auto next_mark = [&](std::size_t from) {
    const auto mark = text.find(kMark, from);
    return mark == std::string::npos || mark + kMark.size() == text.size() ? std::string::npos : mark;
  };
  const auto first = next_mark(1);
  if (first == std::string::npos || exists(text)) return {text, ""};
  for (auto mark = first; mark != std::string::npos; mark = next_mark(mark + 1))
    if (exists(text.substr(0, mark))) return address(mark);
  return address(first);
}

bool is_standard_input(const std::string& text) { return file_address(text).path == "-"; }

}  // namespace orderlab
