// The command infer: formats of responses, its documents, exit statuses, and what it refuses.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "cli/program.hpp"
#include "cli/refusals.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

/// An entry of a chat completion: "a" leads "b" by the margin, or "b" "a".
std::string chat_entry(double margin) {
  const double lead = margin < 0 ? -margin : margin;
  const char* names = margin < 0 ? "ba" : "ab";
  return fmt::format(
      R"({{"token": "{0}", "logprob": -0.5, "bytes": null, "top_logprobs": [{{"token": "{0}", "logprob": -0.5}},)"
      R"( {{"token": "{1}", "logprob": {2}}}]}})",
      names[0], names[1], -0.5 - lead);
}

std::string chat_body(const std::vector<double>& margins) {
  std::string entries;
  for (const double margin : margins) entries += (entries.empty() ? "" : ", ") + chat_entry(margin);
  return fmt::format(R"({{"choices": [{{"index": 0, "logprobs": {{"content": [{}]}}}}]}})", entries);
}

std::string batch_line(const std::string& id, const std::vector<double>& margins) {
  return fmt::format(R"({{"custom_id": "{}", "response": {{"status_code": 200, "body": {}}}}})", id,
                     chat_body(margins)) +
         "\n";
}

/// 30 answers of 10 tokens; in the second run every margin moves by 0.01 to 0.05 either way, the first by `first`.
void write_runs(double first) {
  std::string before;
  std::string after;
  for (int i = 0; i < 30; ++i) {
    std::vector<double> margins;
    std::vector<double> moved;
    for (int t = 0; t < 10; ++t) {
      margins.push_back(9 + t);
      moved.push_back(9 + t + (t % 2 == 0 ? 0.01 : -0.01) * (1 + (i + t) % 5));
    }
    if (i == 0) moved[0] = 9 + first;
    before += batch_line(fmt::format("p{}", i), margins);
    after = batch_line(fmt::format("p{}", i), moved) + after;  // in another order
  }
  TemporaryFolder::write("a.jsonl", before);
  TemporaryFolder::write("b.jsonl", after);
}

}  // namespace

TEST_CASE("infer explains small changes with status 0, and not one of 5.25 nats with status 1") {
  const TemporaryFolder folder;
  write_runs(0.05);
  const Line line{"infer", "--logprobs", "a.jsonl", "--against", "b.jsonl"};
  const Json json = json_of(line);
  REQUIRE(json.is_object());
  CHECK(json["explained"] == Json(true));
  CHECK(json["matched_by"] == "custom_id");
  CHECK(json["tokens"]["compared"] == 300);
  CHECK(json["answers"].size() == 30);
  CHECK(json["answers"][29]["answer"] == "p29");
  CHECK(json["observed"]["flips"] == 0);
  CHECK(json_of(line + Line{"--threads", "1"}) == json_of(line + Line{"--threads", "3"}));

  write_runs(-5.25);
  const Outcome outcome = run(line + Line{"--csv", "a.csv", "--html", "a.html", "--json", "a.json"});
  CHECK(outcome.status == kExitNo);
  CHECK(outcome.err.empty());
  CHECK(has(outcome.out, "NOT EXPLAINED by rounding: a margin changed by 5.25 nats at token 1 ('a') of p0"));
  CHECK(TemporaryFolder::read("a.csv").starts_with(
      "answer,tokens,compared,flip,shorter,expected,without_flip,largest\np0,10,10,,"));
  const std::string page = TemporaryFolder::read("a.html");
  for (const char* part : {"infer_survival", "infer_margins", "orderlab infer --logprobs a.jsonl --against b.jsonl"})
    CHECK(has(page, part));
  const Json written = Json::parse(TemporaryFolder::read("a.json"));
  CHECK(written["explained"] == Json(false));
  CHECK(written["largest"]["nats"] == 5.25);
}

