#include "probe/candidates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "orderlab/error.hpp"
#include "probe/hypotheses.hpp"
#include "probe/order_variants.hpp"
#include "probe/peel.hpp"

namespace orderlab {

namespace {

constexpr std::array<const char*, 4> kSorted{"sort(asc) | seq", "sort(desc) | seq", "sort(abs_asc) | seq",
                                             "sort(abs_desc) | seq"};

bool replays_all_inputs(AskedBox& box, BoxReplay& replay, const Candidate& candidate) {
  box.begin("replay", BoxReplay::kInputs);
  box.obey_stop();
  return has_bits(replay, candidate.order.order, candidate.formats, BoxReplay::kInputs);
}

}  // namespace

bool sorts(const Order& order) {
  return std::any_of(order.stages().begin(), order.stages().end(),
                     [](const StageCall& call) { return is_by_value(call); });
}

bool has_accumulator(const Order& order, std::initializer_list<std::string_view> names) {
  return std::any_of(order.stages().begin(), order.stages().end(), [&](const StageCall& call) {
    const auto& values = call.arguments.values();
    return std::any_of(values.begin(), values.end(), [&](const Argument& value) {
      const auto* word = std::get_if<std::string_view>(&value);
      return word != nullptr && std::find(names.begin(), names.end(), *word) != names.end();
    });
  });
}

bool compensates(const Order& order) { return has_accumulator(order, {"neumaier"}); }

bool has_bits(BoxReplay& replay, const Order& order, const Formats& formats, std::size_t inputs) {
  try {
    for (std::size_t k = 0; k < inputs; ++k)
      if (!replay.equal(order, formats, k)) return false;
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    return false;
  }
}

void ReplayedOrders::add_if_new(const WrittenOrder& order) {
  const bool known =
      std::any_of(orders.begin(), orders.end(), [&](const WrittenOrder& other) { return other.text == order.text; });
  if (!known) orders.push_back(order);
}

void ReplayedOrders::add(const Candidate& candidate) {
  if (orders.empty()) formats = candidate.formats;
  if (!(candidate.formats == formats)) return;
  add_if_new(candidate.order);
  for (const WrittenOrder& order : candidate.also) add_if_new(order);
}

Candidates::Candidates(AskedBox& box, BoxReplay& replay, const std::vector<Format>& accumulate,
                       const ProbeOptions& options)
    : box_(box), replay_(replay) {
  box_.begin("hypotheses", kMatchedInputs);
  for (std::size_t k = 0; k < kMatchedInputs; ++k) replay_.answer(k);
  const Loop obedient = [this](std::size_t count, const std::function<void(std::size_t)>& body) {
    for (std::size_t i = 0; i < count; ++i) {
      box_.obey_stop();
      body(i);
    }
  };
  for (const Format format : accumulate) {
    if (options.expected && !options.expected->order.random()) try_order(*options.expected, format, {});
    for (const WrittenOrder& order : options.likely)
      if (!order.order.random()) try_order(order, format, {});
    const auto known = remembered_hypotheses(box_.n(), box_.products(), format, obedient, box_.stop());
    if (!known) throw Stopped{};
    for (const Hypothesis& hypothesis : *known) try_order(hypothesis, format, hypothesis.also);
    for (const std::string& text : partly_compensated(box_.n())) try_order({text, parse_order(text)}, format, {});
    for (const char* text : kSorted) try_order({text, parse_order(text)}, format, {});
  }
}

void Candidates::try_order(const WrittenOrder& order, Format accumulate, const std::vector<WrittenOrder>& also) {
  box_.obey_stop();
  Candidate candidate{order, replay_.formats_in(accumulate), also};
  tried_.push_back({order, candidate.formats, {}});
  if (has_bits(replay_, order.order, candidate.formats, kMatchedInputs)) all_.push_back(std::move(candidate));
}

bool Candidates::replays_all(const Candidate& candidate) const { return replays_all_inputs(box_, replay_, candidate); }

bool Candidates::evident(const Candidate& candidate) const {
  constexpr std::size_t kRivals = 31;  // so that one input tells at most 5 bits
  constexpr double kMargin = 10;       // one probe in a thousand names a wrong order by chance
  if (!has_bits(replay_, candidate.order.order, candidate.formats, BoxReplay::kInputs)) return false;
  const auto is_rival = [&](const Candidate& other) {
    return other.formats == candidate.formats && other.order.text != candidate.order.text &&
           compensates(other.order.order) == compensates(candidate.order.order);
  };
  std::vector<const Order*> all;
  for (const Candidate& other : tried_)
    if (is_rival(other)) all.push_back(&other.order.order);
  std::vector<const Order*> rivals;
  const std::size_t step = std::max<std::size_t>(all.size() / kRivals, 1);
  for (std::size_t i = 0; i < all.size() && rivals.size() < kRivals; i += step) rivals.push_back(all[i]);
  const double enough = std::log2(static_cast<double>(std::max<std::size_t>(tried_.size(), 1))) + kMargin;
  return replay_.evidence(candidate.formats, rivals, enough) >= enough;
}

ReplayedOrders Candidates::evident_ones(bool (*is_such)(const Order& order)) const {
  ReplayedOrders replayed;
  for (const Candidate& candidate : all_)
    if (is_such(candidate.order.order) && evident(candidate) && replays_all(candidate)) replayed.add(candidate);
  return replayed;
}

ReplayedOrders orders_with_shape(AskedBox& box, BoxReplay& replay, const TreeShape& shape,
                                 const std::vector<Format>& accumulate) {
  ReplayedOrders replayed;
  for (const Format format : accumulate) {
    for (std::vector<StageCall>& stages : peel(shape, format))
      for (const Order& order : variants(Order({}, std::move(stages)), box.products())) {
        const Candidate candidate{{order.expression(), order}, replay.formats_in(format), {}};
        if (has_bits(replay, order, candidate.formats, Candidates::kMatchedInputs) &&
            replays_all_inputs(box, replay, candidate))
          replayed.add(candidate);
      }
    if (!replayed.orders.empty()) break;
  }
  return replayed;
}

}  // namespace orderlab
