// fused: products added by steps of a unit, one that is known or one that is described here.
#include "order/stages/fused.hpp"

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "order/fused_units.hpp"
#include "orderlab/error.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kFusedRoundings[] = {name_of(FusedRounding::toward_zero), name_of(FusedRounding::to_nearest),
                                                name_of(FusedRounding::e8m13)};
constexpr std::string_view kFusedTerms[] = {"fp16", "bf16", "tf32", "e4m3", "e5m2", "fp32"};
constexpr std::size_t kUnitAt = 0;
constexpr std::size_t kFractionAt = 1;
constexpr std::size_t kRoundingAt = 2;
constexpr std::size_t kTermsAt = 3;
constexpr std::size_t kRunAt = 4;

constexpr Parameter kFusedParameters[] = {
    {.name = "unit",
     .kind = ParameterKind::count_or_choice,
     .default_text = "",
     .low = 1,
     .high = static_cast<double>(kMostFused),
     .choices = units::kFusedNames},
    {.name = "F",
     .kind = ParameterKind::count,
     .default_text = "-",
     .low = 1,
     .high = static_cast<double>(kMostFusedFraction),
     .keyword_only = true},
    {.name = "round",
     .kind = ParameterKind::choice,
     .default_text = "-",
     .choices = kFusedRoundings,
     .keyword_only = true},
    {.name = "terms", .kind = ParameterKind::choice, .default_text = "-", .choices = kFusedTerms, .keyword_only = true},
    {.name = "run", .kind = ParameterKind::count, .default_text = "-", .low = 1, .keyword_only = true}};

bool has_name(const Arguments& arguments) {
  return std::holds_alternative<std::string_view>(arguments.values()[kUnitAt]);
}

FusedRounding rounding_of(std::string_view name) {
  for (const FusedRounding rounding : {FusedRounding::to_nearest, FusedRounding::e8m13})
    if (name == name_of(rounding)) return rounding;
  return FusedRounding::toward_zero;
}

std::shared_ptr<const FusedUnit> unit_of(const Arguments& arguments) {
  if (has_name(arguments)) return {std::shared_ptr<const FusedUnit>(), find_fused_unit(arguments.choice(kUnitAt))};
  const FusedRounding rounding =
      rounding_of(arguments.has(kRoundingAt) ? arguments.choice(kRoundingAt) : kFusedRoundings[0]);
  const Format terms = parse_formats(arguments.has(kTermsAt) ? arguments.choice(kTermsAt) : kFusedTerms[0]).terms;
  FusedUnit unit{};
  unit.name = kFusedStageName;
  unit.step = FusedStep::aligned;
  unit.factors = info(terms).name;
  unit.terms = terms;
  unit.length = arguments.count(kUnitAt);
  unit.fraction_bits = static_cast<int>(arguments.count(kFractionAt));
  unit.of_fp32 = rounding;
  unit.of_fp16 = rounding == FusedRounding::e8m13 ? FusedRounding::none : rounding;
  unit.of_fp64 = FusedRounding::none;
  return std::make_shared<const FusedUnit>(unit);
}

void check_fused(const Arguments& arguments) {
  const std::string stage(kFusedStageName);
  if (!has_name(arguments)) {
    if (!arguments.has(kFractionAt))
      throw Error(ErrorKind::usage, stage + ": a unit of " + std::to_string(arguments.count(kUnitAt)) +
                                        " products needs F=, the fraction bits that it keeps, such as fused(16,F=25)");
    return;
  }
  const FusedUnit& unit = *find_fused_unit(arguments.choice(kUnitAt));
  for (const auto& [at, key] : {std::pair{kFractionAt, "F"}, {kRoundingAt, "round"}, {kTermsAt, "terms"}})
    if (arguments.has(at))
      throw Error(ErrorKind::usage, stage + ": " + std::string(unit.name) + " has a " + key +
                                        " of its own; leave it out, or give the products of a step in place of a name");
  if (!unit.built())
    throw Error(ErrorKind::usage, stage + ": " + std::string(unit.name) + " is known but not built, as it adds " +
                                      std::string(unit.factors) + "; see `orderlab list units` for those that are");
}

Steps describe_fused(const Arguments& arguments, std::size_t, Format) {
  const std::size_t run = arguments.has(kRunAt) ? arguments.count(kRunAt) : Groups::kAll;
  return {{steps::Fuse{unit_of(arguments), run}}};
}

}  // namespace

extern const Stage kFused;
const Stage kFused{
    .name = kFusedStageName,
    .summary =
        "products added by steps of a unit, as tensor cores and matrix cores do: all of them, or each run of `run` "
        "from zero; the unit is one of `orderlab list units`, or the products of a step, with F the fraction bits that "
        "are "
        "kept of the greatest exponent, `round` how a step rounds (rz unless said), `terms` the format of the factors "
        "(fp16 unless said)",
    .source = "[KhattakMikaitis2025], [Xie2025]",
    .parameters = kFusedParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = check_fused,
    .describe = describe_fused,
};

}  // namespace orderlab
