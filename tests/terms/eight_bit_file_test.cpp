// Files of e4m3 and e5m2 numbers, as ml_dtypes' arrays are saved, and texts of them.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "orderlab/terms.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

/// All patterns of 8 bits as numpy.save writes an array of that dtype.
std::string npy_of_bytes(const std::string& type, std::size_t count = 256) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0';
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  bytes += header;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  return bytes;
}

Terms terms_of_bytes(const std::string& type, std::optional<Format> format, std::size_t count = 256) {
  const TemporaryFile file("bytes.npy", npy_of_bytes(type, count));
  return read_terms(file.path(), format);
}

std::string refusal_of_type(const std::string& type, std::optional<Format> format) {
  const std::string message = message_of(ErrorKind::input, [&] { (void)terms_of_bytes(type, format); });
  return message.substr(message.find("bytes.npy: ") + 11);
}

void check_patterns(const Terms& terms, Format format) {
  CHECK(terms.format() == format);
  CHECK(terms.inexact_conversions() == 0);
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < 256; ++i) {
    const double expected = value_of_bits(format, i);
    const double value = terms.view().left(i);
    if (std::isnan(expected) ? !std::isnan(value) : bits_of(value) != bits_of(expected)) ++wrong;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("arrays of ml_dtypes' float8 and bytes of uint8 are read as the patterns that --format says") {
  for (const Format format : {Format::e4m3, Format::e5m2}) {
    CAPTURE(info(format).name);
    for (const char* type : {"<V1", "|V1", "|u1"}) check_patterns(terms_of_bytes(type, format), format);
  }
  for (const auto format : {std::optional<Format>(), std::optional(Format::e5m2)})
    check_patterns(terms_of_bytes("<f1", format), Format::e5m2);
  const Terms bf16 = terms_of_bytes("<V2", Format::bf16, 128);
  CHECK(terms_of_bytes("|V2", Format::bf16, 128).hash() == bf16.hash());
  CHECK(bf16.format() == Format::bf16);
  CHECK(bf16.view().left(0) == value_of_bits(Format::bf16, 0x0100));
}

TEST_CASE("arrays of 8 bits and of tf32 are written as they are read") {
  for (const Format format : {Format::e4m3, Format::e5m2, Format::tf32}) {
    CAPTURE(info(format).name);
    Terms terms(format, 256);
    for (std::size_t i = 0; i < 256; ++i) terms.set(i, value_of_bits(Format::e5m2, i));
    const TemporaryFile file("written.npy", npy_bytes(format, {256}, terms.bytes()));
    CHECK(read_terms(file.path(), format).hash() == terms.hash());
  }
}

TEST_CASE("bytes without a meaning are refused, with what would give them one") {
  CHECK(refusal_of_type("<V1", std::nullopt) ==
        "holds raw bytes ('<V1'), as numbers of ml_dtypes are saved; say what they are: --format e4m3 or --format "
        "e5m2");
  CHECK(refusal_of_type("<V1", Format::fp32) == refusal_of_type("<V1", std::nullopt));
}

TEST_CASE("text is rounded once to them, and what becomes NaN is counted") {
  const Terms e4m3 = parse_terms("448,464,465,-inf,0.1,nan,1e-9", Format::e4m3);
  CHECK(e4m3.view().left(0) == 448);
  CHECK(e4m3.view().left(1) == 448);
  for (const std::size_t i : {2U, 3U, 5U}) CHECK(std::isnan(e4m3.view().left(i)));
  CHECK(e4m3.view().left(4) == 0.1015625);
  CHECK(e4m3.view().left(6) == 0);
  CHECK(e4m3.inexact_conversions() == 5);
  const Terms tf32 = parse_terms("1.00048828125,1.00048828126", Format::tf32);  // 1 + 2^-11, a tie, and above it
  CHECK(tf32.view().left(0) == 1);
  CHECK(tf32.view().left(1) == 1 + 0x1p-10);
}

TEST_CASE("generated terms are rounded once to them") {
  for (const FormatInfo& f : kAllFormats) {
    if (!f.uses.terms || f.uses.sums) continue;
    CAPTURE(f.name);
    const Terms wide = generate_terms("normal(0,1)", 3000, Format::fp64, 7);
    const Terms narrow = generate_terms("normal(0,1)", 3000, f.format, 7);
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < 3000; ++i)
      if (round_to_bits(f.format, wide.view().left(i)) != round_to_bits(f.format, narrow.view().left(i)) ||
          value_of_bits(f.format, round_to_bits(f.format, narrow.view().left(i))) != narrow.view().left(i))
        ++wrong;
    CHECK(wrong == 0);
  }
}
