#include "files/file_address.hpp"

#include <filesystem>
#include <system_error>

namespace orderlab {

FileAddress file_address(const std::string& text) {
  constexpr std::string_view kMark = "::";
  const auto mark = text.find(kMark, 1);
  std::error_code code;
  if (mark == std::string::npos || mark + kMark.size() == text.size() || std::filesystem::exists(text, code))
    return {text, ""};
  return {text.substr(0, mark), text.substr(mark + kMark.size())};
}

}  // namespace orderlab
