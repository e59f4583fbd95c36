// Fields that documents of operations have: what the operation is done with, its launch and outputs, what samples
// differ in.
#pragma once

#include <string_view>

#include "core/enum_names.hpp"
#include "describe/field.hpp"
#include "describe/kinds.hpp"
#include "orderlab/study/operation.hpp"
#include "show/shared_fields.hpp"

namespace orderlab::described {

extern const TableOf<study::OperationFacts> kOperationConfig;  ///< which operation and inputs, in "config"
extern const TableOf<study::OperationFacts> kOperationTerms;   ///< its part before "input"
extern const TableOf<study::OperationFacts> kOperationArrays;  ///< and after it
extern const TableOf<study::OperationFacts> kOperation;        ///< the operation, its launch and its sizes
extern const TableOf<study::OutputBin> kOutputBin;             ///< element of a list of bins
extern const TableOf<study::OperationMeasures> kOperationMeasures;
extern const TableOf<study::BatchSize> kBatchSize;  ///< element of the list of sizes

inline constexpr std::string_view kBatchesHelp =
    "The sizes of `--batch`, with the same requests in each; empty without it";

inline constexpr std::string_view kOperationHelp = "The operation with its parameters";
inline constexpr std::string_view kGpuHelp = "GPU that the launch is made for";
inline constexpr std::string_view kAdditionHelp = "How an output is added";
inline constexpr std::string_view kSourceHelp = "The file or document that says so";
inline constexpr std::string_view kAssumesHelp = "What the model of the operation assumes beyond that";
inline constexpr std::string_view kRunsDrawnHelp =
    "Number of runs that were drawn; 1 where no arrival order changes an output";
inline constexpr std::string_view kIndexHelp = "Its indices, separated by commas, the slowest dimension first";
inline constexpr std::string_view kOutputBaselineHelp =
    "What samples are compared with: the library's deterministic form, launch order, exact results rounded once, "
    "another run, or each output's numbers added by an order";
inline constexpr std::string_view kOutputBaselineTextHelp =
    "What samples are compared with: deterministic, launch, exact, run, or the expression of an order";
inline constexpr std::string_view kOutputHelp = "Number of the output, from 0 in C order";
inline constexpr std::string_view kOutputNumberHelp = "Its number, from 0 in C order";

/// Which runs give the same bits.
template <auto member>
consteval Field guarantee(Where where = Where::json) {
  Field field = word<member, names_through<Guarantee::not_guaranteed>()>("guarantee", kinds::kGuarantee, kGuaranteeHelp,
                                                                         {.where = where});
  field.words = {};  // the schema of the kind has them
  return field;
}

/// The arrival model of the units.
template <auto member>
consteval Field unit_arrival() {
  using Class = typename detail::Member<member>::Class;
  return value("arrival", kinds::kText, "Arrival model of the units",
               [](const Class& finding) { return text_or_none(finding.*member); }, {.null = "where nothing arrives"});
}

/// What samples are compared with.
template <auto member>
consteval Field output_baseline() {
  return word<member, names_through<study::OutputBaseline::order>()>("baseline", kinds::kText, kOutputBaselineHelp);
}

}  // namespace orderlab::described
