#include "orderlab/order.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "order/check_steps.hpp"
#include "order/combinations.hpp"
#include "order/formats_along.hpp"
#include "order/left_to_right.hpp"
#include "order/resolve.hpp"
#include "order/stages/fused.hpp"
#include "order/syntax.hpp"
#include "order/vocabulary.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

std::string text_of_stages(const std::vector<StageCall>& stages) {
  std::string result;
  for (const StageCall& call : stages)
    result += (result.empty() ? "" : " | ") + call_text(call.stage->name, call.stage->parameters, call.arguments);
  return result;
}

std::string text_of(const Argument& argument) {
  if (const auto* count = std::get_if<std::uint64_t>(&argument)) return std::to_string(*count);
  if (const auto* real = std::get_if<double>(&argument)) return shortest(*real);
  if (const auto* choice = std::get_if<std::string_view>(&argument)) return std::string(*choice);
  if (const auto* call = std::get_if<ArrivalCall>(&argument)) return to_string(*call);
  if (const auto* call = std::get_if<LookbackCall>(&argument))
    return call_text(call->model->name, call->model->parameters, *call->arguments);
  if (const auto* rows = std::get_if<std::shared_ptr<const Rows>>(&argument)) return "'" + (*rows)->hash + "'";
  if (const auto* extents = std::get_if<Extents>(&argument)) return fmt::format("{}", fmt::join(*extents, "x"));
  if (const auto* stages = std::get_if<std::shared_ptr<const std::vector<StageCall>>>(&argument))
    return text_of_stages(**stages);
  return {};
}

/// What fuses products in the steps.
std::string fusing_part(const Steps& steps) {
  const bool unit = std::any_of(steps.begin(), steps.end(), adds_by_unit);
  return unit ? "`" + std::string(kFusedStageName) + "`" : "acc=fma";
}

}  // namespace

std::string call_text(std::string_view name, std::span<const Parameter> parameters, const Arguments& arguments) {
  std::vector<std::string> positional;
  std::vector<std::string> keyed;
  std::size_t needed = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& p = parameters[i];
    const std::string text = arguments.has(i) ? text_of(arguments.values()[i]) : std::string();
    const bool shown = arguments.has(i) && (text != p.default_text || p.kind == ParameterKind::arrival);
    if (!p.keyword_only) positional.push_back(text);
    if (shown && p.keyword_only) keyed.push_back(std::string(p.name) + "=" + text);
    if (shown && !p.keyword_only) needed = positional.size();
  }
  positional.resize(needed);
  positional.insert(positional.end(), keyed.begin(), keyed.end());
  std::string result(name);
  for (std::size_t i = 0; i < positional.size(); ++i) result += (i == 0 ? "(" : ",") + positional[i];
  return positional.empty() ? result : result + ")";
}

std::string signature(std::string_view name, std::span<const Parameter> parameters) {
  constexpr std::size_t kMostShownChoices = 16;  // more, such as all units, would hide the other parameters
  const FloatEnvironment environment;
  std::string result(name);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& p = parameters[i];
    std::string text(p.name);
    if (p.kind == ParameterKind::choice && p.choices.size() <= kMostShownChoices) {
      for (std::size_t c = 0; c < p.choices.size(); ++c) text += (c == 0 ? "=" : "|") + std::string(p.choices[c]);
    } else if (!p.default_text.empty() && p.default_text != "-") {
      text += "=" + std::string(p.default_text);
    }
    const bool chosen = p.kind == ParameterKind::choice && !p.default_text.empty();
    const bool optional = p.keyword_only || chosen || p.default_text == "-";
    result += (i == 0 ? "(" : ",") + (optional ? "[" + text + "]" : text);
  }
  return parameters.empty() ? result : result + ")";
}

std::string to_string(const ArrivalCall& call) {
  const FloatEnvironment environment;
  return call_text(call.model->name, call.model->parameters, *call.arguments);
}

std::string Order::expression() const {
  const FloatEnvironment environment;
  return text_of_stages(stages_);
}

std::string default_expression(const NamedOrder& order, const Vocabulary& vocabulary) {
  const FloatEnvironment environment;
  return parse_order(order.name, {}, vocabulary).expression();
}

std::size_t Order::first_random() const {
  const auto random =
      std::find_if(stages_.begin(), stages_.end(), [](const StageCall& call) { return is_random(call); });
  return static_cast<std::size_t>(random - stages_.begin());
}

