#include "probe/hypotheses.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <iterator>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "orderlab/error.hpp"
#include "probe/order_key.hpp"

namespace orderlab {

namespace {

// Lanes, threads, lengths of runs: small ones, and from there on those that machines have.
constexpr std::uint64_t kCounts[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024};

// Ranks of a reduction by trees, whose description grows with them, or by a chain: more than any machine has.
constexpr std::size_t kMostRanks = std::size_t{1} << 17;

/// An expression with {0} for every count of kCounts, and {n} for the least power of two that is n or more.
struct Pipeline {
  std::string_view text;
  bool products_only = false;
};

// The orders that most programs have, and names before pipelines that are the same.
constexpr Pipeline kCommon[] = {
    {"sequential"},
    {"pairwise"},
    {"numpy"},
    {"simd"},
    {"simd({0})"},
    {"reverse | seq"},
    {"seq(acc=kahan)"},
    {"seq(acc=neumaier)"},
    {"reverse | seq(acc=kahan)"},
    {"reverse | seq(acc=neumaier)"},
    {"adjacent({n})"},
    {"halving({n})"},
    {"seq(acc=fma)", true},
    {"reverse | seq(acc=fma)", true},
    {"strided({0},acc=fma) | halving({0})", true},
};

// After the named orders with their defaults, before those with other arguments.
constexpr Pipeline kFurther[] = {
    {"strided({0}) | seq"},
    {"strided({0}) | adjacent({0})"},
    {"strided({0}) | pairwise"},
    {"adjacent({0}) | seq"},
    {"halving({0}) | seq"},
    {"seq({0}) | seq"},
    {"seq({0}) | pairwise"},
    {"chunks({0}) | seq"},
    {"chunks({0}) | pairwise"},
    {"pairwise({0})"},
    {"pairwise({0},half=down)"},
    {"strided({0},rest=keep) | halving({0},rest=keep) | seq"},
    {"strided({0},rest=keep) | adjacent({0},rest=keep) | seq"},
    {"strided({0},rest=keep) | seq"},
    {"adjacent({0},rest=keep) | seq"},
    {"strided({0},acc=fma) | adjacent({0})", true},
    {"strided({0},acc=fma,rest=keep) | halving({0},rest=keep) | seq", true},
    {"strided({0},acc=fma,rest=keep) | adjacent({0},rest=keep) | seq", true},
    {"strided({0},acc=fma) | seq", true},
    {"seq({0},acc=fma) | seq", true},
    {"chunks({0},acc=fma) | seq", true},
    {"pairwise({0},acc=fma)", true},
};

// Beside these for probes only: so many of them come near to exact sums that one explains most results by chance.
constexpr std::string_view kPartlyCompensated[] = {
    "seq({0},acc=neumaier) | seq",
    "strided({0},acc=neumaier) | seq",
    "chunks({0},acc=neumaier) | seq",
};

std::string replaced(std::string text, std::string_view from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// The texts of pipelines, one for each choice of their counts.
std::vector<std::string> texts_of(std::span<const Pipeline> pipelines, std::size_t n, bool products) {
  std::vector<std::string> texts;
  for (const Pipeline& pipeline : pipelines) {
    if (pipeline.products_only && !products) continue;
    const std::string text = replaced(std::string(pipeline.text), "{n}", std::to_string(std::bit_ceil(n)));
    const bool counted = text.find("{0}") != std::string::npos;
    if (!counted) texts.push_back(text);
    for (std::size_t i = 0; counted && i < std::size(kCounts); ++i)
      texts.push_back(replaced(text, "{0}", std::to_string(kCounts[i])));
  }
  return texts;
}

/// What an argument may be, the default first; "" where it is left out. Only what is in the parameter's range, and
/// counts that are powers of two where the order has others beside them.
std::vector<std::string> arguments_of(const Parameter& parameter, bool alone) {
  std::vector<std::string> all{parameter.default_text == "-" ? "" : std::string(parameter.default_text)};
  if (all.front().empty()) return all;
  if (parameter.kind == ParameterKind::choice)
    for (const std::string_view choice : parameter.choices) all.emplace_back(choice);
  if (parameter.kind == ParameterKind::count)
    for (const std::uint64_t count : kCounts)
      if (static_cast<double>(count) >= parameter.low && static_cast<double>(count) <= parameter.high &&
          (alone || std::has_single_bit(count)))
        all.push_back(std::to_string(count));
  const auto again = std::find(all.begin() + 1, all.end(), all.front());
  if (again != all.end()) all.erase(again);
  return all;
}

/// The named order with all its arguments, those that are the defaults left out at the end: "simd", "simd(2)", ...
std::vector<std::string> texts_of(const NamedOrder& named) {
  std::vector<std::pair<std::string, std::string>> texts{
      {"", ""}};  // all arguments; those up to the last that is needed
  for (const Parameter& parameter : named.parameters) {
    std::vector<std::pair<std::string, std::string>> longer;
    const std::vector<std::string> choices = arguments_of(parameter, named.parameters.size() == 1);
    for (const auto& [all, needed] : texts) {
      for (const std::string& argument : choices) {
        std::string text = all;
        if (!argument.empty() && !text.empty()) text += ",";
        text += argument;
        longer.emplace_back(text, &argument == &choices.front() ? needed : text);
      }
    }
    texts = std::move(longer);
  }
  std::vector<std::string> result;
  for (const auto& [all, needed] : texts)
    result.push_back(std::string(named.name) + (needed.empty() ? "" : "(" + needed + ")"));
  return result;
}

/// Whether a stage adds nothing, as strided(64) does for 64 terms: another way to write an order without it. Later
/// stages of a named order may: those for a remainder that n does not leave.
bool idles(const Order& order, std::size_t n, Format accumulate) {
  std::size_t m = n;
  for (const StageCall& call : order.stages()) {
    const std::size_t left = count_left(call, m, accumulate);
    if (call.stage->reduces && left == m) return true;
    if (call.stage->reduces && !order.name().empty()) return false;
    m = left;
  }
  return false;
}

// A chain from the last rank to a root is made of stages that other orders have, too.
bool is_of_ranks(const Order& order) {
  return order.name() == "ompi_chain" ||
         std::any_of(order.stages().begin(), order.stages().end(), [](const StageCall& call) {
           return call.stage->name == "double_tree" || call.stage->name == "rank_tree";
         });
}

/// The order written so, or its fixed form; empty where it is not valid.
std::optional<KnownOrder> known(const std::string& text, std::size_t n, bool products, Format accumulate) {
  try {
    Order order = parse_order(text);
    if (n > kMostRanks && is_of_ranks(order)) return std::nullopt;
    const OrderDevice device = device_of_order(order.name());
    const bool random = order.random();
    if (random) order = order.fixed_form();
    std::vector<Steps> stages = order.describe(n, products, accumulate);
    const bool idle = idles(order, n, accumulate);
    return KnownOrder{{random ? order.expression() : text, std::move(order)}, device, std::move(stages), idle};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    return std::nullopt;
  }
}

/// What is tried, the best known first.
std::vector<std::string> all_texts(std::size_t n, bool products) {
  std::vector<std::string> defaults;
  std::vector<std::string> fixed;
  std::vector<std::string> random;
  for (const NamedOrder& named : named_orders()) {
    std::vector<std::string> texts = texts_of(named);
    const bool draws = parse_order(named.name).random();
    if (!draws) defaults.push_back(texts.front());
    auto& some = draws ? random : fixed;
    std::move(texts.begin(), texts.end(), std::back_inserter(some));
  }
  std::vector<std::string> all = texts_of(kCommon, n, products);
  for (const std::vector<std::string>& texts : {defaults, texts_of(kFurther, n, products), fixed, random})
    all.insert(all.end(), texts.begin(), texts.end());
  return all;
}

}  // namespace

std::vector<std::string> partly_compensated(std::size_t n) {
  std::vector<std::string> texts;
  for (const std::string_view pipeline : kPartlyCompensated)
    for (const std::uint64_t count : kCounts)
      if (count > 1 && count < n) texts.push_back(replaced(std::string(pipeline), "{0}", std::to_string(count)));
  return texts;
}

std::shared_ptr<const std::vector<Hypothesis>> remembered_hypotheses(std::size_t n, bool products, Format accumulate,
                                                                     const Loop& loop, const std::stop_token& stop) {
  struct Entry {
    std::tuple<std::size_t, bool, Format> key;
    std::shared_ptr<const std::vector<Hypothesis>> orders;
  };
  constexpr std::size_t kMost = 16;
  static std::mutex one_at_a_time;
  static std::deque<Entry> entries;
  const std::tuple key(n, products, accumulate);
  {
    const std::lock_guard lock(one_at_a_time);
    for (const Entry& entry : entries)
      if (entry.key == key) return entry.orders;
  }
  auto orders = std::make_shared<const std::vector<Hypothesis>>(hypotheses(n, products, accumulate, loop, stop));
  if (stop.stop_requested()) return nullptr;
  const std::lock_guard lock(one_at_a_time);
  entries.push_back({key, orders});
  if (entries.size() > kMost) entries.pop_front();
  return orders;
}

std::vector<KnownOrder> known_orders(std::size_t n, bool products, Format accumulate, const Loop& loop,
                                     const std::stop_token& stop) {
  if (n == 0) throw Error(ErrorKind::usage, "a sum of no terms: give at least one");
  const std::vector<std::string> texts = all_texts(n, products);
  std::vector<std::optional<KnownOrder>> all(texts.size());
  loop(texts.size(), [&](std::size_t i) {
    if (!stop.stop_requested()) all[i] = known(texts[i], n, products, accumulate);
  });
  std::vector<KnownOrder> found;
  if (stop.stop_requested()) return found;
  for (std::optional<KnownOrder>& one : all)
    if (one) found.push_back(*std::move(one));
  return found;
}

std::vector<Hypothesis> hypotheses(std::size_t n, bool products, Format accumulate, const Loop& loop,
                                   const std::stop_token& stop) {
  std::vector<KnownOrder> all = known_orders(n, products, accumulate, loop, stop);
  StageTrie trie(n);
  for (std::size_t i = 0; i < all.size(); ++i) trie.add(all[i].stages, i);
  std::vector<std::uint64_t> keys(all.size());
  trie_keys(
      trie,
      [&](std::size_t count, const std::function<void(std::size_t)>& body) {
        loop(count, [&](std::size_t i) {
          if (!stop.stop_requested()) body(i);
        });
      },
      [&](std::span<const std::size_t> orders, std::uint64_t key) {
        for (const std::size_t i : orders) keys[i] = key;
      },
      [](std::size_t) {});
  std::vector<Hypothesis> found;
  if (stop.stop_requested()) return found;
  std::unordered_map<std::uint64_t, std::size_t> places;  // in `found`, by key
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [at, is_new] = places.emplace(keys[i], found.size());
    WrittenOrder order = std::move(all[i]);
    if (is_new)
      found.push_back({std::move(order), {}});
    else if (!all[i].idles)
      found[at->second].also.push_back(std::move(order));
  }
  return found;
}

}  // namespace orderlab
