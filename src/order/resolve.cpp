#include "order/resolve.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "arrival/recording.hpp"
#include "core/text.hpp"
#include "order/vocabulary.hpp"
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
std::vector<std::string> related_orders(const Vocabulary& vocabulary, std::string_view name) {
  constexpr std::size_t kShortestWord = 3;
  constexpr std::size_t kMostOffered = 5;
  const std::string word = lower_case(name);
  if (word.size() < kShortestWord) return {};
  std::vector<std::string> found;
  std::vector<std::string> calls;
  for (const NamedOrder* order : vocabulary.named_orders) {
    const std::string words = std::string(order->name) + " " + std::string(order->expression) + " ";
    if (has_word(lower_case(words + std::string(order->summary)), word)) found.emplace_back(order->name);
    calls.push_back(call_with(word, order->name, order->parameters));
  }
  for (const Stage* stage : vocabulary.stages) {
    if (has_word(lower_case(stage->summary), word)) found.emplace_back(stage->name);
    calls.push_back(call_with(word, stage->name, stage->parameters));
  }
  if (found.size() > kMostOffered) found.clear();
  const auto call = std::find_if(calls.begin(), calls.end(), [](const std::string& text) { return !text.empty(); });
  if (call != calls.end()) found.push_back(*call);
  return found;
}

// "must be at least 1" where a count or real is out of the range of its parameter; else nothing.
std::string range_problem(const Parameter& parameter, double value) {
  const bool bounded = parameter.high < 0x1p64;
  if (value >= parameter.low && (!bounded || value <= parameter.high)) return {};
  return "must be at least " + shortest(parameter.low) + (bounded ? " and at most " + shortest(parameter.high) : "");
}

std::optional<Extents> read_extents(std::string_view text) {
  constexpr std::uint64_t kMostExtent = 0x7FFFFFFF;
  Extents extents{};
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const bool last = i + 1 == extents.size();
    const auto end = last ? text.size() : text.find('x');
    if (end == std::string_view::npos) return std::nullopt;
    const CountResult count = read_count(text.substr(0, end));
    if (!count.value || *count.value == 0 || *count.value > kMostExtent) return std::nullopt;
    extents[i] = *count.value;
    if (!last) text.remove_prefix(end + 1);
  }
  return extents;
}

// A file that is one list, in however many lines.
std::shared_ptr<const Rows> one_row(Rows list) {
  list.rows = {flatten(list)};
  list.lines = {list.lines.front()};
  list.hash = hash_rows(list.rows);
  return std::make_shared<const Rows>(std::move(list));
}

// How a value of each kind is called.
std::string_view words_of(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::count:
      return "a whole number";
    case ParameterKind::real:
      return "a real number";
    case ParameterKind::choice:
      return "a choice";
    case ParameterKind::count_or_choice:
      return "a whole number or a choice";
    case ParameterKind::arrival:
      return "an arrival model";
    case ParameterKind::lookback:
      return "a look-back model";
    case ParameterKind::order:
      return "an order";
    case ParameterKind::extents:
      return "three sizes such as 128x128x32";
    default:
      return "a file of whole numbers";
  }
}

bool is_of_kind(const Argument& value, ParameterKind kind) {
  switch (kind) {
    case ParameterKind::count:
      return std::holds_alternative<std::uint64_t>(value);
    case ParameterKind::real:
      return std::holds_alternative<double>(value);
    case ParameterKind::choice:
      return std::holds_alternative<std::string_view>(value);
    case ParameterKind::count_or_choice:
      return std::holds_alternative<std::string_view>(value) || std::holds_alternative<std::uint64_t>(value);
    case ParameterKind::arrival:
      return std::holds_alternative<ArrivalCall>(value);
    case ParameterKind::lookback:
      return std::holds_alternative<LookbackCall>(value);
    case ParameterKind::order:
      return std::holds_alternative<std::shared_ptr<const std::vector<StageCall>>>(value);
    case ParameterKind::extents:
      return std::holds_alternative<Extents>(value);
    default:
      return std::holds_alternative<std::shared_ptr<const Rows>>(value);
  }
}

}  // namespace

Resolver::Resolver(std::string_view what, std::string_view text, const Vocabulary& vocabulary, std::string_view folder,
                   std::optional<ArrivalCall> arrival)
    : what_(what), text_(text), vocabulary_(vocabulary), folder_(folder), arrival_(std::move(arrival)) {
  if (&vocabulary != &built_in_vocabulary()) require_unique_names(vocabulary);  // that one is looked at once
}

std::vector<StageCall> Resolver::pipeline(const std::vector<SyntaxCall>& calls) {
  std::vector<StageCall> result;
  for (const SyntaxCall& call : calls) append(call, result);
  return result;
}

