#include "order/resolve.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "arrival/recording.hpp"
#include "core/text.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

// Whether a word of `text` begins with `part`, in lower case both.
bool has_word(const std::string& text, const std::string& part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    if (at == 0 || text[at - 1] < 'a' || text[at - 1] > 'z') return true;
  return false;
}

// "seq(acc=kahan)" for "kahan": the choice of that name, where nothing else must be given; else nothing.
std::string call_with(std::string_view choice, std::string_view name, std::span<const Parameter> parameters) {
  std::string_view key;
  for (const Parameter& p : parameters) {
    if (std::find(p.choices.begin(), p.choices.end(), choice) != p.choices.end())
      key = p.name;
    else if (p.default_text.empty())
      return {};
  }
  return key.empty() ? "" : std::string(name) + "(" + std::string(key) + "=" + std::string(choice) + ")";
}

// Orders and stages with `name` in what they are called, do or consist of; how a choice of that name is written.
std::vector<std::string> related_orders(std::string_view name) {
  constexpr std::size_t kShortestWord = 3;
  constexpr std::size_t kMostOffered = 5;
  const std::string word = lower_case(name);
  if (word.size() < kShortestWord) return {};
  std::vector<std::string> found;
  std::vector<std::string> calls;
  for (const NamedOrder& order : named_orders()) {
    const std::string words = std::string(order.name) + " " + std::string(order.expression) + " ";
    if (has_word(lower_case(words + std::string(order.summary)), word)) found.emplace_back(order.name);
    calls.push_back(call_with(word, order.name, order.parameters));
  }
  for (const Stage* stage : stages()) {
    if (has_word(lower_case(stage->summary), word)) found.emplace_back(stage->name);
    calls.push_back(call_with(word, stage->name, stage->parameters));
  }
  if (found.size() > kMostOffered) found.clear();
  const auto call = std::find_if(calls.begin(), calls.end(), [](const std::string& text) { return !text.empty(); });
  if (call != calls.end()) found.push_back(*call);
  return found;
}

}  // namespace

std::vector<StageCall> Resolver::pipeline(const std::vector<SyntaxCall>& calls) {
  std::vector<StageCall> result;
  for (const SyntaxCall& call : calls) append(call, result);
  return result;
}

void Resolver::append(const SyntaxCall& call, std::vector<StageCall>& result) {
  std::vector<std::string> known;
  for (const Stage* stage : stages()) {
    known.emplace_back(stage->name);
    if (stage->name != call.name) continue;
    StageCall resolved{stage, read_arguments(call, stage->parameters)};
    const bool takes_arrival = !stage->parameters.empty() && stage->parameters[0].kind == ParameterKind::arrival;
    if (takes_arrival && call.arguments.empty()) {
      resolved.arguments = Arguments({Argument(arrival_)});
      bare_arrive_ = true;
    }
    try {
      if (stage->check != nullptr) stage->check(resolved.arguments);
    } catch (const Error& error) {
      fail(call.position, error.what());
    }
    result.push_back(std::move(resolved));
    return;
  }
  for (const NamedOrder& order : named_orders()) {
    known.emplace_back(order.name);
    if (order.name == call.name) return expand(order, call, result);
  }
  fail(call.position, unknown_name("stage or named order", call.name, known, related_orders(call.name)));
}

void Resolver::expand(const NamedOrder& order, const SyntaxCall& call, std::vector<StageCall>& result) {
  const Arguments arguments = read_arguments(call, order.parameters);
  const std::string what = std::string(what_) + " '" + std::string(text_) + "': " + std::string(order.name);
  Resolver inner(what, order.expression, arrival_, folder_);
  for (std::size_t i = 0; i < order.parameters.size(); ++i)
    inner.environment_.emplace(order.parameters[i].name, arguments.values()[i]);
  for (StageCall& stage : inner.pipeline(parse_pipeline(order.expression))) result.push_back(std::move(stage));
  bare_arrive_ = bare_arrive_ || inner.bare_arrive_;
}

