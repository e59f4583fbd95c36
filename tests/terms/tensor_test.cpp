// Shapes, tensors and indices: files that NumPy wrote, and what npy_bytes writes.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "orderlab/terms.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

std::string npy_text(const std::string& dictionary, const std::string& data) {
  constexpr std::size_t kHeaderBytes = 118;  // NumPy's, where the dictionary is short
  std::string header = dictionary + std::string(kHeaderBytes - 1 - dictionary.size(), ' ') + '\n';
  return std::string("\x93NUMPY\x01\x00v\x00", 10) + header + data;
}

template <std::size_t Size>
std::string literal(const char (&bytes)[Size]) {
  return {bytes, Size - 1};
}

// Written by numpy.save of NumPy 1.24.2.
const std::string kNumpyFp32 = npy_text("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                                        literal("\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\x40"
                                                "\x00\x00\xa0\x40\x00\x00\xd0\x40"));  // 1 2 3; 4 5 6.5
const std::string kNumpyFortran =
    npy_text("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }",
             literal("\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x10\x40"
                     "\x00\x00\x00\x00\x00\x00\x00\x40\x00\x00\x00\x00\x00\x00\x14\x40"
                     "\x00\x00\x00\x00\x00\x00\x08\x40\x00\x00\x00\x00\x00\x00\x1a\x40"));  // the same array
const std::string kNumpyBigEndian =
    npy_text("{'descr': '>i2', 'fortran_order': False, 'shape': (3,), }", literal("\x00\x01\xff\xfe\x01\x2c"));
const std::string kNumpyBytes =
    npy_text("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2), }", literal("\x01\x03\x02\xff"));
const std::string kNumpyScalar =
    npy_text("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", literal("\x07\x00\x00\x00\x00\x00\x00\x00"));

std::vector<double> values_of(const Terms& terms) {
  std::vector<double> values;
  for (std::size_t i = 0; i < terms.size(); ++i) values.push_back(terms.view().left(i));
  return values;
}

Tensor tensor_in(const std::string& content, std::optional<Format> format = std::nullopt) {
  const TemporaryFile file("a.npy", content);
  return read_tensor(file.path(), format);
}

IndexTensor index_in(const std::string& name, const std::string& content) {
  const TemporaryFile file(name, content);
  return read_index(file.path());
}

/// The message for this file, without the path and what stands between it and the problem.
std::string index_refusal(const std::string& name, const std::string& content) {
  const TemporaryFile file(name, content);
  const std::string message = message_of(ErrorKind::input, [&] { (void)read_index(file.path()); });
  CHECK(message.starts_with(file.path()));
  return message.substr(std::min(message.size(), file.path().size()));
}

std::string shape_refusal(std::string_view text) {
  return message_of(ErrorKind::usage, [&] { (void)parse_shape("shape", text); });
}

/// `values` as the file of that type holds them.
std::string integers(const std::string& type, const std::vector<std::uint64_t>& values) {
  const std::size_t bytes = static_cast<std::size_t>(type.back() - '0');
  std::string data;
  for (const std::uint64_t value : values) {
    std::string number;
    for (std::size_t i = 0; i < bytes; ++i) number += static_cast<char>(value >> (8 * i));
    if (type.front() == '>') std::ranges::reverse(number);
    data += number;
  }
  return npy_text(
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }", data);
}

}  // namespace

TEST_CASE("shapes are written and read") {
  for (const char* text : {"1", "7", "1000x20", "2x3x4x5x6x7x8x9", "2147483647", "1x1x2147483647"})
    CHECK(to_string(parse_shape("shape", text)) == text);
  CHECK(parse_shape("shape", "1e3x20") == Shape{1000, 20});
  CHECK(parse_shape("shape", "2^4x1_000") == Shape{16, 1000});
  CHECK(to_string(Shape{}) == "1");
  CHECK(element_count({}) == 1);
  CHECK(element_count({1000, 20}) == 20000);
  CHECK(element_count({std::size_t{1} << 40, std::size_t{1} << 40, 0}) == 0);
}

