#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "show/colors.hpp"
#include "show/fused_probe.hpp"
#include "show/input_text.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::FusedProbeFinding;

constexpr std::size_t kShownSteps = 6;
constexpr std::size_t kShownProducts = 4;

std::string comma_list(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

// "16 products each, the first first: they begin at 0, 16, 32, 48".
std::string steps_text(const FusedReading& reading, std::size_t n) {
  if (reading.length == n) return fmt::format("{} products or more each", n);
  std::string text = plural(reading.length, "product") + " each, " +
                     (reading.last_first ? "from the last product to the first" : "from the first product to the last");
  std::vector<std::string> begins;
  for (std::size_t begin = 0; begin < n && begins.size() <= kShownSteps; begin += reading.length)
    begins.push_back(std::to_string(begin));
  if (reading.last_first || reading.run != 0 || reading.length == 1) return text;
  if (begins.size() > kShownSteps) begins.back() = "...";
  return text + "; they begin at " + comma_list(begins);
}

std::string fraction_text(const FusedReading& reading) {
  if (!reading.fraction_bits) return "none: nothing is cut";
  return plural(static_cast<std::uint64_t>(*reading.fraction_bits), "fraction bit") +
         (reading.fraction_open ? " or more; these formats show no more" : "");
}

std::string rounding_text(const FusedReading& reading) {
  if (!reading.rounding) return "no answer shows it";
  std::string text;
  switch (*reading.rounding) {
    case FusedRounding::to_nearest:
      text = "to nearest, ties to even";
      break;
    case FusedRounding::none:
      text = "in no way that is known";
      break;
    default:
      text = "toward zero";
  }
  return text + (reading.precision ? fmt::format(", to {} bits", *reading.precision) : "");
}

std::string subnormal_text(const FusedReading& reading) {
  std::vector<std::string> texts;
  const auto add = [&](const char* what, const std::optional<bool>& flushes) {
    if (flushes) texts.push_back(std::string(what) + (*flushes ? " become zero" : " are kept"));
  };
  add("factors", reading.flushes_factors);
  add("sums", reading.flushes_sums);
  return comma_list(texts);
}

std::string fused_reading_text(const FusedProbeFinding& finding, const TextStyle& style) {
  const FusedReading& reading = finding.probed.reading;
  std::string text;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += wrapped(fmt::format("{:<10} {}\n", name, value), style.width);
  };
  if (reading.step) {
    add("sums", std::string(info(reading.sums).name));
    add("steps", steps_text(reading, finding.asked.n));
    if (reading.run != 0)
      add("runs",
          fmt::format("a new sum begins after every {}; the sums are added in turn", plural(reading.run, "product")));
    add("kind", fmt::format("{}: {}", name_of(*reading.step), summary_of(*reading.step)));
    add("F", fraction_text(reading));
    add("rounding", rounding_text(reading));
    add("subnormal", subnormal_text(reading));
  }
  const FusedProbe& probed = finding.probed;
  add("calls", fmt::format("{}: {} to read the steps, {} with random products, {} repeated", probed.calls(),
                           probed.directed, probed.random, probed.repeated));
  return text;
}

std::string fused_verdict_text(const FusedProbe& probed) {
  const std::string all = fmt::format(" with all {} calls", probed.calls());
  const std::string described = comma_list(probed.described);
  switch (probed.verdict) {
    case FusedVerdict::named:
      return "named: " + comma_list(probed.units) + (described.empty() ? "" : ", " + described);
    case FusedVerdict::revealed:
      return "revealed: no unit of the table; " +
             (described.empty() ? "steps of this kind agree"
                                : described + (probed.described.size() > 1 ? " agree" : " agrees")) +
             all;
    default:
      return "not fused: " + probed.reason;
  }
}

std::string products_text(const std::vector<Factors>& products) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < products.size(); ++i)
    if (products[i].x != 0 && products[i].y != 0)
      shown.push_back(fmt::format("{} * {} at {}", shortest(products[i].x), shortest(products[i].y), i));
  if (shown.size() > kShownProducts) return plural(products.size(), "product") + ", which --json has";
  return comma_list(shown);
}

std::string disagreement_text(const FusedProbe& probed) {
  if (!probed.disagrees) return "";
  const FusedDisagreement& other = *probed.disagrees;
  return fmt::format("nearest: {} agrees until call {}, of {}: it gives {}, the box {}\n",
                     other.order.empty() ? "a step of this kind" : other.order, other.call,
                     products_text(other.products), shortest(other.expected), shortest(other.answer));
}

}  // namespace

std::string to_text(const FusedProbeFinding& finding, const TextStyle& style) {
  const std::string products =
      plural(finding.asked.n, std::string(info(finding.asked.formats.terms).name) + " product");
  std::string text = wrapped(fmt::format("{}: {}\n", finding.asked.box.name, products), style.width);
  text += fused_reading_text(finding, style);
  text += "\n" + wrapped(bold(fused_verdict_text(finding.probed), style.color) + "\n", style.width);
  return text + wrapped(disagreement_text(finding.probed), style.width);
}

}  // namespace orderlab
