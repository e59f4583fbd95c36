#include "terms/given_results.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "core/distinguishing_digits.hpp"
#include "core/infinity.hpp"
#include "core/input_file.hpp"
#include "core/text.hpp"
#include "files/open_input.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "terms/table_file.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kBits = "bits:";
constexpr std::string_view kMean = "mean:";

ReadResult refused(std::string problem) {
  ReadResult read;
  read.problem = std::move(problem);
  return read;
}

ReadResult exactly(std::uint64_t bits) {
  ReadResult read;
  read.result = GivenResult{bits};
  return read;
}

ReadResult read_bits(std::string_view digits, Format format) {
  const auto wanted = static_cast<std::size_t>(info(format).hex_digits());
  std::string problem = "is not a bit pattern of " + std::string(info(format).name) + "; write bits:0x and exactly " +
                        std::to_string(wanted) + " hexadecimal digits";
  for (const FormatInfo& other : kFormats)
    if (digits.starts_with("0x") && digits.size() - 2 == static_cast<std::size_t>(other.hex_digits()) &&
        digits.size() != wanted + 2) {
      problem += ", or --format " + std::string(other.name) + " for a pattern of " + std::string(other.name);
      break;
    }
  if (!digits.starts_with("0x") || digits.size() != wanted + 2) return refused(problem);
  std::uint64_t bits = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, code] = std::from_chars(digits.data() + 2, last, bits, 16);
  if (code != std::errc{} || end != last || (info(format).bits < 64 && bits >> info(format).bits != 0))
    return refused(problem);
  return exactly(round_to_bits(format, value_of_bits(format, bits)));
}

ReadResult read_one(std::string_view text, Format format) {
  const std::string name(info(format).name);
  if (text.starts_with(kBits)) return read_bits(text.substr(kBits.size()), format);
  const auto number = read_number(text, format);
  if (!number) return refused("is not a number; write 0.1, 0x1.8p-1, inf, nan or bits:0x..., or mean: before one");
  const bool hex = text.find_first_of("xX") != std::string_view::npos;
  if (hex && number->inexact)
    return refused("is not exact in " + name + ", as a hex float must be; write a decimal to have it rounded");
  ReadResult read = exactly(round_to_bits(format, number->value));
  read.result->text = text;
  read.rounded = number->inexact;
  const auto printed = read_printed(text, format);
  if (printed && printed->digits < distinguishing_digits(format)) {
    read.result->digits = printed->digits;
    read.result->printed = printed->numbers;
  }
  return read;
}

/// What a mean is of: sums of the accumulate format. No way to compute one falls where the sum grows.
class MeanOf {
  using Way =
      std::function<double(double sum)>;  // n a count or a number of the accumulate format, or times the rounded 1/n

 public:
  MeanOf(const Formats& formats, std::uint64_t n) : formats_(formats) {
    const auto exact = static_cast<double>(n);
    const double rounded = accumulated(exact);
    ways_.push_back([exact](double sum) { return sum / exact; });
    if (std::isinf(rounded)) return;  // no library counts terms in a format that ends before n
    ways_.push_back([rounded](double sum) { return sum / rounded; });
    ways_.push_back([inverse = accumulated(1 / rounded)](double sum) { return sum * inverse; });
  }

  /// The sums, from infinity to infinity, that have a mean in `means`; empty if none has one.
  std::optional<KeyInterval> sums(const KeyInterval& means) const {
    std::optional<KeyInterval> all;
    for (const auto& way : ways_) {
      const KeyInterval found{first(means.low, way), first(means.high + 1, way) - 1};
      if (found.low > found.high) continue;
      all = all ? KeyInterval{std::min(all->low, found.low), std::max(all->high, found.high)} : found;
    }
    return all;
  }

 private:
  /// A double rounded to the accumulate format. The exact quotient and product of two fp32 numbers are so far from ties
  /// of fp32 that rounding to fp64 first changes nothing (53 >= 2 * 24 + 2).
  double accumulated(double x) const {
    return value_of_bits(formats_.accumulate, round_to_bits(formats_.accumulate, x));
  }

  std::int64_t mean_key(std::int64_t sum, const Way& way) const {
    const double value = value_of_bits(formats_.accumulate, bits_of_key(formats_.accumulate, sum));
    return ordered_key(formats_.result, round_to_bits(formats_.result, accumulated(way(value))));
  }

  /// The least sum whose mean is not below `mean`; beyond infinity where there is none.
  std::int64_t first(std::int64_t mean, const Way& way) const {
    const auto infinity = [&](double sign) {
      return ordered_key(formats_.accumulate, round_to_bits(formats_.accumulate, sign * kInfinity));
    };
    std::int64_t low = infinity(-1);
    std::int64_t end = infinity(1) + 1;
    while (low < end) {
      const std::int64_t middle = std::midpoint(low, end);  // their difference may overflow
      if (mean_key(middle, way) < mean)
        low = middle + 1;
      else
        end = middle;
    }
    return end;
  }

  Formats formats_;
  std::vector<Way> ways_;
};