void Resolver::append(const SyntaxCall& call, std::vector<StageCall>& result) {
  std::vector<std::string> known;
  for (const Stage* stage : vocabulary_.stages) {
    known.emplace_back(stage->name);
    if (stage->name != call.name) continue;
    result.push_back(call_of(*stage, call));
    return;
  }
  for (const NamedOrder* order : vocabulary_.named_orders) {
    known.emplace_back(order->name);
    if (order->name == call.name) return expand(*order, call, result);
  }
  fail(call.position, unknown_name("stage or named order", call.name, known, related_orders(vocabulary_, call.name)));
}

StageCall Resolver::call_of(const Stage& stage, const SyntaxCall& call) {
  const bool takes_arrival = !stage.parameters.empty() && stage.parameters[0].kind == ParameterKind::arrival;
  const bool bare = takes_arrival && call.arguments.empty();
  bare_arrive_ = bare_arrive_ || bare;
  StageCall result{&stage, read_arguments(call, stage.parameters, bare && arrival_ ? &*arrival_ : nullptr)};
  try {
    if (stage.check != nullptr) stage.check(result.arguments);
  } catch (const Error& error) {
    fail(call.position, error.what());
  }
  return result;
}

void Resolver::expand(const NamedOrder& order, const SyntaxCall& call, std::vector<StageCall>& result) {
  require_not_expanding(&order, call);
  const Arguments arguments = read_arguments(call, order.parameters);
  const std::string what = std::string(what_) + " '" + std::string(text_) + "': " + std::string(order.name);
  Resolver inner(*this, what, order.expression, &order);
  for (std::size_t i = 0; i < order.parameters.size(); ++i)
    inner.environment_.emplace(order.parameters[i].name, arguments.values()[i]);
  for (StageCall& stage : inner.pipeline(parse_pipeline(order.expression))) result.push_back(std::move(stage));
  bare_arrive_ = bare_arrive_ || inner.bare_arrive_;
  if (inner.missing_.empty()) return;
  for (const SyntaxArgument& argument : call.arguments)
    if (!argument.key.empty() && !inner.used_.contains(argument.key))
      fail(argument.position, call.name + ": " + argument.key + " has no effect without " + inner.missing_ + "; give " +
                                  inner.missing_ + " too");
}

void Resolver::require_not_expanding(const void* entry, const SyntaxCall& call) const {
  for (const Resolver* resolver = this; resolver != nullptr; resolver = resolver->outer_)
    if (resolver->expanded_ == entry) fail(call.position, call.name + " is part of its own expression");
}

ArrivalCall Resolver::arrival(const SyntaxCall& call) const {
  std::vector<std::string> known;
  for (const ArrivalModel* model : vocabulary_.arrival_models) {
    known.emplace_back(model->name);
    if (model->name == call.name)
      return {model, std::make_shared<const Arguments>(read_arguments(call, model->parameters)), nullptr};
  }
  for (const NamedArrival* named : vocabulary_.named_arrivals) {
    known.emplace_back(named->name);
    if (named->name != call.name) continue;
    if (!call.arguments.empty()) fail(call.position, call.name + " takes no arguments");
    require_not_expanding(named, call);
    ArrivalCall result =
        Resolver(*this, "arrival", named->expression, named).arrival(parse_call("arrival", named->expression));
    result.named = named;
    return result;
  }
  fail(call.position, unknown_name("arrival model", call.name, known));
}

LookbackCall Resolver::lookback(const SyntaxCall& call) const {
  std::vector<std::string> known;
  for (const LookbackModel* model : lookback_models()) {
    known.emplace_back(model->name);
    if (model->name != call.name) continue;
    auto arguments = std::make_shared<const Arguments>(read_arguments(call, model->parameters));
    if (model->check != nullptr) model->check(*arguments);
    return {model, std::move(arguments)};
  }
  fail(call.position, unknown_name("look-back model", call.name, known));
}

std::string Resolver::path_of(std::string_view file) const { return (std::filesystem::path(folder_) / file).string(); }

// `first`: the value of the first parameter where it is not given; null for its default.
Arguments Resolver::read_arguments(const SyntaxCall& call, std::span<const Parameter> parameters,
                                   const ArrivalCall* first) const {
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
  if (first != nullptr && !given[0]) {
    given[0] = true;
    values[0] = *first;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string_view text = parameters[i].default_text;
    if (given[i] || text == "-") continue;
    if (text.empty()) fail(call.position, call.name + ": " + std::string(parameters[i].name) + " is missing" + usage);
    SyntaxArgument argument;
    argument.text = text;
    argument.quoted = true;  // it is no parameter of the named order around it
    argument.position = call.position;
    values[i] = read_argument(call, parameters[i], argument);
  }
  return Arguments(std::move(values));
}

