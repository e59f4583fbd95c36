#include "cuda_source/tokens.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace orderlab::cuda_source;

namespace {

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> all;
  for (const Token& token : tokens_of(source)) all.emplace_back(token.text);
  return all;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("comments are no tokens, also where they continue") {
  CHECK(texts("a // b <<<\nc /* d\n */ e") == Texts{"a", "c", "e"});
  CHECK(texts("a // b \\\n c\nd") == Texts{"a", "d"});
  CHECK(texts("a /* b") == Texts{"a"});
  CHECK(texts("a / b /= c") == Texts{"a", "/", "b", "/", "=", "c"});
}

TEST_CASE("blanks may stand between a backslash and the end of the line that it continues") {
  CHECK(texts("a \\ \t\nb") == Texts{"a", "b"});
  CHECK(texts("#define A \\  \r\n  x\nb") == Texts{"#define A \\  \r\n  x", "b"});
  CHECK(texts("a // b \\ \n c\nd") == Texts{"a", "d"});
  CHECK(texts("\"con\\ \ntinued\" a") == Texts{"\"con\\ \ntinued\"", "a"});
  CHECK(texts("\"a\\ \"b") == Texts{"\"a\\ \"", "b"});
  CHECK(texts("a \\ b\nc \\ ") == Texts{"a", "\\", "b", "c", "\\"});
}

TEST_CASE("literals are one token, raw ones and those with a prefix too") {
  CHECK(texts(R"(f("a<<<b", '"', u8"\"", L'x'))") ==
        Texts{"f", "(", "\"a<<<b\"", ",", "'\"'", ",", "u8\"\\\"\"", ",", "L'x'", ")"});
  CHECK(texts("R\"(a \" b)\" c") == Texts{"R\"(a \" b)\"", "c"});
  CHECK(texts("LR\"x(a)\" )x\" c") == Texts{"LR\"x(a)\" )x\"", "c"});
  CHECK(texts("\"not closed\na") == Texts{"\"not closed", "a"});
  CHECK(texts("\"con\\\ntinued\" a") == Texts{"\"con\\\ntinued\"", "a"});
}

TEST_CASE("numbers keep their separators and exponents") {
  CHECK(texts("1'000 1e+5f 0x1p-3 .5 a.b") == Texts{"1'000", "1e+5f", "0x1p-3", ".5", "a", ".", "b"});
}

TEST_CASE("a preprocessor line is one token with its continuations, up to a comment") {
  CHECK(texts("#define A(x) \\\n  x\nb") == Texts{"#define A(x) \\\n  x", "b"});
  CHECK(texts("  # if 0 // no\nb") == Texts{"# if 0", "b"});
  CHECK(texts("#define S \"//\"\nb") == Texts{"#define S \"//\"", "b"});
  CHECK(texts("#define A /* 1\n */ 2\nb") == Texts{"#define A /* 1\n */ 2", "b"});
  CHECK(texts("a # b") == Texts{"a", "#", "b"});
}

TEST_CASE("the sign of a launch is one token; what closes it are three") {
  CHECK(texts("f<<<a>>>(b)") == Texts{"f", "<<<", "a", ">", ">", ">", "(", "b", ")"});
  CHECK(texts("a::b->c##d") == Texts{"a", "::", "b", "->", "c", "##", "d"});
}
