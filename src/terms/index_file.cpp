// Files of whole numbers.
#include <limits>
#include <string>
#include <vector>

#include "core/memory.hpp"
#include "core/text.hpp"
#include "orderlab/terms.hpp"
#include "terms/file_kinds.hpp"

namespace orderlab {

namespace {

using ReadIndex = IndexTensor (*)(InputFile& file);

/// Reads "17", "-3", "+1e3"; Error(input, "WHERE: ...").
std::int64_t parse_whole(const std::string& where, std::string_view text) {
  const auto refuse = [&](const char* problem) { throw file_error(where, in_quotes(text) + problem); };
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
  if (digits.empty() || digits.front() < '0' || digits.front() > '9' ||
      digits.find_first_not_of("0123456789.eE+-") != std::string_view::npos)
    refuse(" is not a whole number; write one a line, such as 17 or -3");
  const CountResult count = read_count(digits);
  const bool beyond = count.problem.starts_with("is too large");
  if (!count.value && !beyond) refuse(" is not a whole number; write one a line, such as 17 or -3");
  if (beyond || *count.value > kLargest + (negative ? 1 : 0))
    refuse(" is beyond 64 bits; an index is from -2^63 to 2^63 - 1");
  return static_cast<std::int64_t>(negative ? ~*count.value + 1 : *count.value);
}

IndexTensor read_text_index(InputFile& file) {
  if (file.size() == 0U) throw file_error(file.name(), "is empty; " + std::string(kNeedsIndex));
  IndexTensor index;
  InputMemory memory(file.name());
  for_each_entry(file, [&](std::string_view text, std::uint64_t line) {
    index.values.push_back(parse_whole(file.name() + ":" + std::to_string(line), text));
    memory.take(sizeof(std::int64_t));
  });
  if (index.values.empty()) throw file_error(file.name(), "no number in it; " + std::string(kNeedsIndex));
  index.shape = {index.values.size()};
  require_elements(file.name(), index.shape);
  return index;
}

constexpr FileKind<ReadIndex> kIndexKinds[] = {
    {".npy", read_npy_index},
    {".txt", read_text_index},
    {".csv", read_text_index},
};

}  // namespace

IndexTensor read_index(const std::string& path) {
  return read_by_extension<ReadIndex>(path, kIndexKinds, read_text_index,
                                      [](ReadIndex read, InputFile& file) { return read(file); });
}

}  // namespace orderlab
