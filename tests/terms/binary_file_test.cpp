// Raw files and NumPy files.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "orderlab/terms.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

template <class T>
std::string raw(std::initializer_list<T> values, bool big_endian = false) {
  std::string text;
  for (const T v : values) {
    std::array<char, sizeof(T)> bytes = std::bit_cast<std::array<char, sizeof(T)>>(v);
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    text.append(bytes.data(), bytes.size());
  }
  return text;
}

std::string header(const std::string& type, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': " + type + ", 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

// As numpy.save writes it: padded with spaces to 64 bytes, then a line end.
std::string npy(std::string dictionary, const std::string& data, char version = 1) {
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  while ((8 + length_bytes + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  std::string text = "\x93NUMPY";
  text += version;
  text += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) text += static_cast<char>(dictionary.size() >> (8 * i));
  return text + dictionary + data;
}

Terms read(const std::string& name, const std::string& content, std::optional<Format> format = std::nullopt) {
  const TemporaryFile file(name, content);
  return read_terms(file.path(), format);
}

std::string refusal_of_bytes(const std::string& name, const std::string& content) {
  return message_of(ErrorKind::input, [&] { (void)read(name, content); });
}

std::string stored(const Terms& terms) {
  return {reinterpret_cast<const char*>(terms.bytes().data()), terms.bytes().size()};
}

const std::string kData = raw({1.5, -0.0, 0.1, 1e300, 4.9e-324, -7.0});

}  // namespace

TEST_CASE("raw files hold little-endian numbers") {
  const Terms fp64 = read("a.f64", kData);
  CHECK(fp64.format() == Format::fp64);
  CHECK(stored(fp64) == kData);
  CHECK(fp64.inexact_conversions() == 0);
  const std::string floats = raw({1.5f, -0.0f, 0.1f});
  const Terms fp32 = read("a.f32", floats);
  CHECK(fp32.format() == Format::fp32);
  CHECK(stored(fp32) == floats);
}

TEST_CASE("conversions to a narrower format are rounded and those that change a number counted") {
  const Terms terms = read("a.f64", kData, Format::fp32);
  CHECK(stored(terms) == raw({1.5f, -0.0f, 0.1f, HUGE_VALF, 0.0f, -7.0f}));
  CHECK(terms.inexact_conversions() == 3);
  CHECK(read("a.npy", npy(header("'<f8'", "(6,)"), kData), Format::fp32).hash() == terms.hash());
  CHECK(read("a.f32", raw({1.5f, -0.0f, 0.1f}), Format::fp64).inexact_conversions() == 0);
}

TEST_CASE("a raw file of another size is refused with the sizes") {
  CHECK(contains(refusal_of_bytes("a.f64", kData + "x"),
                 "49 bytes are not a multiple of 8, the size of one fp64 number; 1 left over"));
  CHECK(contains(refusal_of_bytes("a.f32", "12345"), "5 bytes are not a multiple of 4"));
  CHECK(contains(refusal_of_bytes("a.f32", ""), "is empty"));
}

TEST_CASE("raw files longer than one chunk are read whole") {
  constexpr std::size_t kTerms = (std::size_t{1} << 17) + 3;
  const Terms written = generate_terms("normal(0,1)", kTerms, Format::fp64, 5);
  CHECK(read("a.f64", stored(written)).hash() == written.hash());
}

TEST_CASE("npy files of every version are read") {
  for (const char version : {'\1', '\2', '\3'}) {
    INFO(static_cast<int>(version));
    CHECK(stored(read("a.npy", npy(header("'<f8'", "(6,)"), kData, version))) == kData);
  }
}

TEST_CASE("npy files of every float type are read") {
  CHECK(stored(read("a.npy", npy(header("'<f4'", "(2,)"), raw({1.5f, 0.1f})))) == raw({1.5f, 0.1f}));
  const Terms half = read("a.npy", npy(header("'<f2'", "(3,)"), raw<std::uint16_t>({0x3c01, 0x8000, 0x0001})));
  CHECK(half.format() == Format::fp16);
  CHECK(stored(half) == raw<std::uint16_t>({0x3c01, 0x8000, 0x0001}));
}

TEST_CASE("integers of npy files are terms in fp64, or in the format asked for, rounded once") {
  constexpr std::int64_t kOdd = (std::int64_t{1} << 53) + 1;
  const std::string file = npy(header("'<i8'", "(3,)"), raw<std::int64_t>({-3, kOdd, -kOdd}));
  const Terms terms = read("a.npy", file);
  CHECK(terms.format() == Format::fp64);
  CHECK(stored(terms) == raw({-3.0, 0x1p53, -0x1p53}));
  CHECK(terms.inexact_conversions() == 2);
  // 2^62 + 2^38 is a tie of fp32, to which fp64 would round what lies 1 above it.
  constexpr std::uint64_t kTie = (std::uint64_t{1} << 62) + (std::uint64_t{1} << 38);
  const std::string ties = npy(header("'<u8'", "(2,)"), raw<std::uint64_t>({kTie, kTie + 1}));
  const Terms narrow = read("a.npy", ties, Format::fp32);
  CHECK(stored(narrow) == raw({0x1p62f, 0x1.000002p62f}));
  CHECK(narrow.inexact_conversions() == 2);
}

TEST_CASE("big-endian npy files are swapped") {
  CHECK(stored(read("a.npy", npy(header("'>f8'", "(2,)"), raw({1.5, 0.1}, true)))) == raw({1.5, 0.1}));
  CHECK(stored(read("a.npy", npy(header("'>f4'", "(2,)"), raw({1.5f, 0.1f}, true)))) == raw({1.5f, 0.1f}));
  CHECK(stored(read("a.npy", npy(header("'>f2'", "(1,)"), raw<std::uint16_t>({0x3c01}, true)))) ==
        raw<std::uint16_t>({0x3c01}));
}

TEST_CASE("npy files of any shape and order are read as they lie") {
  for (const char* shape : {"(6,)", "(2, 3)", "(1,2,3)", "(6L,)", "(6,1,)"})
    for (const char* fortran : {"False", "True"}) {
      INFO(shape, " ", fortran);
      CHECK(stored(read("a.npy", npy(header("'<f8'", shape, fortran), kData))) == kData);
    }
  CHECK(read("a.npy", npy(header("'<f8'", "()"), raw({2.5}))).size() == 1);
}

TEST_CASE("the header of an npy file may have another order and other quotes") {
  CHECK(stored(read("a.npy", npy("{\"shape\":(6,),\"fortran_order\":False,\"descr\":\"<f8\"}", kData))) == kData);
}

TEST_CASE("npy files of other types are refused with the remedy") {
  struct Other {
    const char* type;
    const char* says;
  };
  const Other others[] = {{"'|b1'", "holds booleans"},
                          {"'<c16'", "holds complex numbers ('<c16'); save its parts: np.save('real.npy', array.real)"},
                          {"'|O'", "holds pickled Python objects"},
                          {"'<U5'", "holds text"},
                          {"'<f16'", "holds numbers of type '<f16'"},
                          {"'|V3'", "holds numbers of type '|V3'"},
                          {"'<M8[ns]'", "holds numbers of type '<M8[ns]'"},
                          {"[('a', '<f8'), ('b', '<i4', (2,))]", "is a structured array; save one field"},
                          {"''", "holds numbers of type ''"}};
  for (const Other& o : others) {
    const std::string message = refusal_of_bytes("a.npy", npy(header(o.type, "(6,)"), kData));
    INFO(message);
    CHECK(contains(message, o.says));
    CHECK(contains(message, "np.save"));
  }
}

TEST_CASE("npy files that are cut, too long or empty are refused") {
  const std::string good = npy(header("'<f8'", "(6,)"), kData);
  for (std::size_t size = 1; size < good.size(); ++size) {
    const std::string message = refusal_of_bytes("a.npy", good.substr(0, size));
    INFO(size, ": ", message);
    CHECK(contains(message, size < 8 ? "does not begin as a .npy file does" : "is truncated"));
  }
  CHECK(contains(refusal_of_bytes("a.npy", good + "x"),
                 "has bytes after its end: its shape needs 48 bytes of numbers, 49 are there"));
  CHECK(contains(refusal_of_bytes("a.npy", ""), "is empty"));
  CHECK(contains(refusal_of_bytes("a.npy", npy(header("'<f8'", "(0,)"), "")), "empty array"));
  CHECK(contains(refusal_of_bytes("a.npy", npy(header("'<f8'", "(9223372036854775807, 9223372036854775807, 0)"), "")),
                 "empty array"));
}

TEST_CASE("npy files with a broken header are refused") {
  CHECK(contains(refusal_of_bytes("a.npy", "1.5\n2.5\n1.5\n"), "does not begin as a .npy file does"));
  CHECK(contains(refusal_of_bytes("a.npy", npy(header("'<f8'", "(6,)"), kData, 4)), "version 4"));
  CHECK(contains(refusal_of_bytes("a.npy", npy(header("'<f8'", "(4294967296, 4294967296)"), kData)),
                 "beyond 2^64 bytes"));
  for (const char* dictionary : {"", "{", "{}", "[]", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': False}",
                                 "{'descr': '<f8', 'fortran_order': 0, 'shape': (6,)}",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (-6,)}",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': 6}",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (6,}",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (6.0,)}", "{'descr: '<f8'}",
                                 "{'descr': [('a', '<f8', 'fortran_order': False, 'shape': (6,)}",
                                 "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (6,)}",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), 'x': 1}",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (6,)} x",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}"}) {
    const std::string message = refusal_of_bytes("a.npy", npy(dictionary, kData));
    INFO(dictionary, " gave: ", message);
    CHECK(contains(message, "the .npy header "));
  }
}
