// Numbers as text: one a line in files, separated by commas in arguments.
#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "orderlab/exact.hpp"
#include "terms/files.hpp"

namespace orderlab {

namespace {

/// Numbers read so far, as doubles that `format` holds exactly; how many there are is known at the end only.
class Numbers {
 public:
  explicit Numbers(Format format) : format_(format) {}

  /// False if `text` is no number.
  bool add(std::string_view text) {
    const auto number = read_number(text, format_);
    if (!number) return false;
    values_.push_back(number->value);
    if (number->inexact) ++inexact_;
    return true;
  }

  bool empty() const { return values_.empty(); }

  Terms terms() const {
    Terms terms(format_, values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i) terms.set(i, values_[i]);
    terms.count_inexact(inexact_);
    return terms;
  }

 private:
  Format format_;
  std::vector<double> values_;
  std::uint64_t inexact_ = 0;
};

}  // namespace

Terms read_text(InputFile& file, Format format) {
  if (file.size() == 0U) throw file_error(file.name(), "is empty; a sum needs at least 1 term");
  Numbers numbers(format);
  InputMemory memory(file.name());
  for_each_entry(file, [&](std::string_view text, std::uint64_t line) {
    if (!numbers.add(text))
      throw file_error(file.name() + ":" + std::to_string(line),
                       in_quotes(text) + " is not a number; write one number a line, such as 0.1, -2e3 or 0x1.8p-1");
    memory.take(sizeof(double));
  });
  if (numbers.empty()) throw file_error(file.name(), "no number in it; a sum needs at least 1 term");
  return numbers.terms();
}

Terms parse_terms(std::string_view text, Format format) {
  const FloatEnvironment environment;
  Numbers numbers(format);
  for (std::uint64_t position = 1; !text.empty() || position > 1; ++position) {
    const auto comma = text.find(',');
    const std::string_view part = without_blanks(text.substr(0, comma));
    if (!numbers.add(part))
      throw Error(ErrorKind::usage,
                  "value " + std::to_string(position) + ": " + in_quotes(part) +
                      " is not a number; write numbers separated by commas, such as 0.1,-2e3,0x1.8p-1");
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  if (numbers.empty()) throw Error(ErrorKind::usage, "no values: a sum needs at least 1 term, such as 0.1,0.2");
  return numbers.terms();
}

}  // namespace orderlab
