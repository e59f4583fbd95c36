#include "files/json_scanner.hpp"

#include <doctest/doctest.h>

#include <string>

#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

std::string value_refusal(std::string_view text) {
  return message_of(ErrorKind::input, [&] { (void)JsonScanner(text).value(); });
}

}  // namespace

TEST_CASE("values of every kind are taken whole") {
  for (const std::string text : {"0", "-1.5e+3", "true", "null", "[]", "{}", R"("a\u00e9\"]")", R"([1, {"a": [2]}])"})
    CHECK(JsonScanner(" " + text + " ,").value() == text);
}

TEST_CASE("texts are decoded") {
  CHECK(JsonScanner(R"("\u0041\n\u00e9\u20ac\ud83d\ude00")").string() == "A\n\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST_CASE("what is no value is refused with its place") {
  CHECK(value_refusal("") == "JSON: no value at byte 0");
  CHECK(value_refusal("[1 2]") == "JSON: the array does not end at byte 3");
  CHECK(value_refusal("[1,]") == "JSON: no value at byte 3");
  CHECK(value_refusal("-") == "JSON: no number at byte 1");
  CHECK(value_refusal("1.") == "JSON: no number at byte 2");
  CHECK(value_refusal(R"("\ud800")") == "JSON: half a surrogate pair at byte 7");
  CHECK(value_refusal(R"("\x")") == "JSON: an unknown escape at byte 3");
  CHECK(value_refusal("\"a") == "JSON: a text does not end at byte 2");
  CHECK(value_refusal("\"\xff\"") == "JSON: no UTF-8 at byte 1");
  CHECK(contains(value_refusal(std::string(200, '[')), "more than 100 arrays"));
}