ArrivalCall Resolver::arrival(const SyntaxCall& call) const {
  std::vector<std::string> known;
  for (const ArrivalModel* model : arrival_models()) {
    known.emplace_back(model->name);
    if (model->name == call.name)
      return {model, std::make_shared<const Arguments>(read_arguments(call, model->parameters)), nullptr};
  }
  for (const NamedArrival& named : named_arrivals()) {
    known.emplace_back(named.name);
    if (named.name != call.name) continue;
    if (!call.arguments.empty()) fail(call.position, call.name + " takes no arguments");
    ArrivalCall result = Resolver("arrival", named.expression, {}).arrival(parse_call("arrival", named.expression));
    result.named = &named;
    return result;
  }
  fail(call.position, unknown_name("arrival model", call.name, known));
}

std::string Resolver::path_of(std::string_view file) const { return (std::filesystem::path(folder_) / file).string(); }

Arguments Resolver::read_arguments(const SyntaxCall& call, std::span<const Parameter> parameters) const {
  std::vector<Argument> values(parameters.size());
  std::vector<bool> given(parameters.size(), false);
  std::size_t next = 0;
  const std::string usage = "; it is " + signature(call.name, parameters);
  for (const SyntaxArgument& argument : call.arguments) {
    std::size_t i = next;
    if (argument.key.empty()) {
      if (i >= parameters.size() || parameters[i].keyword_only)
        fail(argument.position, call.name + " takes " + (i == 0 ? "no argument" : "no further argument") + usage);
      ++next;
    } else {
      std::vector<std::string> names;
      for (const Parameter& p : parameters) names.emplace_back(p.name);
      i = static_cast<std::size_t>(std::find(names.begin(), names.end(), argument.key) - names.begin());
      if (i == parameters.size())
        fail(argument.position,
             call.name + " has no parameter " + argument.key + (names.empty() ? "; it takes none" : usage));
    }
    if (given[i]) fail(argument.position, std::string(parameters[i].name) + " is given twice");
    given[i] = true;
    values[i] = read_argument(call, parameters[i], argument);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string_view text = parameters[i].default_text;
    if (given[i] || text == "-") continue;
    if (text.empty()) fail(call.position, call.name + ": " + std::string(parameters[i].name) + " is missing" + usage);
    SyntaxArgument argument;
    argument.text = text;
    argument.position = call.position;
    values[i] = read_argument(call, parameters[i], argument);
  }
  return Arguments(std::move(values));
}

Argument Resolver::read_argument(const SyntaxCall& call, const Parameter& parameter,
                                 const SyntaxArgument& argument) const {
  if (const auto bound = environment_.find(argument.text);
      bound != environment_.end() && !argument.quoted && argument.calls.empty())
    return bound->second;

  const std::string name = call.name + ": " + std::string(parameter.name);
  if (!argument.calls.empty() && parameter.kind != ParameterKind::arrival)
    fail(argument.position, name + " " + argument.text + "(...): takes no stage or model");
  switch (parameter.kind) {
    case ParameterKind::count: {
      const CountResult count = read_count(argument.text);
      if (!count.value) fail(argument.position, name + " " + argument.text + ": " + count.problem);
      if (static_cast<double>(*count.value) < parameter.low)
        fail(argument.position, name + " " + argument.text + ": must be at least " + shortest(parameter.low));
      return *count.value;
    }
    case ParameterKind::real: {
      const auto real = read_real(argument.text);
      if (!real) fail(argument.position, name + " " + argument.text + ": is not a finite decimal number");
      if (*real < parameter.low || *real > parameter.high)
        fail(argument.position, name + " " + argument.text + ": must be at least " + shortest(parameter.low) +
                                    (parameter.high == 0x1p64 ? "" : " and at most " + shortest(parameter.high)));
      return *real;
    }
    case ParameterKind::choice: {
      for (const std::string_view choice : parameter.choices)
        if (choice == argument.text) return choice;
      const std::vector<std::string> known(parameter.choices.begin(), parameter.choices.end());
      fail(argument.position, name + " " + unknown_name("choice", argument.text, known));
    }
    case ParameterKind::rows:
      return read_rows(path_of(argument.text));
    case ParameterKind::list: {
      Rows list = *read_rows(path_of(argument.text));
      list.rows = {flatten(list)};
      list.lines = {list.lines.front()};
      list.hash = hash_rows(list.rows);
      return std::make_shared<const Rows>(std::move(list));
    }
    default: {
      SyntaxCall nested;
      nested.name = argument.text;
      nested.position = argument.position;
      return arrival(argument.calls.empty() ? nested : argument.calls[0]);
    }
  }
}

}  // namespace orderlab
