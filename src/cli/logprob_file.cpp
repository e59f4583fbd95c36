#include "cli/logprob_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "config/json.hpp"
#include "core/input_file.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

using study::Answer;
using study::AnsweredToken;
using study::AnswerRun;
using study::CandidateToken;

constexpr std::string_view kAsk = "ask the server with logprobs=true, top_logprobs=2";

[[noreturn]] void wrong_response(const std::string& what) { throw Error(ErrorKind::input, what); }

/// The member of an object that has to be an array.
const Json& array_in(const Json& object, std::string_view key, std::string_view remedy = kAsk) {
  const Json& value = object[key];
  if (!value.is_array())
    wrong_response(fmt::format("`{}` is {}; {}", key, value.is_null() ? "missing" : "no array", remedy));
  return value;
}

double logprob_of(const Json& value, std::string_view what) {
  constexpr double kMostRounding = 0x1p-10;  // of a probability of 1
  constexpr double kLeast = -1e6;
  if (!value.is_number())
    wrong_response(
        fmt::format("{} has {} log-probability; {}", what, value.is_null() ? "no" : "another value as", kAsk));
  const double logprob = value.number();
  if (!(logprob >= kLeast && logprob <= kMostRounding))
    wrong_response(
        fmt::format("{} has the log-probability {}; natural logarithms of probabilities are at most 0", what, logprob));
  return logprob;
}

/// A token by its text, and by its bytes where the text does not show them.
std::string token_text(const Json& object, std::string_view what) {
  const Json& token = object["token"];
  if (!token.is_text()) wrong_response(fmt::format("{} has no text `token`", what));
  if (token.text().find(kReplacement) == std::string::npos || !object["bytes"].is_array()) return token.text();
  return token.text() + " " + object["bytes"].dump();
}

/// Sorts the others of a list, without the chosen one, and refuses what no greedy run gives.
AnsweredToken checked_token(CandidateToken chosen, std::vector<CandidateToken> listed, std::string_view what) {
  // Two tokens may have one text: the chosen one is the one with its log-probability, else the first of its text.
  auto same = std::find_if(listed.begin(), listed.end(), [&](const CandidateToken& candidate) {
    return candidate.token == chosen.token && candidate.logprob == chosen.logprob;
  });
  if (same == listed.end())
    same = std::find_if(listed.begin(), listed.end(),
                        [&](const CandidateToken& candidate) { return candidate.token == chosen.token; });
  if (same != listed.end()) listed.erase(same);
  AnsweredToken token{.chosen = std::move(chosen), .others = std::move(listed)};
  std::stable_sort(token.others.begin(), token.others.end(),
                   [](const CandidateToken& a, const CandidateToken& b) { return a.logprob > b.logprob; });
  if (token.others.empty())
    wrong_response(fmt::format("{} has one candidate, and its margin takes two; {}", what, kAsk));
  if (token.margin() < 0)
    wrong_response(fmt::format("{} is {} with {}, and {} is likelier with {}; ask the server with temperature=0", what,
                               in_quotes(token.chosen.token), token.chosen.logprob,
                               in_quotes(token.others.front().token), token.others.front().logprob));
  return token;
}

std::string place_of(std::size_t i) { return fmt::format("token {}", i + 1); }

/// choices[].logprobs of a chat completion.
std::vector<AnsweredToken> chat_tokens(const Json& content) {
  std::vector<AnsweredToken> tokens;
  for (std::size_t i = 0; i < content.size(); ++i) {
    const Json& entry = content[i];
    const std::string what = place_of(i);
    if (!entry.is_object()) wrong_response(what + " is no object");
    std::vector<CandidateToken> listed;
    for (const Json& candidate : array_in(entry, "top_logprobs")) {
      if (!candidate.is_object()) wrong_response(what + ": a candidate is no object");
      listed.push_back({token_text(candidate, what), logprob_of(candidate["logprob"], what)});
    }
    tokens.push_back(
        checked_token({token_text(entry, what), logprob_of(entry["logprob"], what)}, std::move(listed), what));
  }
  return tokens;
}

