// .npy files, with the number of bytes after the header that it asks for, or as they are.
#include <string>

#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "orderlab/terms.hpp"
#include "terms/npy_header.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

namespace {

std::string little_endian(std::size_t length) {
  return {static_cast<char>(length & 255), static_cast<char>(length >> 8)};
}

// A file of version 1 with this header and so many numbers as its shape says, if they are few.
std::string file_with(const std::string& header, std::string_view numbers) {
  std::uint64_t n = 1;
  for (const std::uint64_t extent : parse_npy_header(header, "header").shape)
    if (__builtin_mul_overflow(n, extent, &n)) n = 0;
  std::string body(numbers);
  for (const std::uint64_t each : {2u, 4u, 8u})
    if (header.find("f" + std::to_string(each)) != std::string::npos && n < 1000) body.resize(n * each, 'x');
  return "\x93NUMPY" + std::string(1, '\1') + std::string(1, '\0') + little_endian(header.size()) + header + body;
}

}  // namespace

ORDERLAB_FUZZ(npy) {
  Choices choices(input);
  const std::uint64_t kind = choices.below(3);
  std::string content(choices.text());
  if (kind > 0) {
    const std::size_t end = content.find('}');
    if (end == std::string::npos) return;
    content = file_with(content.substr(0, end + 1), std::string_view(content).substr(end + 1));
  }
  static const Folder kFolder;
  const std::string path = kFolder.write("in.npy", content);
  const Terms terms = read_terms(path, std::nullopt);
  require(terms.size() * static_cast<std::size_t>(info(terms.format()).bits) / 8 < content.size(),
          "no term is made up");
  require(terms.inexact_conversions() == 0, "no number changes in its own format");
  const Terms wide = accepted("a file in fp64", [&] { return read_terms(path, Format::fp64); });
  for (std::size_t i = 0; i < terms.size(); ++i)
    require_equal("a number and the same in fp64", bits_of(terms.view().left(i)), bits_of(wide.view().left(i)));
}