TEST_CASE("a level of noise needs no second run") {
  const TemporaryFolder folder;
  write_runs(0);
  const Outcome outcome = run({"infer", "--logprobs", "a.jsonl", "--noise", "3"});
  CHECK(outcome.status == kDone);
  CHECK(has(outcome.out, "nats, as given"));
  CHECK(!has(outcome.out, "xplained"));
  const Json json = json_of({"infer", "--logprobs", "a.jsonl", "--noise", "3"});
  CHECK(json["explained"].is_null());
  CHECK(json["against"].is_null());
  CHECK(json["config"]["noise"] == 3);
  CHECK(json["test_answers"].is_count());
}

TEST_CASE("responses of every server give the same tokens") {
  const TemporaryFolder folder;
  const std::string chat = chat_body({1.5, 0, 0.25});
  const std::string completion =
      R"({"choices": [{"logprobs": {"tokens": ["a", "a", "a"], "token_logprobs": [-0.5, -0.5, -0.5],)"
      R"( "top_logprobs": [{"a": -0.5, "b": -2}, {"b": -0.5, "a": -0.5}, {"a": -0.5, "b": -0.75, "c": -3}]}}]})";
  const std::string sglang =
      R"({"text": "aaa", "meta_info": {"id": "x", "output_token_logprobs": [[-0.5, 7, "a"], [-0.5, 7, null], [-0.5, 7]],)"
      R"( "output_top_logprobs": [[[-0.5, 7, "a"], [-2, 8, "b"]], [[-0.5, 8, null], [-0.5, 7, null]],)"
      R"( [[-0.5, 7], [-0.75, 8]]]}})";
  const std::string batch = R"({"custom_id": 3, "response": {"body": )" + chat + "}}";
  const auto facts = [](const std::string& text) {
    TemporaryFolder::write("one.json", text);
    const Json json = json_of({"infer", "--logprobs", "one.json", "--noise", "0.1"});
    CHECK(json["tokens"]["all"] == 3);
    CHECK(json["tokens"]["ties"] == 1);
    return json["expected"];
  };
  const Json expected = facts(chat);
  CHECK(expected.number() > 0.5);
  for (const std::string& text : {completion, sglang, batch, "[" + chat + "]", chat + "\n\n", "[\n " + sglang + "\n]"})
    CHECK(facts(text) == expected);
  TemporaryFolder::write("two.json", chat + "\n" + completion + "\n");
  CHECK(json_of({"infer", "--logprobs", "two.json", "--noise", "0.1"})["answers"].size() == 2);
  // Bytes tell tokens apart whose text is not UTF-8.
  TemporaryFolder::write("bytes.json",
                         "{\"choices\": [{\"logprobs\": {\"content\": [{\"token\": \"\xEF\xBF\xBD\", \"bytes\": [200], "
                         "\"logprob\": -1, \"top_logprobs\": [{\"token\": \"\xEF\xBF\xBD\", \"bytes\": [200], "
                         "\"logprob\": -1}, {\"token\": \"\xEF\xBF\xBD\", \"bytes\": [201], \"logprob\": -2}]}]}}]}");
  CHECK(json_of({"infer", "--logprobs", "bytes.json", "--noise", "0.1"})["tokens"]["all"] == 1);
}