ReadResult read_mean(std::string_view text, const Formats& formats, std::uint64_t n) {
  if (formats.accumulate == Format::fp80)
    return refused("is a mean, of a sum in the accumulate format, and no result is fp80; give the sum itself");
  ReadResult read = read_one(text, formats.result);
  if (!read.result) return read;
  read.mean = true;
  const MeanOf mean(formats, n);
  const double value = value_of_bits(formats.result, read.result->bits);
  const auto sum_near = [&](double x) { return GivenResult{round_to_bits(formats.accumulate, x)}; };
  if (std::isnan(value)) {
    read.result = sum_near(value);
    return read;
  }
  GivenResult sums = sum_near(value * static_cast<double>(n));
  sums.text = std::string(kMean) + read.result->text;
  const auto exact = mean.sums(read.result->read_exactly(formats.result));
  const std::int64_t near = ordered_key(formats.accumulate, sums.bits);
  if (exact) sums.bits = bits_of_key(formats.accumulate, std::clamp(near, exact->low, exact->high));
  sums.exact = exact;
  const auto printed = read.result->printed ? mean.sums(*read.result->printed) : std::nullopt;
  if (!exact && !printed)
    return refused("is the mean of no sum in " + std::string(info(formats.accumulate).name) +
                   ", the accumulate format");
  if (!exact) sums.exact = printed;
  if (read.result->printed) {
    sums.printed = printed;
    sums.digits = sums.printed ? read.result->digits : 0;
  }
  read.result = sums;
  return read;
}

/// Results as they stand in text, whose lines may be as long as the file.
class ResultReader {
 public:
  ResultReader(InputStream& file, const Formats& formats, std::uint64_t n, bool decimal_comma)
      : file_(file), list_(formats, n, file.name()), decimal_comma_(decimal_comma) {}

  GivenResults read() {
    const std::string_view separators = decimal_comma_ ? " \t\r;\n" : " \t\r,;\n";
    bool comment = false;
    for (int got = file_.sbumpc(); got != std::char_traits<char>::eof(); got = file_.sbumpc()) {
      const char c = std::char_traits<char>::to_char_type(got);
      if (c == '#') comment = true;
      if (!comment && separators.find(c) == std::string_view::npos)
        add(c);
      else if (!word_.empty())
        end_word();
      if (c != '\n') continue;
      comment = false;
      ++line_;
    }
    if (!word_.empty()) end_word();
    if (list_.empty())
      throw file_error(file_.name(), "no result in it; give at least 1, such as 0.1 or bits:0x3dcccccd");
    return std::move(list_).given();
  }

 private:
  std::string where() const { return file_.name() + ":" + std::to_string(line_); }

  void add(char c) {
    word_ += c;
    if (word_.size() > kLongestLine)
      throw file_error(where(),
                       in_quotes(word_) + " does not end within " + bytes_in_words(kLongestLine) + "; is it text?");
  }

  void end_word() {
    list_.add(where(), decimal_comma_ ? number_text(word_, true, [this] { return where(); }) : word_);
    word_.clear();
  }

  InputStream& file_;
  ResultList list_;
  bool decimal_comma_;
  std::string word_;
  std::uint64_t line_ = 1;
};

}  // namespace

void ResultList::add(const std::string& where, std::string_view text) {
  constexpr std::size_t kBytesEach = 160;  // in the list of all, and in the count of different ones
  const ReadResult read = read_result(text, formats_, n_);
  if (!read.result) throw file_error(where, in_quotes(text) + " " + read.problem);
  if (!given_.results.empty() && read.mean != given_.means)
    throw file_error(
        where, in_quotes(text) + " stands among " + (read.mean ? "sums" : "means") + "; give either means or sums");
  memory_.take(kBytesEach);
  given_.means = read.mean;
  given_.results.push_back(*read.result);
  if (read.rounded) ++given_.rounded;
}

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
    given.results.push_back({bits});
  }
  return given;
}

ReadResult read_result(std::string_view text, const Formats& formats, std::uint64_t n) {
  return text.starts_with(kMean) ? read_mean(text.substr(kMean.size()), formats, n) : read_one(text, formats.result);
}

GivenResults read_given_results(FileSource source, const Formats& formats, std::uint64_t n) {
  const FileAddress address = file_address(source.text);
  auto content =
      open_input(address.path, "--values names a file of results here, --value takes one, --input the terms");
  if (content->size() == 0U) throw file_error(source.text, "is empty; give at least 1 result");
  if (address.name.empty() && is_text_file(address.path, content->next_bytes()))
    return ResultReader(*content, formats, n, source.decimal_comma).read();
  source.one_column = true;
  auto file = open_array_file(source, std::move(content));
  ResultList list(formats, n, source.text);
  const auto add = [&](const std::string& where, std::string_view text) { list.add(where, text); };
  if (file->each_text(address.name, add)) return std::move(list).given();
  const FileArray array = read_file_array(source, std::nullopt, std::nullopt, std::move(file));
  return exact_results(source.text, array.terms, formats.result);
}

}  // namespace orderlab