TEST_CASE("texts that are no shape are refused with what is wrong") {
  CHECK(shape_refusal("") == "shape : extent 1 is missing; write extents such as 1000x20");
  CHECK(shape_refusal("x") == "shape x: extent 1 is missing; write extents such as 1000x20");
  CHECK(shape_refusal("3x") == "shape 3x: extent 2 is missing; write extents such as 1000x20");
  CHECK(shape_refusal("3xx4") == "shape 3xx4: extent 2 is missing; write extents such as 1000x20");
  CHECK(shape_refusal("3x0") == "shape 3x0: extent 2 must be at least 1; write extents such as 1000x20");
  CHECK(shape_refusal("0x10") == "shape 0x10: extent 1 must be at least 1; write extents such as 1000x20");
  CHECK(shape_refusal("-3x2") == "shape -3x2: extent 1, '-3', is negative; write extents such as 1000x20");
  CHECK(shape_refusal("2.5") == "shape 2.5: extent 1, '2.5', is not a whole number; write extents such as 1000x20");
  CHECK(shape_refusal("2X3") ==
        "shape 2X3: extent 1, '2X3', is not a count such as 1000, 1e6, 1_000_000 or 2^20; write extents such as "
        "1000x20");
  CHECK(shape_refusal("1x1x1x1x1x1x1x1x1") ==
        "shape 1x1x1x1x1x1x1x1x1: more than 8 dimensions; write extents such as 1000x20");
  for (const std::string text : {"2147483648", "2^16x2^15", "2^63x2^63"})
    CHECK(shape_refusal(text) == "shape " + text + ": more than 2^31 - 1 elements; write extents such as 1000x20");
  CHECK(message_of(ErrorKind::unsupported, [] {
          (void)element_count({65536, 32768});
        }) == "shape 65536x32768: more than 2^31 - 1 elements");
}

TEST_CASE("a tensor is read as NumPy wrote it") {
  const std::vector<double> values{1, 2, 3, 4, 5, 6.5};
  const Tensor fp32 = tensor_in(kNumpyFp32);
  CHECK(fp32.shape == Shape{2, 3});
  CHECK(fp32.terms.format() == Format::fp32);
  CHECK(values_of(fp32.terms) == values);
  const Tensor fortran = tensor_in(kNumpyFortran);
  CHECK(fortran.shape == Shape{2, 3});
  CHECK(fortran.terms.format() == Format::fp64);
  CHECK(values_of(fortran.terms) == values);
}

TEST_CASE("an array of three dimensions in Fortran order is put into C order") {
  std::vector<double> data(24);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 4; ++k) data[i + 2 * j + 6 * k] = static_cast<double>((i * 3 + j) * 4 + k) + 0.1;
  std::string bytes(24 * sizeof(double), '\0');
  std::memcpy(bytes.data(), data.data(), bytes.size());
  const std::string content = npy_text("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3, 4), }", bytes);
  const Tensor tensor = tensor_in(content, Format::fp32);
  CHECK(tensor.shape == Shape{2, 3, 4});
  CHECK(tensor.terms.inexact_conversions() == 24);
  for (std::size_t i = 0; i < 24; ++i)
    CHECK(tensor.terms.view().left(i) == static_cast<double>(static_cast<float>(static_cast<double>(i) + 0.1)));
}

TEST_CASE("files that have no shape of their own have one dimension") {
  const TemporaryFile text("a.txt", "1\n2.5\n");
  CHECK(read_tensor(text.path(), std::nullopt).shape == Shape{2});
  const TemporaryFile raw("a.f64", std::string(24, '\0'));
  CHECK(read_tensor(raw.path(), Format::fp16).shape == Shape{3});
  CHECK(contains(message_of(ErrorKind::input, [] { (void)read_tensor("absent.npy", std::nullopt); }),
                 "absent.npy: no such file"));
}

TEST_CASE("what npy_bytes writes is read back, and is what NumPy writes") {
  const Tensor fp32 = tensor_in(kNumpyFp32);
  CHECK(npy_bytes(Format::fp32, fp32.shape, fp32.terms.bytes()) == kNumpyFp32);
  for (const FormatInfo& format : kFormats)
    for (const Shape& shape : {Shape{}, Shape{24}, Shape{2, 3, 4}, Shape{1, 2, 3, 4, 1}, Shape{2, 2, 1, 1, 1, 1, 6}}) {
      const Terms terms = generate_terms("normal(0,1)", element_count(shape), format.format, 7);
      const std::string bytes = npy_bytes(format.format, shape, terms.bytes());
      const std::size_t number_bytes =
          element_count(shape) * (format.format == Format::bf16 ? 4 : static_cast<std::size_t>(format.bits) / 8);
      CHECK((bytes.size() - number_bytes) % 64 == 0);
      const Tensor tensor = tensor_in(bytes);
      CHECK(tensor.shape == shape);
      CHECK(tensor.terms.format() == (format.format == Format::bf16 ? Format::fp32 : format.format));
      CHECK(values_of(tensor.terms) == values_of(terms));
      CHECK(tensor_in(bytes, format.format).terms.hash() == terms.hash());
    }
}

TEST_CASE("indices are read as NumPy wrote them") {
  const IndexTensor big_endian = index_in("a.npy", kNumpyBigEndian);
  CHECK(big_endian.shape == Shape{3});
  CHECK(big_endian.values == std::vector<std::int64_t>{1, -2, 300});
  const IndexTensor bytes = index_in("a.npy", kNumpyBytes);
  CHECK(bytes.shape == Shape{2, 2});
  CHECK(bytes.values == std::vector<std::int64_t>{1, 2, 3, 255});
  const IndexTensor scalar = index_in("a.npy", kNumpyScalar);
  CHECK(scalar.shape.empty());
  CHECK(scalar.values == std::vector<std::int64_t>{7});
}

