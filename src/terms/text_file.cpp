// Numbers as text: those of files, and those separated by commas in arguments.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "orderlab/exact.hpp"
#include "terms/array_files.hpp"

namespace orderlab {

namespace {

/// Numbers read so far, as doubles that `format` holds exactly; how many there are is known at the end only.
class Numbers {
 public:
  explicit Numbers(Format format) : format_(format) {}

  /// False if `text` is not a number.
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

/// Numbers of a text as an array.
class TextArray : public NumberArray {
 public:
  TextArray(std::unique_ptr<NumberTexts> texts, const std::string& file)
      : texts_(std::move(texts)), file_(file), memory_(file) {}

  FileArray read(std::optional<Format> format) override {
    Numbers numbers(format.value_or(Format::fp64));
    std::size_t count = 0;
    for (std::string_view text; texts_->next(text); ++count) {
      if (!numbers.add(text))
        throw file_error(texts_->where(), in_quotes(text) + " is not a number; " + texts_->remedy());
      memory_.take(sizeof(double));
    }
    if (numbers.empty()) throw file_error(file_, "no number in it; " + std::string(kNeedsNumber));
    return {numbers.terms(), texts_->shape(count)};
  }

  IndexTensor read_index() override {
    IndexTensor index;
    for (std::string_view text; texts_->next(text);) {
      index.values.push_back(parse_whole(texts_->where(), text));
      memory_.take(sizeof(std::int64_t));
    }
    if (index.values.empty()) throw file_error(file_, "no number in it; " + std::string(kNeedsNumber));
    index.shape = texts_->shape(index.values.size());
    require_elements(file_, index.shape);
    return index;
  }

 private:
  std::unique_ptr<NumberTexts> texts_;
  std::string file_;
  InputMemory memory_;
};

}  // namespace

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

std::unique_ptr<NumberArray> array_of_texts(std::unique_ptr<NumberTexts> texts, const std::string& file) {
  return std::make_unique<TextArray>(std::move(texts), file);
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
