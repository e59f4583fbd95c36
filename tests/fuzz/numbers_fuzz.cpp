// Numbers as users write them: counts, reals, floating-point numbers, formats, lists of values.
#include <cmath>
#include <cstdlib>
#include <string>

#include "core/text.hpp"
#include "fuzz/fuzz.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "orderlab/terms.hpp"
#include "terms/given_results.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

namespace {

void read_a_count(std::string_view text) {
  const CountResult count = read_count(text);
  require(count.value.has_value() == count.problem.empty(), "a count, or what is wrong with it");
  if (count.value)
    require_equal("a count and its digits", *count.value, read_count(std::to_string(*count.value)).value.value());
}

void read_a_real(std::string_view text) {
  const auto real = read_real(text);
  if (!real) return;
  require_equal("a real and its shortest text", bits_of(*real), bits_of(read_real(shortest(*real)).value()));
  const auto number = read_number(text, Format::fp64);
  require(number.has_value(), "a real is a number");
  require_equal("a real and the number", bits_of(*real), bits_of(number->value));
}

// The C library rounds correctly, too.
void read_in_every_format(const std::string& text) {
  const auto wide = read_number(text, Format::fp64);
  for (const FormatInfo& f : kFormats) {
    const auto number = read_number(text, f.format);
    require(number.has_value() == wide.has_value(), "a number is one in every format");
    if (!number) continue;
    require_equal("a number and the same in its format", bits_of(number->value),
                  bits_of(value_of_bits(f.format, round_to_bits(f.format, number->value))));
    if (!wide->inexact)
      require_equal("an exact number, rounded", round_to_bits(f.format, number->value),
                    round_to_bits(f.format, wide->value));
  }
  if (!wide) return;
  require_equal("a number and the C library's", bits_of(wide->value), bits_of(std::strtod(text.c_str(), nullptr)));
  require_equal("a number and the C library's fp32", bits_of(read_number(text, Format::fp32)->value),
                bits_of(static_cast<double>(std::strtof(text.c_str(), nullptr))));
}

void read_a_result(std::string_view text, Format format) {
  const Formats formats{format, format, format};
  const ReadResult read = read_result(text, formats, 8);
  require(read.result.has_value() == read.problem.empty(), "a result, or what is wrong with it");
  if (!read.result) return;
  require_equal("a result and its bits", read.result->bits,
                read_result("bits:" + bits_text(format, read.result->bits), formats, 8).result->bits);
  require(read.result->read_widely(format).holds(ordered_key(format, read.result->bits)), "a result as it was read");
}

void read_values(std::string_view text, Format format) {
  const Terms terms = parse_terms(text, format);
  std::string list;
  for (std::size_t i = 0; i < terms.size(); ++i) list += (i == 0 ? "" : ",") + shortest(terms.view().left(i));
  require_equal("values and their shortest texts", terms.hash(),
                accepted("the list", [&] { return parse_terms(list, format); }).hash());
}

}  // namespace

ORDERLAB_FUZZ(numbers) {
  Choices choices(input);
  const std::uint64_t kind = choices.below(6);
  const Format format = choices.format();
  const std::string text(choices.text());
  if (kind == 0) read_a_count(text);
  if (kind == 1) read_a_real(text);
  if (kind == 2) read_in_every_format(text);
  if (kind == 3) read_a_result(text, format);
  if (kind == 4) read_values(text, format);
  if (kind != 5) return;
  const Formats formats = parse_formats(text);
  require(accepted("the shortest text", [&] { return parse_formats(to_string(formats)); }) == formats,
          "formats and their shortest text");
}
