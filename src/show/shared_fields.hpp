// Fields that several documents have: their head, the terms, what "config" says of terms and orders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "describe/field.hpp"
#include "describe/kinds.hpp"
#include "orderlab/study/enumerate.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::described {

/// Versions of the program and of what it draws: every document begins with them.
struct Head {};

/// The order of a finding that says which runs give the same bits.
struct JudgedOrder {
  std::string_view name;  ///< empty for an expression
  std::string_view expression;
  std::string_view guarantee;
};

/// Heights of the orders that were looked at; empty where they are not known.
struct HeightRange {
  std::optional<std::uint64_t> min;
  std::optional<std::uint64_t> max;
};

/// The order of a finding that measures results.
struct MeasuredOrder : JudgedOrder {
  HeightRange height;
};

MeasuredOrder measured_order(const study::SampledOrder& order);
MeasuredOrder measured_order(const study::EnumeratedOrder& order);

extern const TableOf<Head> kHead;
extern const TableOf<JudgedOrder> kJudgedOrder;
extern const TableOf<MeasuredOrder> kMeasuredOrder;
extern const TableOf<study::InputFacts> kInput;        ///< the terms
extern const TableOf<study::InputFacts> kTermsConfig;  ///< which terms, in "config"
extern const TableOf<study::AskedOrder> kOrderConfig;  ///< which order, in "config"
extern const TableOf<std::string> kTexts;              ///< elements of a list of texts

inline constexpr std::string_view kFormatsHelp =
    "Formats of terms, of partial sums and of the result, separated by colons; one that equals the one before it is "
    "left out at the end";
inline constexpr std::string_view kCommandHelp = "The command that wrote the document";
inline constexpr std::string_view kConfigSentence = "All that is needed to repeat the document, and nothing else.";
inline constexpr std::string_view kWarningsHelp = "What to know about the order as it was written, a line each";
inline constexpr More kOfWarnings{.absent = "where there is nothing", .list_rule = R"({"minItems": 1})"};
inline constexpr std::string_view kOrderSentence = "The order in which the terms are added.";
inline constexpr std::string_view kOrderNameHelp = "Name of a named order";
inline constexpr std::string_view kExpressionHelp = "Canonical expression of the order";
inline constexpr std::string_view kGuaranteeHelp =
    "Which runs give the same bits: no two (not_guaranteed), all on one machine (run_to_run), all (any_device). Of an "
    "order, the weakest of its stages";
inline constexpr std::string_view kPartialHelp = "The run was interrupted, and this is what was found until then";
inline constexpr std::string_view kOrdersHelp = "Number of orders, as decimal text";
inline constexpr std::string_view kDrawnHelp = "Number of orders that were drawn";
inline constexpr std::string_view kPartialSumsHelp = "Number of partial sums that are arranged";
inline constexpr std::string_view kResultBitsHelp = "Bit pattern of the result";
inline constexpr std::string_view kErrorUlpHelp = "Result minus exact sum, in ulps of the exact sum";
inline constexpr std::string_view kReachedHelp =
    "Fraction of runs that pass; less than was asked for where an interrupt left too few draws";
inline constexpr std::string_view kClaimHelp = "The order that the kernel claims";
inline constexpr std::string_view kClaimBitsHelp = "Bits that the claim gives";
inline constexpr std::string_view kDifferingOutputHelp = "Number of the first output that differs";

inline constexpr Kind kMostDistinct{Holds::count, R"({"type": "integer", "minimum": 2})", {}};
inline constexpr std::string_view kBaselineHelp = "Expression of the given order that Vs compares with";
inline constexpr More kOwnBaseline{.null = "for each order's own: the same with arrivals in launch order"};

/// A text that is empty where there is none.
inline std::optional<std::string> text_or_none(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

/// What every document begins with.
template <class T>
consteval Field head() {
  return merged([](const T&) { return Head{}; }, kHead);
}

/// The command that wrote the document, as JSON.
template <class T>
consteval Field command(std::string_view json) {
  return constant<T>("command", kinds::kText, kCommandHelp, json);
}

/// "fp32" or "fp32:bf16": formats of partial sums and of the result, as --against-format takes them.
inline std::string added_formats(const Formats& formats) {
  return to_string(Formats{formats.accumulate, formats.result, formats.result});
}

/// The order of a finding that names it and what it was asked for.
template <class T>
consteval Field judged_order() {
  return part("order", kJudgedOrder, [](const T& finding) {
    return JudgedOrder{finding.name, finding.asked.expression, finding.guarantee};
  });
}

/// Whether the run was interrupted: true, or left out.
template <class F>
consteval Field partial(F) {
  using Class = typename detail::ClassOf<F>::Type;
  return value("partial", kinds::kTruth, kPartialHelp,
               [](const Class& finding) { return F{}(finding) ? std::optional(true) : std::nullopt; },
               {.absent = "otherwise", .constant = "true"});
}
template <auto member>
consteval Field partial() {
  return partial([](const typename detail::Member<member>::Class& finding) { return finding.*member; });
}

}  // namespace orderlab::described
