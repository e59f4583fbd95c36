#include "terms/given_results.hpp"

#include <charconv>
#include <filesystem>
#include <string>

#include "core/input_file.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "orderlab/exact.hpp"
#include "terms/files.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kBits = "bits:";

ReadResult read_bits(std::string_view digits, Format format) {
  const auto wanted = static_cast<std::size_t>(info(format).bits) / 4;
  const std::string problem = "is not a bit pattern of " + std::string(info(format).name) +
                              "; write bits:0x and exactly " + std::to_string(wanted) + " hexadecimal digits";
  if (!digits.starts_with("0x") || digits.size() != wanted + 2) return {{}, false, problem};
  std::uint64_t bits = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, code] = std::from_chars(digits.data() + 2, last, bits, 16);
  if (code != std::errc{} || end != last) return {{}, false, problem};
  return {round_to_bits(format, value_of_bits(format, bits)), false, {}};
}

/// Results as they stand in text, whose lines may be as long as the file.
class ResultReader {
 public:
  ResultReader(InputFile& file, Format format) : file_(file), format_(format), memory_(file.name()) {}

  GivenResults read() {
    bool comment = false;
    for (int got = file_.sbumpc(); got != std::char_traits<char>::eof(); got = file_.sbumpc()) {
      const char c = std::char_traits<char>::to_char_type(got);
      if (c == '#') comment = true;
      if (!comment && kSeparators.find(c) == std::string_view::npos)
        add(c);
      else if (!word_.empty())
        end_word();
      if (c != '\n') continue;
      comment = false;
      ++line_;
    }
    if (!word_.empty()) end_word();
    if (given_.bits.empty())
      throw file_error(file_.name(), "no result in it; give at least 1, such as 0.1 or bits:0x3dcccccd");
    return std::move(given_);
  }

 private:
  static constexpr std::string_view kSeparators = " \t\r,;\n";
  static constexpr std::size_t kBytesEach = 64;  // in the list of all, and in the count of different ones

  void add(char c) {
    word_ += c;
    if (word_.size() > kLongestLine)
      throw file_error(file_.name() + ":" + std::to_string(line_),
                       in_quotes(word_) + " does not end within " + bytes_in_words(kLongestLine) + "; is it text?");
  }

  void end_word() {
    const ReadResult result = read_result(word_, format_);
    if (!result.bits)
      throw file_error(file_.name() + ":" + std::to_string(line_), in_quotes(word_) + " " + result.problem);
    memory_.take(kBytesEach);
    given_.bits.push_back(*result.bits);
    if (result.rounded) ++given_.rounded;
    word_.clear();
  }

  InputFile& file_;
  Format format_;
  InputMemory memory_;
  GivenResults given_;
  std::string word_;
  std::uint64_t line_ = 1;
};

}  // namespace

GivenResults exact_results(const std::string& source, const Terms& numbers, Format format) {
  const TermView view = numbers.view();
  GivenResults given;
  for (std::size_t i = 0; i < view.n; ++i) {
    const double value = view.left(i);
    const std::uint64_t bits = round_to_bits(format, value);
    const double held = value_of_bits(format, bits);
    if (held < value || held > value)
      throw file_error(source, "number " + std::to_string(i + 1) + " is not exact in " +
                                   std::string(info(format).name) + ", the result format; name another with --format");
    given.bits.push_back(bits);
  }
  return given;
}

ReadResult read_result(std::string_view text, Format format) {
  const std::string name(info(format).name);
  if (text.starts_with(kBits)) return read_bits(text.substr(kBits.size()), format);
  const auto number = read_number(text, format);
  if (!number) return {{}, false, "is not a number; write 0.1, 0x1.8p-1, inf, nan or bits:0x..."};
  const bool hex = text.find_first_of("xX") != std::string_view::npos;
  if (hex && number->inexact)
    return {{}, false, "is not exact in " + name + ", as a hex float must be; write a decimal to have it rounded"};
  return {round_to_bits(format, number->value), number->inexact, {}};
}

GivenResults read_given_results(const std::string& path, Format format) {
  if (path == "-") {
    InputFile file = InputFile::standard_input();
    return ResultReader(file, format).read();
  }
  InputFile file(path, "--values names a file of results here, --value takes one, --input the terms");
  if (file.size() == 0U) throw file_error(path, "is empty; give at least 1 result");
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".npy" || extension == ".f64" || extension == ".f32")
    return exact_results(path, read_terms(path, std::nullopt), format);
  return ResultReader(file, format).read();
}

}  // namespace orderlab
