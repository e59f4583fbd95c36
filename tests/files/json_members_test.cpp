#include "files/json_members.hpp"

#include <doctest/doctest.h>

#include <string>

#include "config/json.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

std::string members_refusal(std::string_view text) {
  return message_of(ErrorKind::input, [&] { (void)json_members(text); });
}

}  // namespace

TEST_CASE("members of an object are those that Json reads") {
  const std::string text = R"( { "a" : 1 , "b":[{"c":"]}"},2] ,"\u0063\"": {"d":{"e":"\\"}} , "":"x, y" } )";
  const auto members = json_members(text);
  const Json whole = Json::parse(text);
  REQUIRE(members.size() == whole.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    CHECK(members[i].key == whole.members()[i].key);
    CHECK(Json::parse(members[i].value) == whole.members()[i].value);
  }
  CHECK(members[0].value == "1");
  CHECK(members[1].value == R"([{"c":"]}"},2])");
  CHECK(json_members("{}").empty());
  CHECK(json_members(" {\n} ").empty());
}

TEST_CASE("what is no object is refused, as are keys that come twice") {
  CHECK(members_refusal(R"({"a":1,"b":2,"\u0061":3})") == "JSON: the key 'a' is there twice");
  CHECK(contains(members_refusal(""), "no '{' at byte 0"));
  CHECK(contains(members_refusal("[1]"), "no '{'"));
  CHECK(contains(members_refusal("{\"a\""), "no ':'"));
  CHECK(contains(members_refusal("{\"a\":1"), "does not end"));
  CHECK(contains(members_refusal("{\"a\":[1"), "does not end"));
  CHECK(contains(members_refusal("{\"a\":1]"), "does not end"));
  CHECK(contains(members_refusal("{\"a\":1,}"), "no '\"'"));
  CHECK(contains(members_refusal("{a:1}"), "no '\"'"));
  CHECK(contains(members_refusal("{\"a"), "a text does not end"));
  CHECK(contains(members_refusal("{\"a\\"), "a text does not end"));
  CHECK(contains(members_refusal("{\"a\":\"b"), "a text does not end"));
  CHECK(contains(members_refusal("{} {}"), "text after the end"));
  CHECK(contains(members_refusal("{\"\xff\":1}"), "JSON: "));
}