Argument Resolver::read_argument(const SyntaxCall& call, const Parameter& parameter,
                                 const SyntaxArgument& argument) const {
  const std::string name = call.name + ": " + std::string(parameter.name);
  if (const auto bound = environment_.find(argument.text);
      bound != environment_.end() && !argument.quoted && argument.calls.empty()) {
    used_.insert(bound->first);
    if (bound->second.index() == 0 && parameter.default_text == "-") return bound->second;  // absent in both
    return fitted(bound->second, name, parameter, argument);
  }
  if (parameter.kind == ParameterKind::order && !argument.quoted) return stages_argument(call, parameter, argument);
  const bool takes_call = argument.calls.size() == 1 &&
                          (parameter.kind == ParameterKind::arrival || parameter.kind == ParameterKind::lookback);
  if (!argument.calls.empty() && !takes_call)
    fail(argument.position, name + " " + argument.text + "(...): takes no stage or model");
  switch (parameter.kind) {
    case ParameterKind::count: {
      const CountResult count = read_count(argument.text);
      if (!count.value) fail(argument.position, name + " " + argument.text + ": " + count.problem);
      return fitted(*count.value, name, parameter, argument);
    }
    case ParameterKind::real: {
      const auto real = read_real(argument.text);
      if (!real) fail(argument.position, name + " " + argument.text + ": is not a finite decimal number");
      return fitted(*real, name, parameter, argument);
    }
    case ParameterKind::count_or_choice:
      if (const CountResult count = read_count(argument.text); count.value)
        return fitted(*count.value, name, parameter, argument);
      [[fallthrough]];
    case ParameterKind::choice:
      return fitted(std::string_view(argument.text), name, parameter, argument);
    case ParameterKind::extents: {
      const auto extents = read_extents(argument.text);
      if (!extents) fail(argument.position, name + " " + argument.text + ": must be three sizes such as 128x128x32");
      return *extents;
    }
    case ParameterKind::order:
      fail(argument.position, name + " '" + argument.text + "': is a quoted text, not an order; leave out the quotes");
    case ParameterKind::rows:
    case ParameterKind::list:
      return fitted(read_rows(path_of(argument.text)), name, parameter, argument);
    default: {
      SyntaxCall nested;
      nested.name = argument.text;
      nested.position = argument.position;
      const SyntaxCall& named = argument.calls.empty() ? nested : argument.calls[0];
      if (parameter.kind == ParameterKind::lookback) return lookback(named);
      return arrival(named);
    }
  }
}

// The first argument in the calls that is a parameter of the named order around them, and absent there; null: none.
const SyntaxArgument* Resolver::absent_in(const std::vector<SyntaxCall>& calls) const {
  for (const SyntaxCall& call : calls) {
    for (const SyntaxArgument& argument : call.arguments) {
      const auto bound = environment_.find(argument.text);
      const bool word = !argument.quoted && argument.calls.empty();
      if (word && bound != environment_.end() && bound->second.index() == 0) return &argument;
      if (const SyntaxArgument* absent = absent_in(argument.calls)) return absent;
    }
  }
  return nullptr;
}

// Stages with a parameter that is absent in the named order around them are left out.
Argument Resolver::stages_argument(const SyntaxCall& call, const Parameter& parameter,
                                   const SyntaxArgument& argument) const {
  std::vector<SyntaxCall> calls = argument.calls;
  if (calls.empty()) calls = {{argument.text, argument.position, {}}};
  if (const SyntaxArgument* absent = absent_in(calls)) {
    missing_ = absent->text;
    return {};
  }
  Resolver inner(*this);
  std::vector<StageCall> stages = inner.pipeline(calls);
  used_.merge(inner.used_);
  for (const StageCall& stage : stages) {
    const char* const what = is_random(stage)        ? "draws"
                             : is_by_value(stage)    ? "looks at values"
                             : changes_format(stage) ? "changes formats"
                                                     : nullptr;
    if (what != nullptr)
      fail(argument.position, call.name + ": " + std::string(parameter.name) + ": `" + std::string(stage.stage->name) +
                                  "` " + what + ", which no stage inside another may do; put it after " + call.name);
  }
  return std::make_shared<const std::vector<StageCall>>(std::move(stages));
}

Argument Resolver::fitted(const Argument& value, const std::string& name, const Parameter& parameter,
                          const SyntaxArgument& argument) const {
  const std::string place = name + " " + argument.text + ": ";
  if (value.index() == 0) fail(argument.position, place + "has no value");
  if (!is_of_kind(value, parameter.kind))
    fail(argument.position, place + "is not " + std::string(words_of(parameter.kind)));
  if (const auto* word = std::get_if<std::string_view>(&value)) {
    for (const std::string_view choice : parameter.choices)
      if (choice == *word) return choice;
    const std::vector<std::string> known(parameter.choices.begin(), parameter.choices.end());
    fail(argument.position, name + " " + unknown_name("choice", *word, known));
  }
  if (parameter.kind == ParameterKind::list) return one_row(*std::get<std::shared_ptr<const Rows>>(value));
  const auto* count = std::get_if<std::uint64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  if (count == nullptr && real == nullptr) return value;
  const std::string problem = range_problem(parameter, count != nullptr ? static_cast<double>(*count) : *real);
  if (!problem.empty()) fail(argument.position, place + problem);
  return value;
}

Arguments Resolver::arguments(const SyntaxCall& call, std::span<const Parameter> parameters) const {
  return read_arguments(call, parameters);
}

}  // namespace orderlab