TEST_CASE("infer refuses in one line what has no margins, and says what to ask the server for") {
  const TemporaryFolder folder;
  const auto refused = [](const std::string& text, const std::string& part) {
    TemporaryFolder::write("bad.json", text);
    refuses_with({"infer", "--logprobs", "bad.json", "--noise", "0.1"}, part);
  };
  const std::string good = chat_body({1, 2});
  const std::string ask = "; ask the server with logprobs=true, top_logprobs=2";
  refused("", "bad.json: is empty");
  refused(good + "\n{\"choices\": [{}]}\n", "bad.json:2: `logprobs` is missing" + ask);
  refused(R"({"choices": [{"logprobs": null}]})", "bad.json:1: `logprobs` is missing" + ask);
  refused(R"({"choices": [{"logprobs": {"refusal": []}}]})", "bad.json:1: `logprobs` has neither");
  refused(R"({"choices": 3})", "bad.json:1: `choices` is no array");
  refused(R"({"choices": [7]})", "bad.json:1: choice 0 is no object");
  refused("{\"error\": \"overloaded\"}", "bad.json:1: the response has neither `choices` nor `meta_info`");
  refused(R"({"custom_id": "p", "response": null})", "bad.json:1: the response has no `body`");
  refused("[" + good + ", 4]", "bad.json: response 2: a response is no JSON object");
  refused("[]", "bad.json: no answer has a token");
  refused(good.substr(0, good.size() / 2), "bad.json: JSON: ");
  refused(good + "\n" + good.substr(0, good.size() / 2), "bad.json:2: JSON: ");
  refused(R"({"choices": [{"logprobs": {"content": [{"token": "a", "logprob": -1, "top_logprobs": []}]}}]})",
          "bad.json:1: token 1 has one candidate, and its margin takes two" + ask);
  refused(R"({"choices": [{"logprobs": {"content": [{"token": "a", "logprob": -1}]}}]})",
          "bad.json:1: `top_logprobs` is missing" + ask);
  refused(R"({"choices": [{"logprobs": {"content": [{"token": "a", "logprob": "x", "top_logprobs": []}]}}]})",
          "bad.json:1: token 1 has another value as log-probability");
  refused(R"({"choices": [{"logprobs": {"content": [{"logprob": -1, "top_logprobs": []}]}}]})",
          "bad.json:1: token 1 has no text `token`");
  refused(R"({"choices": [{"logprobs": {"content": [{"token": "a", "logprob": -2, "top_logprobs": )"
          R"([{"token": "b", "logprob": -1}]}]}}]})",
          "bad.json:1: token 1 is 'a' with -2, and 'b' is likelier with -1; ask the server with temperature=0");
  refused(R"({"choices": [{"logprobs": {"tokens": ["a"], "token_logprobs": [null], "top_logprobs": [null]}}]})",
          "bad.json:1: token 1 has no `top_logprobs`");
  refused(R"({"choices": [{"logprobs": {"tokens": ["a"], "token_logprobs": [], "top_logprobs": [null]}}]})",
          "they have to be equally many");
  refused(R"({"meta_info": {}})",
          "bad.json:1: `output_top_logprobs` is missing; ask the server with return_logprob=true");
  refused(R"({"meta_info": {"output_token_logprobs": [[-1, "a"]], "output_top_logprobs": [[]]}})",
          "bad.json:1: token 1 is not [logprob, id, text]");
}

TEST_CASE("infer refuses command lines that ask nothing or too much") {
  const TemporaryFolder folder;
  write_runs(0);
  refuses_with({"infer"}, "no model and no answers: give MODEL, a folder or tiny, or --logprobs FILE");
  refuses_with({"infer", "--logprobs", "a.jsonl"}, "nothing to compare with: give a second run with --against FILE");
  refuses_with({"infer", "--logprobs", "a.jsonl", "--against", "b.jsonl", "--noise", "0.1"},
               "--noise 0.1: is in place of --against; give one");
  refuses_with({"infer", "--logprobs", "a.jsonl", "--noise", "0"}, "--noise 0: must be");
  refuses_with({"infer", "--logprobs", "a.jsonl", "--noise", "x"}, "--noise x: ");
  refuses_with({"infer", "--logprobs", "none.jsonl", "--noise", "1"}, "none.jsonl: ");
  refuses_with({"infer", "--logprobs", "-", "--against", "-"}, "are both standard input");
  TemporaryFolder::write("other.jsonl", batch_line("q", {1, 2}));
  refuses_with({"infer", "--logprobs", "a.jsonl", "--against", "other.jsonl"},
               "a.jsonl and other.jsonl: no custom_id is in both; give two runs of the same prompts");
  TemporaryFolder::write("twice.jsonl", batch_line("p0", {1, 2}) + batch_line("p0", {1, 2}));
  refuses_with({"infer", "--logprobs", "a.jsonl", "--against", "twice.jsonl"}, "two answers have the custom_id 'p0'");
  refuses({"infer", "--logprobs", "a.jsonl", "--noise", "1", "--json", "a.jsonl"},
          "--json a.jsonl: is read by this command");
}

