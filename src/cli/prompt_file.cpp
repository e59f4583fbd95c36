#include "cli/prompt_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "config/json.hpp"
#include "core/input_file.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

constexpr std::uint64_t kMostPromptBytes = std::uint64_t{1} << 26;  // each number takes some ten times as much memory
constexpr std::string_view kBlankInPrompts = " \t\r\n";
constexpr std::string_view kPromptForms =
    "give an array of token ids, or an object with `tokens` or `prompt_token_ids`";
constexpr std::string_view kTokenize =
    "tokenize it first: python3 -c \"import sys, json; from transformers import AutoTokenizer as A; t = "
    "A.from_pretrained(sys.argv[1]); [print(json.dumps(t(l.rstrip('\\n')).input_ids)) for l in sys.stdin]\" MODEL < "
    "prompts.txt > prompts.jsonl";

[[noreturn]] void wrong_prompt(const std::string& what) { throw Error(ErrorKind::input, what); }

/// Takes prompts one by one.
class PromptList {
 public:
  explicit PromptList(std::size_t vocabulary) : vocabulary_(vocabulary) {}

  std::vector<Prompt> prompts;

  void add(std::string name, std::vector<std::uint32_t> tokens) {
    if (tokens.empty()) wrong_prompt("an empty prompt; it needs at least 1 token");
    if (name.empty()) name = fmt::format("prompt {}", prompts.size() + 1);
    prompts.push_back({std::move(name), std::move(tokens)});
  }

  void add_text(std::string name, std::string_view text) {
    if (vocabulary_ != kByteTokens)
      wrong_prompt(fmt::format("a text, and the model has {} tokens, which are not bytes; {}", vocabulary_, kTokenize));
    std::vector<std::uint32_t> tokens;
    for (const char c : text) tokens.push_back(static_cast<unsigned char>(c));
    add(std::move(name), std::move(tokens));
  }

  void add_ids(std::string name, const Json& ids) {
    std::vector<std::uint32_t> tokens;
    tokens.reserve(ids.size());
    for (const Json& id : ids) {
      if (!id.is_count())
        wrong_prompt(fmt::format("token {} is {}, no token id", tokens.size() + 1, in_quotes(id.dump())));
      if (id.count() >= vocabulary_)
        wrong_prompt(fmt::format("token {} is {}; ids of this model are 0 to {}", tokens.size() + 1, id.count(),
                                 vocabulary_ - 1));
      tokens.push_back(static_cast<std::uint32_t>(id.count()));
    }
    add(std::move(name), std::move(tokens));
  }

  void add_value(const Json& value) {
    if (value.is_array()) return add_ids({}, value);
    if (value.is_text()) return add_text({}, value.text());
    if (!value.is_object()) wrong_prompt(fmt::format("{} is not a prompt; {}", in_quotes(value.dump()), kPromptForms));
    for (const char* key : {"tokens", "prompt_token_ids", "prompt"}) {
      const Json& held = value[key];
      if (held.is_array()) return add_ids(name_in(value), held);
      if (held.is_text() && std::string_view(key) == "prompt") return add_text(name_in(value), held.text());
      if (!held.is_null()) wrong_prompt(fmt::format("`{}` is {}; {}", key, in_quotes(held.dump()), kPromptForms));
    }
    wrong_prompt(fmt::format("an object without `tokens`; {}", kPromptForms));
  }

 private:
  static std::string name_in(const Json& object) {
    for (const char* key : {"id", "custom_id"}) {
      const Json& name = object[key];
      if (name.is_null()) continue;
      if (!name.is_text() && !name.is_number()) wrong_prompt(fmt::format("`{}` is neither a text nor a number", key));
      return name.is_text() ? name.text() : name.dump();
    }
    return {};
  }

  std::size_t vocabulary_;
};

/// Calls `work`, whose errors get their place in front.
template <class Work>
void at_prompt(const std::string& place, Work work) {
  try {
    work();
  } catch (const Error& error) {
    throw Error(error.kind(), place + ": " + error.what());
  }
}

std::optional<Json> json_if_any(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Calls use(line, its number) for the lines that have more than blanks, or, where `blanks`, more than nothing.
template <class Use>
void for_each_prompt_line(std::string_view text, bool blanks, Use use) {
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool skipped = blanks ? line.empty() : line.find_first_not_of(kBlankInPrompts) == std::string_view::npos;
    if (!skipped) use(line, number);
  }
}

enum class PromptForm : std::uint8_t { text, lines, whole };

bool is_open(char c) { return c == '[' || c == '{'; }

/// How a file that is not empty has its prompts. Where it neither says so by its name nor begins as JSON, a model of
/// bytes is given text; what others are given is JSON.
PromptForm form_of(std::string_view text, std::string_view name, bool bytes) {
  if (name.ends_with(".txt")) return PromptForm::text;
  const std::size_t begin = text.find_first_not_of(kBlankInPrompts);
  const std::string_view rest = text.substr(begin);
  const std::string_view first = rest.substr(0, rest.find('\n'));
  const bool only = rest.find_first_not_of(kBlankInPrompts, first.size()) == std::string_view::npos;
  const bool json_name = name.ends_with(".json") || name.ends_with(".jsonl");
  if (!is_open(rest.front()) && rest.front() != '"') return bytes && !json_name ? PromptForm::text : PromptForm::lines;
  if (const auto value = json_if_any(first)) {
    const bool prompts = value->is_array() && !value->empty() && !value->front().is_number();
    return only && prompts ? PromptForm::whole : PromptForm::lines;
  }
  if (is_open(rest.front()) && !only && (json_name || json_if_any(text))) return PromptForm::whole;
  return bytes && !json_name ? PromptForm::text : PromptForm::lines;
}

void add_whole_file(std::string_view text, const std::string& name, PromptList& list) {
  Json whole;
  at_prompt(name, [&] { whole = Json::parse(text); });
  const bool prompts = whole.is_array() && !whole.empty() && !whole.front().is_number();
  if (!prompts) return at_prompt(name, [&] { list.add_value(whole); });
  for (std::size_t i = 0; i < whole.size(); ++i)
    at_prompt(fmt::format("{}: prompt {}", name, i + 1), [&] { list.add_value(whole[i]); });
}

}  // namespace

std::vector<Prompt> parse_prompts(std::string_view text, const std::string& name, std::size_t vocabulary) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of the order of bytes
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  if (text.find_first_not_of(kBlankInPrompts) == std::string_view::npos)
    wrong_prompt(fmt::format("{}: has no prompts; {}", name, kPromptForms));
  PromptList list(vocabulary);
  const PromptForm form = form_of(text, name, vocabulary == kByteTokens);
  const bool plain = form == PromptForm::text;
  if (form == PromptForm::whole)
    add_whole_file(text, name, list);
  else
    for_each_prompt_line(text, plain, [&](std::string_view line, std::size_t number) {
      at_prompt(fmt::format("{}:{}", name, number), [&] {
        if (plain) return list.add_text({}, line);
        const bool json = is_open(line[line.find_first_not_of(kBlankInPrompts)]) || vocabulary == kByteTokens;
        const auto value = json ? Json::parse(line) : json_if_any(line);
        if (value)
          list.add_value(*value);
        else
          list.add_text({}, line);
      });
    });
  return std::move(list.prompts);
}

std::vector<Prompt> read_prompts(const std::string& path, std::size_t vocabulary) {
  InputFile file = path == "-" ? InputFile::standard_input() : InputFile(path, "give a file of prompts");
  return parse_prompts(file.rest(kMostPromptBytes), file.name(), vocabulary);
}

}  // namespace orderlab::cli
