// Files of prompts: their forms, and what they are refused for.
#include "cli/prompt_file.hpp"

#include <doctest/doctest.h>

#include <string>

#include "cli/program.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

constexpr std::size_t kWordModel = 1000;
constexpr std::size_t kByteModel = 256;

std::string prompt_refusal(std::string_view text, std::size_t vocabulary = kWordModel, const std::string& name = "p") {
  CAPTURE(text);
  const std::string message = message_of(ErrorKind::input, [&] { (void)parse_prompts(text, name, vocabulary); });
  for (const char c : message) CHECK(c >= ' ');
  return message;
}

std::vector<std::uint32_t> bytes_of_text(std::string_view text) {
  std::vector<std::uint32_t> tokens;
  for (const char c : text) tokens.push_back(static_cast<unsigned char>(c));
  return tokens;
}

/// The texts of prompts for a model of bytes.
std::vector<std::string> texts_of(std::string_view text, const std::string& name = "p") {
  std::vector<std::string> texts;
  for (const Prompt& prompt : parse_prompts(text, name, kByteModel)) {
    texts.emplace_back();
    for (const std::uint32_t token : prompt.tokens) texts.back() += static_cast<char>(token);
  }
  return texts;
}

}  // namespace

TEST_CASE("lines of JSON, an array of them and one prompt over several lines are the same prompts") {
  const std::vector<Prompt> expected{{"prompt 1", {1, 2, 999}}, {"b", {0}}, {"7", {5, 6}}, {"prompt 4", {8}}};
  const std::string lines =
      "[1, 2, 999]\n{\"tokens\": [0], \"id\": \"b\"}\r\n  \n"
      "{\"custom_id\": 7, \"prompt_token_ids\": [5,6]}\n{\"prompt\": [8]}";
  for (const std::string name : {"p", "p.json", "p.jsonl"}) {
    CHECK(parse_prompts(lines, name, kWordModel) == expected);
    CHECK(parse_prompts("\xEF\xBB\xBF" + lines + "\n", name, kWordModel) == expected);
    const std::string array =
        R"([[1,2,999],{"tokens":[0],"id":"b"},{"custom_id":7,"prompt_token_ids":[5,6]},{"prompt":[8]}])";
    CHECK(parse_prompts(array, name, kWordModel) == expected);
    CHECK(parse_prompts("\n[[1,2,999],\n" + array.substr(11), name, kWordModel) == expected);
    CHECK(parse_prompts("[1,\n2]", name, kWordModel) == std::vector<Prompt>{{"prompt 1", {1, 2}}});
    CHECK(parse_prompts("{\n\"tokens\": [3]}", name, kWordModel) == std::vector<Prompt>{{"prompt 1", {3}}});
    CHECK(parse_prompts("[1,2]\n[3]", name, kByteModel) ==
          std::vector<Prompt>{{"prompt 1", {1, 2}}, {"prompt 2", {3}}});
  }
}

TEST_CASE("a model of bytes takes texts") {
  using Texts = std::vector<std::string>;
  CHECK(texts_of("Hello, world\nThe \xC3\xA4\r\n\n \xFF\n") == Texts{"Hello, world", "The \xC3\xA4", " \xFF"});
  CHECK(texts_of("\"a\\n\"\n{\"prompt\": \"b\"}\n[99]\n") == Texts{"a\n", "b", "c"});
  CHECK(texts_of(R"(["a", {"prompt": "b\u00e4"}])") == Texts{"a", "b\xC3\xA4"});
  CHECK(texts_of("[1, 2]\n{}", "p.txt") == Texts{"[1, 2]", "{}"});  // by its name
  CHECK(texts_of("[NOTE] a\nb") == Texts{"[NOTE] a", "b"});         // no JSON
  CHECK(texts_of("\"Yes,\" she said.\n") == Texts{"\"Yes,\" she said."});
  CHECK(parse_prompts("{\"prompt\": \"ab\", \"id\": \"x\"}", "p", kByteModel) ==
        std::vector<Prompt>{{"x", bytes_of_text("ab")}});
}

TEST_CASE("texts for a model of other tokens are refused with how to make tokens of them") {
  const std::string expected =
      "a text, and the model has 1000 tokens, which are not bytes; tokenize it first: python3 -c";
  for (const char* text : {"Hello\nworld", "\"Hello\"", "{\"prompt\": \"Hello\"}", "Hello"})
    CHECK(contains(prompt_refusal(text), "p:1: " + expected));
  CHECK(contains(prompt_refusal("[1]\nHello"), "p:2: " + expected));
  CHECK(contains(prompt_refusal("[\"Hello\"]"), "p: prompt 1: " + expected));
  CHECK(contains(prompt_refusal("[1]", kWordModel, "p.txt"), "p.txt:1: " + expected));
}

TEST_CASE("what is not a prompt is refused") {
  CHECK(prompt_refusal("[1, 2]\n[3, 1000]") == "p:2: token 2 is 1000; ids of this model are 0 to 999");
  CHECK(prompt_refusal("[1, 2]\n[3, 256]", kByteModel) == "p:2: token 2 is 256; ids of this model are 0 to 255");
  CHECK(prompt_refusal("[-1]") == "p:1: token 1 is '-1', no token id");
  CHECK(prompt_refusal("[1.0]") == "p:1: token 1 is '1.0', no token id");
  CHECK(prompt_refusal("[1, \"a\"]") == "p:1: token 2 is '\"a\"', no token id");
  CHECK(prompt_refusal("[18446744073709551616]").starts_with("p:1: token 1 is"));
  CHECK(prompt_refusal("[[[1]]]") == "p: prompt 1: token 1 is '[1]', no token id");
  for (const char* empty : {"[]", "{\"tokens\": []}"})
    CHECK(prompt_refusal(empty) == "p:1: an empty prompt; it needs at least 1 token");
  CHECK(prompt_refusal("{\"prompt\": \"\"}", kByteModel) == "p:1: an empty prompt; it needs at least 1 token");
  CHECK(contains(prompt_refusal(""), "p: has no prompts; give an array of token ids"));
  CHECK(contains(prompt_refusal(" \n\r\n"), "p: has no prompts"));
  CHECK(contains(prompt_refusal("{}"), "p:1: an object without `tokens`; give an array"));
  CHECK(contains(prompt_refusal("{\"tokens\": 5}"), "p:1: `tokens` is '5'; give"));
  CHECK(contains(prompt_refusal("{\"tokens\": \"a\"}", kByteModel), "`tokens` is '\"a\"'; give"));
  CHECK(contains(prompt_refusal("5"), "p:1: '5' is not a prompt; give"));
  CHECK(contains(prompt_refusal("[1]\nnull"), "p:2: 'null' is not a prompt; give"));
  CHECK(contains(prompt_refusal("{\"tokens\": [1], \"id\": []}"), "p:1: `id` is neither a text nor a number"));
  CHECK(contains(prompt_refusal("[1]\n[2"), "p:2: JSON: "));
  CHECK(contains(prompt_refusal("[1]\n[2", kByteModel), "p:2: JSON: "));
  CHECK(contains(prompt_refusal("[1,\n2", kWordModel, "p.json"), "p.json: JSON: "));
}

TEST_CASE("prompts come from a file") {
  const TemporaryFile file("p.jsonl", "[1]\n");
  CHECK(read_prompts(file.path(), kWordModel) == std::vector<Prompt>{{"prompt 1", {1}}});
  CHECK(message_of(ErrorKind::input, [] { (void)read_prompts("absent", kWordModel); }) ==
        "absent: no such file; give a file of prompts");
}