TEST_CASE("infer does not call explained what it cannot tell, or what is too large for rounding") {
  const TemporaryFolder folder;
  const Line line{"infer", "--logprobs", "a.jsonl", "--against", "b.jsonl"};
  std::string before;
  std::string after;
  for (int i = 0; i < 30; ++i) {
    before += batch_line(fmt::format("p{}", i), {40, 50});
    after += batch_line(fmt::format("p{}", i), {40.0 + i, 50.0 - i});
  }
  TemporaryFolder::write("a.jsonl", before);
  TemporaryFolder::write("b.jsonl", after);
  const Outcome wide = run(line);
  CHECK(wide.status == kExitNo);
  CHECK(has(wide.out, "NOT EXPLAINED by rounding: half of the margins that changed did so by"));

  TemporaryFolder::write("a.jsonl", batch_line("p", {2, 3}));
  TemporaryFolder::write("b.jsonl", batch_line("p", {2}));
  const Outcome cut = run(line);
  CHECK(cut.status == kExitNo);
  CHECK(has(cut.out, "UNDECIDED: no answer has its end in the same place in both runs."));
  CHECK(has(cut.out, "too few answers"));

  TemporaryFolder::write("b.jsonl", R"({"choices": [{"logprobs": {"content": [{"token": "c", "logprob": -0.5,)"
                                    R"( "top_logprobs": [{"token": "c", "logprob": -0.5},)"
                                    R"( {"token": "a", "logprob": -0.6}]}]}}]})");
  TemporaryFolder::write("a.jsonl", chat_body({0.2}));
  const Outcome other = run(line);
  CHECK(other.status == kExitNo);
  CHECK(has(other.out, "UNDECIDED: a margin changed by at least"));
  CHECK(json_of(line)["explained"].is_null());
}

TEST_CASE("masked tokens, ids that say nothing, a byte order mark and errors of a server") {
  const TemporaryFolder folder;
  const Line line{"infer", "--logprobs", "a.jsonl", "--against", "b.jsonl"};
  const auto with = [](double other) {
    return fmt::format(
               R"({{"id": "cmpl-0", "choices": [{{"logprobs": {{"content": [{{"token": "a", "logprob": -0.5,)"
               R"( "top_logprobs": [{{"token": "a", "logprob": -0.5}}, {{"token": "b", "logprob": {}}}]}}]}}}}]}})",
               other) +
           "\n";
  };
  TemporaryFolder::write("a.jsonl", "\xEF\xBB\xBF" + with(-9999) + with(-3));
  TemporaryFolder::write("b.jsonl", with(-40) + with(-3));
  const Json json = json_of(line);
  REQUIRE(json.is_object());
  CHECK(json["matched_by"] == "order");
  CHECK(json["explained"] == Json(true));
  TemporaryFolder::write("b.jsonl", with(3.5));
  CHECK(has(run(line).err, "token 1 has the log-probability 3.5; natural logarithms of probabilities are at most 0"));
  TemporaryFolder::write("b.jsonl", R"({"error": {"message": "rate limit"}})");
  CHECK(has(run(line).err, "the server answered with an error: 'rate limit'; leave this response out"));
  TemporaryFolder::write("a.jsonl", batch_line("p", {2}) + chat_body({3}) + "\n");
  TemporaryFolder::write("b.jsonl", chat_body({2}) + "\n" + chat_body({3}) + "\n");
  CHECK(has(run(line).err, "answer 2 has no custom_id, and others have one; give every answer its own"));
}