/// choices[].logprobs of a completion: lists by position, and the candidates as an object.
std::vector<AnsweredToken> completion_tokens(const Json& logprobs) {
  const Json& texts = array_in(logprobs, "tokens");
  const Json& chosen = array_in(logprobs, "token_logprobs");
  const Json& tops = array_in(logprobs, "top_logprobs");
  if (chosen.size() != texts.size() || tops.size() != texts.size())
    wrong_response(fmt::format("{} `tokens`, {} `token_logprobs` and {} `top_logprobs`; they have to be equally many",
                               texts.size(), chosen.size(), tops.size()));
  std::vector<AnsweredToken> tokens;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string what = place_of(i);
    if (!texts[i].is_text()) wrong_response(what + " is no text");
    if (!tops[i].is_object()) wrong_response(fmt::format("{} has no `top_logprobs`; {}, and without echo", what, kAsk));
    std::vector<CandidateToken> listed;
    for (const Json::Member& candidate : tops[i].members())
      listed.push_back({candidate.key, logprob_of(candidate.value, what)});
    tokens.push_back(checked_token({texts[i].text(), logprob_of(chosen[i], what)}, std::move(listed), what));
  }
  return tokens;
}

/// [logprob, id, text], as SGLang has it: tokens are told apart by their ids.
CandidateToken sglang_token(const Json& entry, std::string_view what) {
  if (!entry.is_array() || entry.size() < 2 || !entry[1].is_count())
    wrong_response(fmt::format("{} is not [logprob, id, text]", what));
  const bool named = entry.size() > 2 && entry[2].is_text();
  return {fmt::format("{}{}{}", entry[1].count(), named ? " " : "", named ? entry[2].text() : ""),
          logprob_of(entry[0], what)};
}

std::vector<AnsweredToken> sglang_tokens(const Json& meta) {
  constexpr std::string_view kAskSglang = "ask the server with return_logprob=true, top_logprobs_num=2";
  const Json& tops = array_in(meta, "output_top_logprobs", kAskSglang);
  const Json& chosen = array_in(meta, "output_token_logprobs", kAskSglang);
  if (chosen.size() != tops.size())
    wrong_response(fmt::format("{} `output_token_logprobs` and {} `output_top_logprobs`; they have to be equally many",
                               chosen.size(), tops.size()));
  std::vector<AnsweredToken> tokens;
  for (std::size_t i = 0; i < tops.size(); ++i) {
    const std::string what = place_of(i);
    if (!tops[i].is_array()) wrong_response(fmt::format("{} has no candidates; {}", what, kAskSglang));
    std::vector<CandidateToken> listed;
    for (const Json& candidate : tops[i]) listed.push_back(sglang_token(candidate, what));
    tokens.push_back(checked_token(sglang_token(chosen[i], what), std::move(listed), what));
  }
  return tokens;
}

std::vector<AnsweredToken> tokens_of_choice(const Json& choice) {
  const Json& logprobs = choice["logprobs"];
  if (!logprobs.is_object()) wrong_response(fmt::format("`logprobs` is missing; {}", kAsk));
  if (logprobs["content"].is_array()) return chat_tokens(logprobs["content"]);
  if (logprobs.contains("tokens")) return completion_tokens(logprobs);
  wrong_response(fmt::format("`logprobs` has neither `content` nor `tokens`; {}", kAsk));
}

std::string text_in(const Json& object, std::string_view key) {
  const Json& value = object[key];
  if (value.is_null()) return {};
  return value.is_text() ? value.text() : value.dump();
}

