#include "config/json.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

// A document of all kinds of values, as text of the library that Json stands for.
nlohmann::ordered_json drawn(IndexGenerator& draw, int depth) {
  const std::uint64_t kind = below(draw, depth > 0 ? 9 : 7);
  if (kind == 0) return nullptr;
  if (kind == 1) return below(draw, 2) == 0;
  if (kind == 2) return draw();
  if (kind == 3) return -static_cast<std::int64_t>(draw() >> 1);
  if (kind == 4) return std::ldexp(static_cast<double>(draw()), static_cast<int>(below(draw, 400)) - 250);
  if (kind == 5) return static_cast<double>(below(draw, 100)) - 50;
  if (kind == 6) return std::string(below(draw, 4), static_cast<char>(below(draw, 128))) + "\u00e9\"\\";
  nlohmann::ordered_json inner = kind == 7 ? nlohmann::ordered_json::array() : nlohmann::ordered_json::object();
  for (std::uint64_t i = below(draw, 5); i > 0; --i)
    if (kind == 7)
      inner.push_back(drawn(draw, depth - 1));
    else
      inner["key " + std::to_string(below(draw, 4)) + "\n"] = drawn(draw, depth - 1);
  return inner;
}

}  // namespace

TEST_CASE("what is read and written is what the library reads and writes") {
  IndexGenerator draw(RandomStream(7, 7, 7), 0);
  for (std::uint64_t i = 0; i < trials(500); ++i) {
    const nlohmann::ordered_json expected = drawn(draw, 4);
    const Json json = Json::parse(expected.dump());
    for (const int indent : {-1, 0, 1, 2}) CHECK(json.dump(indent) == expected.dump(indent));
    CHECK(json == Json::parse(expected.dump(2)));
  }
}

TEST_CASE("lists in braces are objects where all of them are pairs with a text first") {
  CHECK(Json{{"a", 1}, {"b", {2, 3}}}.dump() == R"({"a":1,"b":[2,3]})");
  CHECK(Json{{"a", 1}, {2, "b"}}.dump() == R"([["a",1],[2,"b"]])");
  CHECK(Json({{"a", {{"b", nullptr}}}}).dump() == R"({"a":{"b":null}})");
  CHECK(Json::array({{"a", 1}}).dump() == R"([["a",1]])");
  CHECK(Json(std::vector<std::string>{"a", "b"}).dump() == R"(["a","b"])");
  CHECK(Json::object().dump(2) == "{}");
  CHECK(Json::array().dump(2) == "[]");
}

TEST_CASE("numbers are compared and written by their values") {
  CHECK(Json(3) == Json(3.0));
  CHECK(Json(-1) != Json(1));
  CHECK(Json(-1).dump() == "-1");
  CHECK(Json(std::numeric_limits<std::int64_t>::min()).dump() == "-9223372036854775808");
  CHECK(Json(~std::uint64_t{0}).dump() == "18446744073709551615");
  CHECK(Json(-0.0).dump() == "-0.0");
  CHECK(Json(std::nan("")).dump() == "null");
}

TEST_CASE("what is not UTF-8 is replaced") { CHECK(Json("a\xff").dump() == "\"a\xef\xbf\xbd\""); }

TEST_CASE("a text that is not JSON, or is nested too deeply, is refused") {
  for (const std::string& text : {std::string("{"), std::string("[1,]"), std::string("1 2"), std::string(),
                                  std::string(200'000, '['), std::string(101, '[') + std::string(101, ']')})
    CHECK_THROWS_AS(Json::parse(text), Error);
  CHECK_NOTHROW(Json::parse(std::string(100, '[') + std::string(100, ']')));
}

TEST_CASE("a value that is something else is refused") {
  const Json json{{"a", "b"}};
  CHECK_THROWS_AS(json["a"].number(), Error);
  CHECK_THROWS_AS(json["a"].count(), Error);
  CHECK_THROWS_AS(json["absent"].text(), Error);
  CHECK_THROWS_AS(json[0], Error);
  CHECK_THROWS_AS(Json::array({1})[1], Error);
  CHECK_THROWS_AS(Json(-1).count(), Error);
  CHECK(json["absent"].is_null());
}
