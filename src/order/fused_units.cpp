#include "order/fused_units.hpp"

#include <algorithm>
#include <iterator>

namespace orderlab {

std::span<const FusedUnit> fused_units() { return units::kFusedUnits; }

std::string_view summary_of(FusedStep step) {
  switch (step) {
    case FusedStep::aligned:
      return "a step cuts its products and the sum before to F fraction bits of the greatest exponent, adds them "
             "exactly, and rounds once";
    case FusedStep::halves:
      return "a step cuts and adds the products k with k mod 4 below 2, from zero, then the others onto them, then "
             "adds the sum before, to nearest: an emulation";
    case FusedStep::exact:
      return "a step adds its products and the sum before exactly, and rounds once to nearest";
    case FusedStep::chain:
      return "one fused multiply-add after the other";
    case FusedStep::pairs:
      return "a step adds its products two by two, then the sum before, each rounded to nearest; subnormal numbers are "
             "flushed";
    case FusedStep::floored:
      return "a step cuts its products to F fraction bits and adds them, cuts this sum downward to 31 bits and the sum "
             "before to F, and rounds once to nearest";
    case FusedStep::two_chains:
      return "a step fuses even and odd products into two sums, adds these, then the sum before; subnormal numbers are "
             "flushed, with what fp32 would round up to its least normal number";
    case FusedStep::swapped_pairs:
      return "a step fuses its second product, then its first, into the sum before; subnormal numbers are flushed, "
             "with what fp32 would round up to its least normal number";
    default:
      return "known, not built";
  }
}

bool add_alike(const FusedUnit& a, const FusedUnit& b) {
  return a.step == b.step && a.terms == b.terms && a.length == b.length && a.fraction_bits == b.fraction_bits &&
         a.of_fp32 == b.of_fp32 && a.of_fp16 == b.of_fp16 && a.of_fp64 == b.of_fp64;
}

const FusedUnit* find_fused_unit(std::string_view name) {
  if (name.empty()) return nullptr;
  const auto called = [name](const FusedUnit& unit) {
    return unit.name == name || std::find(unit.aliases.begin(), unit.aliases.end(), name) != unit.aliases.end();
  };
  const auto found = std::find_if(std::begin(units::kFusedUnits), std::end(units::kFusedUnits), called);
  return found == std::end(units::kFusedUnits) ? nullptr : found;
}

}  // namespace orderlab