bool Order::changes_format() const {
  return std::any_of(stages_.begin(), stages_.end(),
                     [](const StageCall& call) { return orderlab::changes_format(call); });
}

bool Order::random() const { return first_random() < stages_.size(); }

Guarantee Order::guarantee() const {
  Guarantee weakest = Guarantee::any_device;
  for (const StageCall& call : stages_) {
    const bool fixed = call.stage->fixed_form != nullptr && !is_random(call);
    weakest = std::max(weakest, fixed ? Guarantee::any_device : call.stage->guarantee);
  }
  return weakest;
}

Order Order::fixed_form() const {
  const FloatEnvironment environment;
  std::vector<StageCall> fixed;
  for (const StageCall& call : stages_) {
    if (call.stage->fixed_form == nullptr) {
      fixed.push_back(call);
    } else if (auto replacement = call.stage->fixed_form(call.arguments)) {
      fixed.push_back(std::move(*replacement));
    }
  }
  return fixed.empty() ? parse_order("seq") : Order({}, std::move(fixed));  // a sum of one term
}

namespace {

// How arrivals change with the size of the grid has not been recorded; a tenth more or less moves a tau by 0.01, which
// a fit accepts.
bool other_grid(const NamedArrival& named, std::size_t thread_blocks) {
  const auto fitted = static_cast<double>(named.thread_blocks);
  return std::fabs(static_cast<double>(thread_blocks) - fitted) > 0.1 * fitted;
}

// The first named arrival that an argument is or has among its own arguments; null: none.
const NamedArrival* named_within(const Argument& argument) {
  const auto* call = std::get_if<ArrivalCall>(&argument);
  if (call == nullptr || call->named != nullptr) return call == nullptr ? nullptr : call->named;
  for (const Argument& inner : call->arguments->values())
    if (const NamedArrival* named = named_within(inner)) return named;
  return nullptr;
}

std::string blocks_of_threads(std::uint64_t threads) {
  return "thread blocks of " + std::to_string(threads) + " threads";
}

}  // namespace

std::vector<std::string> Order::warnings(std::size_t n, Format accumulate) const {
  const FloatEnvironment environment;
  std::vector<std::string> result;
  std::uint64_t tile_threads = 0;       // threads of the tile stage just before
  std::uint64_t threads_per_block = 0;  // in thread blocks whose sums are the present partial sums; 0: none
  std::size_t m = n;
  for (const StageCall& call : stages_) {
    for (const Argument& argument : call.arguments.values()) {
      const NamedArrival* const found = named_within(argument);
      if (found == nullptr) continue;
      const NamedArrival& named = *found;
      const std::string fitted = std::string(named.name) + " was fitted to ";
      if (!named.operation.empty())
        result.push_back(fitted + "the units of " + std::string(named.operation) +
                         "; here partial sums of one output arrive, so its spread is a guess");
      else if (threads_per_block != named.threads_per_block)
        result.push_back(fitted + blocks_of_threads(named.threads_per_block) + "; here " +
                         (threads_per_block == 0 ? "no thread blocks" : blocks_of_threads(threads_per_block)) +
                         " arrive, so its spread is a guess");
      else if (other_grid(named, m))
        result.push_back(fitted + "a grid of " + std::to_string(named.thread_blocks) + " thread blocks; here " +
                         std::to_string(m) + " arrive, so its spread is a guess");
    }
    if (call.stage->reduces) {
      const bool tree = call.stage->name == "halving" || call.stage->name == "adjacent";
      threads_per_block = tree && call.arguments.count(0) == tile_threads ? tile_threads : 0;
      tile_threads = call.stage->name == "tile" ? call.arguments.count(0) : 0;
    }
    const Steps steps = orderlab::describe(call, m, accumulate);
    m = count_left(steps, m);
    accumulate = format_after(steps, {accumulate, accumulate}).add;
  }
  return result;
}

namespace {

bool built_in(const Stage& stage) {
  const auto all = stages();
  return std::find(all.begin(), all.end(), &stage) != all.end();
}

}  // namespace

