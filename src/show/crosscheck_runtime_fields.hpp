// What `crosscheck` finds of the runtimes of this machine, field by field.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "describe/table.hpp"
#include "orderlab/format.hpp"
#include "orderlab/study/crosscheck.hpp"
#include "show/crosscheck_words.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"

namespace orderlab::described {

inline constexpr Field kUsedRuntimeFields[] = {
    value<&study::UsedRuntime::name>("name", kinds::kText, "Name of the runtime"),
    value<&study::UsedRuntime::version>("version", kinds::kText, "What it says of itself"),
    value<&study::UsedRuntime::compiler>("compiler", kinds::kText, "What compiled the program that was run"),
};
inline constexpr TableOf<study::UsedRuntime> kUsedRuntime{
    {.key = "used_runtime", .title = "Used runtime", .help = "A runtime that was run.", .fields = kUsedRuntimeFields}};

/// A sum that differs, with its format.
struct RuntimeDifferenceRow {
  const study::RuntimeDifference& one;
  Format format;
};
inline constexpr Field kRuntimeDifferenceFields[] = {
    value("seed", kinds::kCount, "Seed of the terms", [](const RuntimeDifferenceRow& r) { return r.one.seed; }),
    value("output", kinds::kCount, "Number of the sum in the call",
          [](const RuntimeDifferenceRow& r) { return r.one.output; }),
    value("call", kinds::kCount, "Number of the call", [](const RuntimeDifferenceRow& r) { return r.one.call; }),
    value("model_bits", kinds::kBits, "Bits that the order gives",
          [](const RuntimeDifferenceRow& r) {
            return r.one.expected ? std::optional(bits_text(r.format, *r.one.expected)) : std::nullopt;
          },
          {.null = "where several are possible"}),
    value("bits", kinds::kBits, "Bits that the runtime gave",
          [](const RuntimeDifferenceRow& r) { return bits_text(r.format, r.one.got); }),
};
inline constexpr TableOf<RuntimeDifferenceRow> kRuntimeDifference{{.key = "runtime_difference",
                                                                   .title = "Runtime difference",
                                                                   .help = "A sum that the order does not give.",
                                                                   .fields = kRuntimeDifferenceFields}};

inline constexpr std::string_view kRuntimeVerdicts[] = {"identical", "possible", "differs"};
inline constexpr More kRuntimeBoth{.where = Where::both};
inline constexpr Field kRuntimeRowFields[] = {
    value<&study::RuntimeRow::runtime>("runtime", kinds::kText, "Name of the runtime", kRuntimeBoth),
    value<&study::RuntimeRow::call>("call", kinds::kText, "Function, or loop, that adds", kRuntimeBoth),
    value(
        "format", kinds::kFormat, "Format of terms and sums",
        [](const study::RuntimeRow& r) { return info(r.format).name; }, kRuntimeBoth),
    value<&study::RuntimeRow::workers>("workers", kinds::kSome, "Number of threads or ranks", kRuntimeBoth),
    value<&study::RuntimeRow::n>("n", kinds::kSome, "Number of terms of each sum", kRuntimeBoth),
    value<&study::RuntimeRow::outputs>("outputs", kinds::kSome, "Number of sums of a call, elements of a message",
                                       kRuntimeBoth),
    value<&study::RuntimeRow::rule>(
        "rule", kinds::kText, "Order that the runtime is said to add in, its parameters as letters", kRuntimeBoth),
    value("order", kinds::kText, "The order with its parameters, that of the first sum",
          [](const study::RuntimeRow& r) { return text_or_none(r.order); },
          {.null = "where no order has all ways to split the terms", .where = Where::both}),
    value<&study::RuntimeRow::terms>("terms", kinds::kText, "Distribution of the terms"),
    value<&study::RuntimeRow::inputs>("inputs", kinds::kCount, "Number of inputs", kRuntimeBoth),
    value<&study::RuntimeRow::calls>("calls", kinds::kCount, "Number of calls, over all inputs", kRuntimeBoth),
    value<&study::RuntimeRow::sums>("sums", kinds::kCount, "Number of sums, over all calls", kRuntimeBoth),
    value<&study::RuntimeRow::matching>("matching", kinds::kCount,
                                        "Number of sums that have the bits of the order, or of one of its results",
                                        kRuntimeBoth),
    value<&study::RuntimeRow::differs_elsewhere>(
        "differs_elsewhere", kinds::kCount,
        "Number of sums that would have other bits in an order that it might be taken for",
        {.null = "where it is not compared with others", .where = Where::both}),
    value<&study::RuntimeRow::distinct>("distinct", kinds::kSome, "Most different results of one sum of one input",
                                        kRuntimeBoth),
    value<&study::RuntimeRow::possible>("possible", kinds::kCount, "Most results that one sum of one input can have",
                                        {.null = "for a fixed order", .where = Where::both}),
    value<&study::RuntimeRow::p>(
        "p", kinds::kProbability,
        "p-value of the joint test that all arrival orders are equally likely, which decides no verdict",
        {.null = "where frequencies are not tested", .where = Where::both}),
    value("verdict", kinds::kText,
          "Whether all sums have the bits of the order (identical), bits of its results (possible), or not (differs)",
          [](const study::RuntimeRow& r) { return verdict_of(r); }, {.words = kRuntimeVerdicts, .where = Where::both}),
    part("first", kRuntimeDifference, "The first sum that differs",
         [](const study::RuntimeRow& r) {
           return r.first ? std::optional(RuntimeDifferenceRow{*r.first, r.format}) : std::nullopt;
         },
         {.null = "where there is none"}),
};
inline constexpr TableOf<study::RuntimeRow> kRuntimeRow{
    {.key = "runtime_row",
     .title = "Runtime row",
     .help = "One function of a runtime with one number of threads or ranks, in one format, on one number of terms.",
     .fields = kRuntimeRowFields}};

inline constexpr Field kRuntimeChecksFields[] = {
    part<&study::RuntimeChecks::used>("used", kUsedRuntime, "The runtimes that were run"),
    part<&study::RuntimeChecks::skipped>("skipped", kTexts, "The runtimes that this machine lacks, a line each"),
    part<&study::RuntimeChecks::rows>("rows", kRuntimeRow, "What was compared"),
};
inline constexpr TableOf<study::RuntimeChecks> kRuntimeChecks{
    {.key = "runtimes", .title = "Runtimes", .help = "Runtimes against orders.", .fields = kRuntimeChecksFields}};

}  // namespace orderlab::described