/// Adds the answers of one response, a choice each.
void add_response(const Json& given, AnswerRun& run) {
  if (!given.is_object()) wrong_response("a response is no JSON object");
  const Json* body = &given;
  const bool batch = given.contains("response");  // a line of a batch API
  if (batch) body = &given["response"];
  if (batch && body->is_object() && body->contains("body")) body = &(*body)["body"];
  for (const Json* place : {&given, body})
    if (place->is_object() && (*place)["error"].is_object())
      wrong_response(fmt::format("the server answered with an error: {}; leave this response out",
                                 in_quotes(text_in((*place)["error"], "message"))));
  if (!body->is_object()) wrong_response("the response has no `body`: the request failed; leave its line out");
  const auto name = [&](Answer answer, std::size_t choice, std::size_t choices) {
    const std::string suffix = choices > 1 ? fmt::format("#{}", choice) : "";
    answer.custom_id = text_in(given, "custom_id");
    answer.id = text_in(*body, "id");
    for (std::string* key : {&answer.custom_id, &answer.id})
      if (!key->empty()) *key += suffix;
    answer.name = !answer.custom_id.empty() ? answer.custom_id
                  : !answer.id.empty()      ? answer.id
                                            : fmt::format("answer {}", run.answers.size() + 1);
    run.answers.push_back(std::move(answer));
  };
  if ((*body)["meta_info"].is_object()) {
    const Json& meta = (*body)["meta_info"];
    Answer answer{.custom_id = {}, .id = {}, .name = {}, .tokens = sglang_tokens(meta)};
    name(std::move(answer), 0, 1);
    Answer& last = run.answers.back();
    if (last.id.empty()) last.id = text_in(meta, "id");
    if (last.custom_id.empty() && !last.id.empty()) last.name = last.id;
    return;
  }
  if (!body->contains("choices"))
    wrong_response("the response has neither `choices` nor `meta_info`; give responses of an OpenAI-compatible server");
  const Json& choices = array_in(*body, "choices", "give responses of an OpenAI-compatible server");
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (!choices[i].is_object()) wrong_response(fmt::format("choice {} is no object", i));
    name(Answer{.custom_id = {}, .id = {}, .name = {}, .tokens = tokens_of_choice(choices[i])}, i, choices.size());
  }
}

/// Calls `work`, whose errors get their place in front.
template <class Work>
void at_place(const std::string& place, Work work) {
  try {
    work();
  } catch (const Error& error) {
    throw Error(error.kind(), place + ": " + error.what());
  }
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

/// Whether the first line is a whole value, so that each line is one.
bool has_lines(std::string_view text) {
  const std::string_view begin = text.substr(text.find_first_not_of(" \t\r\n"));
  const std::string_view line = begin.substr(0, begin.find('\n'));
  const std::string_view trimmed = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  return begin.front() == '{' && trimmed.size() > 1 && trimmed.back() == '}';
}

void add_lines(const std::string& text, AnswerRun& run) {
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    if (is_blank(line)) continue;
    at_place(fmt::format("{}:{}", run.name, number), [&] { add_response(Json::parse(line), run); });
  }
}

void add_whole(const std::string& text, AnswerRun& run) {
  Json whole;
  at_place(run.name, [&] { whole = Json::parse(text); });
  if (!whole.is_array()) {
    at_place(run.name, [&] { add_response(whole, run); });
    return;
  }
  for (std::size_t i = 0; i < whole.size(); ++i)
    at_place(fmt::format("{}: response {}", run.name, i + 1), [&] { add_response(whole[i], run); });
}

AnswerRun answers_in(InputFile& file) {
  AnswerRun run{.name = file.name(), .answers = {}};
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string text = file.rest();
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  if (is_blank(text))
    throw Error(ErrorKind::input, run.name + ": is empty; give responses of a server, as JSON lines or an array");
  if (has_lines(text))
    add_lines(text, run);
  else
    add_whole(text, run);
  return run;
}

}  // namespace

study::AnswerRun read_answers(const std::string& path) {
  if (path == "-") {
    InputFile file = InputFile::standard_input();
    return answers_in(file);
  }
  InputFile file(path, "give a file with the responses of a server");
  return answers_in(file);
}

}  // namespace orderlab::cli