std::vector<Steps> Order::describe(std::size_t n, bool products, Format accumulate) const {
  const FloatEnvironment environment;
  if (n == 0) throw Error(ErrorKind::usage, "a sum of no terms: give at least one");
  const auto refuse = [this](const std::string& why) {
    throw Error(ErrorKind::usage, "order " + expression() + ": " + why);
  };
  std::vector<Steps> all;
  all.reserve(stages_.size());
  bool reduced = false;
  std::size_t m = n;
  FormatsAlong formats(accumulate);
  for (const StageCall& call : stages_) {
    all.push_back(orderlab::describe(call, m, formats.adds().add));
    if (call.stage->check_count != nullptr) call.stage->check_count(call.arguments, m);
    if (!built_in(*call.stage)) check_steps(call, all.back(), m);
    if (fuses(all.back())) {
      if (accumulate == Format::fp80)
        refuse(fusing_part(all.back()) +
               " does not go with fp80 accumulators, into which no product can be fused; use "
               "acc=plain");
      if (!products) refuse(fusing_part(all.back()) + " needs terms that are products; add --with FILE");
      if (reduced)
        refuse(fusing_part(all.back()) +
               " stands after another reducing stage, where no products are left; move it to the first one");
      if (formats.changed())
        refuse(fusing_part(all.back()) +
               " stands after a stage that rounds them or changes the format, where no products are left; move it "
               "before that one");
    }
    for (const Step& step : all.back())
      if (const std::string problem = formats.follow(call, step); !problem.empty()) refuse(problem);
    m = count_left(all.back(), m);
    reduced = reduced || call.stage->reduces;
  }
  if (m != 1)
    refuse("leaves " + std::to_string(m) + " partial sums of " + std::to_string(n) +
           " terms; end it with a stage that adds them all, such as `" + expression() + " | seq`");
  return all;
}

namespace {

constexpr std::size_t kMaxStages = 10'000;  // random stages are numbered in 16 bits
static_assert(streams::kFirstStage + kMaxStages <= streams::kFirstLaunch);

bool has_arrival(const StageCall& call) {
  const auto& values = call.arguments.values();
  return std::any_of(values.begin(), values.end(),
                     [](const Argument& value) { return std::holds_alternative<ArrivalCall>(value); });
}

std::string example_of_arrive(const Vocabulary& vocabulary) {
  return has_named_order(vocabulary, "warp") ? ", or use an order such as warp" : "";
}

}  // namespace

ArrivalCall parse_arrival(const std::string& text, std::string_view folder, const Vocabulary& vocabulary) {
  return Resolver("arrival", text, vocabulary, folder).arrival(parse_call("arrival", text));
}

LookbackCall parse_lookback(std::string_view text) {
  return Resolver("look-back", text, built_in_vocabulary(), {}).lookback(parse_call("look-back", text));
}

bool takes_arrival(std::string_view text, const Vocabulary& vocabulary) {
  return takes_arrival_in({}, text, vocabulary);
}

bool takes_arrival_in(std::string_view folder, std::string_view text, const Vocabulary& vocabulary) {
  Resolver resolver("order", text, vocabulary, folder);
  resolver.pipeline(parse_pipeline(text));
  return resolver.bare_arrive();
}

Order parse_order(std::string_view text, std::string_view arrival, const Vocabulary& vocabulary) {
  const FloatEnvironment environment;
  return parse_order_in({}, text, arrival, vocabulary);
}

Order parse_order_in(std::string_view folder, std::string_view text, std::string_view arrival,
                     const Vocabulary& vocabulary) {
  const std::string model(arrival);
  const std::vector<SyntaxCall> calls = parse_pipeline(text);
  std::optional<ArrivalCall> of_bare;
  if (!model.empty()) of_bare = parse_arrival(model, folder, vocabulary);
  Resolver resolver("order", text, vocabulary, folder, std::move(of_bare));
  std::vector<StageCall> resolved = resolver.pipeline(calls);
  if (resolved.size() > kMaxStages)
    throw Error(ErrorKind::usage, "an order of " + std::to_string(resolved.size()) + " stages: too long (at most " +
                                      std::to_string(kMaxStages) + ")");
  if (!model.empty() && !resolver.bare_arrive()) {
    const auto own = std::find_if(resolved.begin(), resolved.end(), has_arrival);
    throw Error(ErrorKind::usage,
                "arrival " + model + ": order '" + std::string(text) + "' " +
                    (own == resolved.end() ? "has no `arrive`; leave out --arrival" + example_of_arrive(vocabulary)
                                           : "has its own arrival model; leave out --arrival, or write `" +
                                                 std::string(own->stage->name) + "` without a model"));
  }
  const bool is_name = calls.size() == 1 && has_named_order(vocabulary, calls[0].name);
  return Order(is_name ? calls[0].name : std::string(), std::move(resolved));
}

}  // namespace orderlab
