#include "terms/given_results.hpp"

#include <charconv>
#include <filesystem>
#include <istream>

#include "orderlab/exact.hpp"
#include "orderlab/terms.hpp"
#include "terms/files.hpp"
#include "terms/standard_input.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kBits = "bits:";

ReadResult read_bits(std::string_view digits, Format format) {
  const auto wanted = static_cast<std::size_t>(info(format).bits) / 4;
  const std::string problem = "is no bit pattern of " + std::string(info(format).name) +
                              "; write bits:0x and exactly " + std::to_string(wanted) + " hexadecimal digits";
  if (!digits.starts_with("0x") || digits.size() != wanted + 2) return {{}, false, problem};
  std::uint64_t bits = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, code] = std::from_chars(digits.data() + 2, last, bits, 16);
  if (code != std::errc{} || end != last) return {{}, false, problem};
  return {round_to_bits(format, value_of_bits(format, bits)), false, {}};
}

class ResultReader {
 public:
  ResultReader(std::string file, Format format) : file_(std::move(file)), format_(format) {}

  void read_line(std::string_view line, std::uint64_t number) {
    constexpr std::string_view kSeparators = " \t\r,;";
    line = line.substr(0, line.find('#'));
    for (;;) {
      const auto first = line.find_first_not_of(kSeparators);
      if (first == std::string_view::npos) return;
      line.remove_prefix(first);
      const std::string_view word = line.substr(0, line.find_first_of(kSeparators));
      line.remove_prefix(word.size());
      const ReadResult result = read_result(word, format_);
      if (!result.bits) throw file_error(file_ + ":" + std::to_string(number), in_quotes(word) + " " + result.problem);
      given_.bits.push_back(*result.bits);
      if (result.rounded) ++given_.rounded;
    }
  }

  GivenResults read(std::istream& stream) {
    stream.exceptions(std::ios::badbit);
    std::string line;
    try {
      for (std::uint64_t number = 1; std::getline(stream, line); ++number) read_line(line, number);
    } catch (const std::ios_base::failure& failure) {
      throw file_error(file_, "cannot be read to its end: " + failure.code().message());
    }
    if (given_.bits.empty())
      throw file_error(file_, "no result in it; give at least 1, such as 0.1 or bits:0x3dcccccd");
    return std::move(given_);
  }

 private:
  std::string file_;
  Format format_;
  GivenResults given_;
};

GivenResults read_binary_results(const std::string& path, Format format) {
  const Terms numbers = read_terms(path, std::nullopt);
  const TermView view = numbers.view();
  GivenResults given;
  for (std::size_t i = 0; i < view.n; ++i) {
    const double value = view.left(i);
    const std::uint64_t bits = round_to_bits(format, value);
    const double held = value_of_bits(format, bits);
    if (held < value || held > value)
      throw file_error(path, "number " + std::to_string(i + 1) + " is no " + std::string(info(format).name) +
                                 " number, which a result is; name the result format with --format");
    given.bits.push_back(bits);
  }
  return given;
}

}  // namespace

ReadResult read_result(std::string_view text, Format format) {
  const std::string name(info(format).name);
  if (text.starts_with(kBits)) return read_bits(text.substr(kBits.size()), format);
  const auto number = read_number(text, format);
  if (!number) return {{}, false, "is no number; write 0.1, 0x1.8p-1, inf, nan or bits:0x..."};
  const bool hex = text.find_first_of("xX") != std::string_view::npos;
  if (hex && number->inexact)
    return {{}, false, "is no " + name + " number, as a hex float must be; write a decimal to have it rounded"};
  return {round_to_bits(format, number->value), number->inexact, {}};
}

GivenResults read_given_results(const std::string& path, Format format) {
  if (path == "-") {
    StandardInput input;
    std::istream stream(&input);
    return ResultReader("standard input", format).read(stream);
  }
  std::error_code code;
  if (!std::filesystem::exists(path, code))
    throw file_error(path, "no such file; --values names a file of results here, --value takes one, --input the terms");
  if (std::filesystem::is_directory(path, code)) throw file_error(path, "is a folder; name a file in it");
  if (std::filesystem::is_regular_file(path, code) && std::filesystem::file_size(path, code) == 0)
    throw file_error(path, "is empty; give at least 1 result");
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".npy" || extension == ".f64" || extension == ".f32") return read_binary_results(path, format);
  std::ifstream stream = open_file(path).stream;
  return ResultReader(path, format).read(stream);
}

}  // namespace orderlab
