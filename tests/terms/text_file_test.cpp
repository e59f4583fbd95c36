#include <doctest/doctest.h>

#include <bit>
#include <sstream>
#include <string>
#include <vector>

#include "orderlab/terms.hpp"
#include "terms/files.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

std::vector<std::uint64_t> bits_in(const Terms& terms) {
  std::vector<std::uint64_t> bits;
  for (std::size_t i = 0; i < terms.size(); ++i) bits.push_back(round_to_bits(terms.format(), terms.view().left(i)));
  return bits;
}

std::string refusal_of_text(const std::string& name, std::string_view content) {
  const TemporaryFile file(name, content);
  return message_of(ErrorKind::input, [&] { (void)read_terms(file.path(), std::nullopt); });
}

}  // namespace

TEST_CASE("text has one number a line, with comments, blank lines and either line end") {
  const TemporaryFile file("a.txt", "# header\n\n0.5\r\n  0x1.8p3\t\n\r\n-0\n1e-3\n+2");
  const Terms terms = read_terms(file.path(), std::nullopt);
  CHECK(terms.format() == Format::fp64);
  CHECK(terms.size() == 5);
  CHECK(bits_in(terms) ==
        std::vector<std::uint64_t>{std::bit_cast<std::uint64_t>(0.5), std::bit_cast<std::uint64_t>(12.0),
                                   std::bit_cast<std::uint64_t>(-0.0), std::bit_cast<std::uint64_t>(1e-3),
                                   std::bit_cast<std::uint64_t>(2.0)});
  CHECK(terms.inexact_conversions() == 1);  // 1e-3
}

TEST_CASE("inf and nan are numbers of a file") {
  const TemporaryFile file("a.csv", "inf\n-inf\nnan\n");
  CHECK(bits_in(read_terms(file.path(), Format::fp16)) == std::vector<std::uint64_t>{0x7c00, 0xfc00, 0x7e00});
}

TEST_CASE("decimal text is rounded once, straight to the format") {
  // 1 + 2^-11 is a tie of fp16 and 1 + 2^-8 one of bf16; a digit beyond what fp64 holds decides.
  const TemporaryFile half(
      "a.txt", "1.00048828125\n1.00048828125000000000000000001\n1.00146484375\n1.00146484374999999999999999999\n");
  const Terms fp16 = read_terms(half.path(), Format::fp16);
  CHECK(bits_in(fp16) == std::vector<std::uint64_t>{0x3c00, 0x3c01, 0x3c02, 0x3c01});
  CHECK(fp16.inexact_conversions() == 4);
  const TemporaryFile brain(
      "a.txt", "1.00390625\n1.00390625000000000000000000001\n1.01171875\n1.01171874999999999999999999999\n");
  CHECK(bits_in(read_terms(brain.path(), Format::bf16)) == std::vector<std::uint64_t>{0x3f80, 0x3f81, 0x3f82, 0x3f81});
}

TEST_CASE("a line that is no number is refused with file and line") {
  const TemporaryFile file("a.txt", "1\n# 2\nabc\n");
  CHECK(contains(message_of(ErrorKind::input, [&] { (void)read_terms(file.path(), std::nullopt); }),
                 file.path() + ":3: 'abc' is not a number; write one number a line"));
  CHECK(contains(refusal_of_text("a.csv", "1,2\n"), ": has 2 columns (1, 2); name one, such as "));
  CHECK(contains(refusal_of_text("a.csv", "1 2\n"), ":1: '1 2' is not a number"));
  CHECK(contains(refusal_of_text("a.csv", "1;\n"), ": has 2 columns (1, 2); name one, such as "));
  CHECK(contains(refusal_of_text("a.txt", "1\n1e\n"), ":2: '1e' is not a number"));
  CHECK(contains(refusal_of_text("a.txt", std::string_view("1\n\0\x01\x02\n", 6)), ":2: '\?\?\?' is not a number"));
  CHECK(contains(refusal_of_text("a.txt", std::string(100, 'x')), "'" + std::string(40, 'x') + "...'"));
}

TEST_CASE("a file without numbers is refused") {
  CHECK(contains(refusal_of_text("a.txt", ""), "is empty"));
  CHECK(contains(refusal_of_text("a.txt", "# only this\n\n"), "no number in it"));
}

TEST_CASE("what is no readable file of a known kind is refused") {
  const TemporaryFile file("a.dat", "1\n");
  const auto message = [](const std::string& path) {
    return message_of(ErrorKind::input, [&] { (void)read_terms(path, std::nullopt); });
  };
  CHECK(contains(message(file.path()), "unknown extension '.dat'; known: .npy, .npz, .safetensors, "));
  CHECK(contains(message(file.folder()), "is a folder"));
  CHECK(contains(message(file.folder() + "/absent.txt"), "no such file"));
  CHECK(contains(message(file.path() + "/a.txt"), "no such file"));
  CHECK(contains(message(""), "no such file"));
  CHECK(contains(message("/dev/null"), "is a device"));
}

TEST_CASE("a file without permission is refused" * doctest::skip(geteuid() == 0)) {
  const TemporaryFile file("a.txt", "1\n");
  std::filesystem::permissions(file.path(), std::filesystem::perms::none);
  CHECK(
      contains(message_of(ErrorKind::input, [&] { (void)read_terms(file.path(), std::nullopt); }), "ermission denied"));
}

TEST_CASE("a line of numbers that does not end is refused before it fills the memory") {
  const std::string digits(kLongestLine + 1, '1');
  CHECK(contains(refusal_of_text("a.txt", "1\n" + digits + "\n"), ":2: a line of more than 1.0 MiB"));
  CHECK(contains(refusal_of_text("a.txt", "1\n" + digits), ":2: a line of more than 1.0 MiB"));
  CHECK(refusal_of_text("a.txt", "1\n" + digits.substr(1)) == "no error");
}

TEST_CASE("values are numbers separated by commas") {
  const Terms terms = parse_terms("0.1, -0.25,0x1p-3", Format::fp32);
  CHECK(bits_in(terms) == std::vector<std::uint64_t>{0x3dcccccd, 0xbe800000, 0x3e000000});
  CHECK(terms.inexact_conversions() == 1);
  const auto message = [](const char* text) {
    return message_of(ErrorKind::usage, [&] { (void)parse_terms(text, Format::fp64); });
  };
  CHECK(contains(message("1,abc"), "value 2: 'abc' is not a number"));
  CHECK(contains(message("1,"), "value 2: '' is not a number"));
  CHECK(contains(message(",1"), "value 1: '' is not a number"));
  CHECK(contains(message(""), "no values"));
}