TEST_CASE("every type of integer is read to its ends") {
  for (const std::string order : {"<", ">", "="})
    for (const int bytes : {1, 2, 4, 8}) {
      const std::uint64_t top = std::uint64_t{1} << (8 * bytes - 1);
      const std::int64_t largest = static_cast<std::int64_t>(top - 1);
      const std::string size = std::to_string(bytes);
      CHECK(index_in("a.npy", integers(order + "i" + size, {0, top - 1, top, ~std::uint64_t{0}})).values ==
            std::vector<std::int64_t>{0, largest, -largest - 1, -1});
      if (bytes < 8)
        CHECK(index_in("a.npy", integers(order + "u" + size, {top - 1, top, 2 * top - 1})).values ==
              std::vector<std::int64_t>{largest, largest + 1, 2 * largest + 1});
      CHECK(index_in("a.npy", integers(order + "u8", {top - 1})).values == std::vector<std::int64_t>{largest});
    }
}

TEST_CASE("an index of more numbers than are read at a time is read whole") {
  std::vector<std::uint64_t> values((std::size_t{1} << 17) + 3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i * 7919 % 65521;
  const IndexTensor index = index_in("a.npy", integers(">u2", values));
  CHECK(std::ranges::equal(index.values, values, {}, {}, [](std::uint64_t v) { return static_cast<std::int64_t>(v); }));
}

TEST_CASE("indices are read from text") {
  const IndexTensor index =
      index_in("a.txt", "# rows\n 3\r\n-7\n\n+1e3\n2.0\n9223372036854775807\n-9223372036854775808\n-0\n");
  CHECK(index.shape == Shape{7});
  CHECK(index.values == std::vector<std::int64_t>{3, -7, 1000, 2, std::numeric_limits<std::int64_t>::max(),
                                                  std::numeric_limits<std::int64_t>::min(), 0});
}

TEST_CASE("text that is no index is refused with its line") {
  for (const std::string text : {"2.5", "abc", "1 2", "0x10", "inf", "--3", "+-3", "1e", "1_000", "2^3", "-", "1e-1"})
    CHECK(index_refusal("a.csv", "1\n" + text + "\n") ==
          ":2: '" + text + "' is not a whole number; write one a line, such as 17 or -3");
  for (const std::string text : {"9223372036854775808", "-9223372036854775809", "1e30", "-99999999999999999999999999"})
    CHECK(index_refusal("a.txt", "# 1\n" + text + "\n") ==
          ":2: '" + text + "' is beyond 64 bits; an index is from -2^63 to 2^63 - 1");
  CHECK(index_refusal("a.txt", "") == ": is empty; give at least 1 number");
  CHECK(index_refusal("a.txt", "# 1\n") == ": no number in it; give at least 1 number");
}

TEST_CASE("files that hold no integers are refused with the remedy") {
  struct Other {
    const char* type;
    const char* says;
  };
  const Other others[] = {
      {"'<f8'", "holds float64 numbers ('<f8'), not integers; convert it with .astype(np.int64) before np.save"},
      {"'|b1'", "holds booleans ('|b1'), not real ones; convert it with .astype(np.float64) before np.save"},
      {"'|i4'", "holds numbers of type '|i4', which are not read; convert it with .astype(np.float64) before np.save"},
      {"[('a', '<i8')]", "is a structured array; save one field of it: np.save('x.npy', array['x'])"}};
  for (const Other& o : others)
    CHECK(index_refusal("a.npy",
                        npy_text("{'descr': " + std::string(o.type) + ", 'fortran_order': False, 'shape': (2,), }",
                                 std::string(16, '\0'))) == std::string(": ") + o.says);
  CHECK(index_refusal("a.f64", "12345678") == ": holds fp64 numbers, not integers");
}

TEST_CASE("an index beyond 2^63 - 1 is refused with its place and value") {
  CHECK(index_refusal("a.npy", integers("<u8", {5, ~std::uint64_t{0}, 1})) ==
        ": number 2 is 18446744073709551615, beyond 2^63 - 1, the largest index");
  CHECK(index_refusal("a.npy", integers(">u8", {std::uint64_t{1} << 63})) ==
        ": number 1 is 9223372036854775808, beyond 2^63 - 1, the largest index");
}

TEST_CASE("npy files of indices that are cut, too long or empty are refused") {
  const std::string good = integers("<i4", {1, 2, 3});
  CHECK(index_refusal("a.npy", good.substr(0, good.size() - 1)) ==
        ": is truncated: its shape needs 12 bytes of numbers, 11 are there; write it again with numpy.save");
  CHECK(index_refusal("a.npy", good + "x") ==
        ": has bytes after its end: its shape needs 12 bytes of numbers, 13 are there; write it again with numpy.save");
  CHECK(index_refusal("a.npy", integers("<i4", {})) == ": holds an empty array; give at least 1 number");
  CHECK(index_refusal("a.npy", "") == ": is empty; give at least 1 number");
}
