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

std::vector<Format> Candidates::accumulate_formats() const {
  const auto& accumulator = result_.accumulator;
  if (!accumulator || !accumulator->narrowest) {
    std::vector<Format> formats{box_.setting().format};
    for (const Format wide : {Format::fp32, Format::fp64})
      if (wide != formats.front()) formats.push_back(wide);
    return formats;
  }
  std::vector<Format> formats;
  for (const int precision : {*accumulator->narrowest, *accumulator->widest})
    for (const FormatInfo& format : kFormats)
      if ((format.precision == precision || format.precision + 1 == precision) &&
          std::find(formats.begin(), formats.end(), format.format) == formats.end())
        formats.push_back(format.format);
  return formats;
}

Formats Candidates::formats_in(Format accumulate) const {
  return {box_.setting().format, accumulate, replay_.result_format(accumulate)};
}

bool Candidates::has_bits(const Candidate& candidate, std::size_t inputs) {
  try {
    for (std::size_t k = 0; k < inputs; ++k)
      if (!replay_.equal(candidate.order.order, candidate.formats, k)) return false;
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    return false;
  }
}

void Candidates::match(const ProbeOptions& options) {
  box_.begin("hypotheses", kMatchedInputs);
  for (std::size_t k = 0; k < kMatchedInputs; ++k) replay_.answer(k);
  const auto try_order = [&](const WrittenOrder& order, Format accumulate, const std::vector<WrittenOrder>& also) {
    box_.obey_stop();
    Candidate candidate{order, formats_in(accumulate), also};
    tried_.push_back({order, candidate.formats, {}});
    if (has_bits(candidate, kMatchedInputs)) all_.push_back(std::move(candidate));
  };
  const Loop obedient = [this](std::size_t count, const std::function<void(std::size_t)>& body) {
    for (std::size_t i = 0; i < count; ++i) {
      box_.obey_stop();
      body(i);
    }
  };
  for (const Format accumulate : accumulate_formats()) {
    if (options.expected && !options.expected->order.random()) try_order(*options.expected, accumulate, {});
    for (const WrittenOrder& order : options.likely)
      if (!order.order.random()) try_order(order, accumulate, {});
    const auto known = remembered_hypotheses(box_.n(), box_.products(), accumulate, obedient, box_.stop());
    if (!known) throw Stopped{};
    for (const Hypothesis& hypothesis : *known) try_order(hypothesis, accumulate, hypothesis.also);
    for (const std::string& text : partly_compensated(box_.n())) try_order({text, parse_order(text)}, accumulate, {});
    for (const char* text : kSorted) try_order({text, parse_order(text)}, accumulate, {});
  }
}

void Candidates::take(const Candidate& candidate) {
  box_.begin("replay", BoxReplay::kInputs);
  box_.obey_stop();
  if (!has_bits(candidate, BoxReplay::kInputs)) return;
  if (result_.orders.empty()) result_.formats = candidate.formats;
  if (!(candidate.formats == result_.formats)) return;
  result_.replayed = BoxReplay::kInputs;
  add_if_new(candidate.order);
  for (const WrittenOrder& order : candidate.also) add_if_new(order);
}

bool Candidates::evident(const Candidate& candidate) {
  constexpr std::size_t kRivals = 31;  // so that one input tells at most 5 bits
  constexpr double kMargin = 10;       // one probe in a thousand names a wrong order by chance
  if (!has_bits(candidate, BoxReplay::kInputs)) return false;
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

void Candidates::add_if_new(const WrittenOrder& order) {
  const bool known = std::any_of(result_.orders.begin(), result_.orders.end(),
                                 [&](const WrittenOrder& other) { return other.text == order.text; });
  if (!known) result_.orders.push_back(order);
}

bool Candidates::take_names(const TreeShape& shape) {
  for (const Format accumulate : accumulate_formats()) {
    for (std::vector<StageCall>& stages : peel(shape, accumulate))
      for (const Order& order : variants(Order({}, std::move(stages)), box_.products())) {
        const Candidate candidate{{order.expression(), order}, formats_in(accumulate), {}};
        if (has_bits(candidate, kMatchedInputs)) take(candidate);
      }
    if (!result_.orders.empty()) return true;
  }
  return false;
}

void Candidates::fit_start() {
  const bool from_zero = replay_.starts_from_zero();
  const auto fits = [&](const WrittenOrder& order) {
    return starts_from_zero(order.order, box_, result_.formats) == from_zero;
  };
  std::vector<WrittenOrder> fitting;
  for (const WrittenOrder& order : result_.orders) {
    if (fits(order))
      fitting.push_back(order);
    else if (const auto other = with_start(order.order, from_zero); other && fits(*other))
      fitting.push_back(*other);
  }
  if (fitting.empty()) {
    result_.reason = std::string("but zeros that are all negative add up to ") + (from_zero ? "+0.0" : "-0.0");
    return;
  }
  result_.orders.clear();
  for (const WrittenOrder& order : fitting) add_if_new(order);
}

}  // namespace orderlab
