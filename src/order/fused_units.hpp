// The units: one row each. What evidence says: "GPU rows" are outputs of GPUs that a model with these parameters equals
// in every bit; 138 of them are compared with this one where they are at hand (tests/recordings/fused_rows_test.cpp).
// "models" are published ones, which agree where there are two, and nothing was compared with hardware; "a CPU" has the
// instruction, and gave the same bits.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "orderlab/fused.hpp"

namespace orderlab {

namespace units {

inline constexpr FusedRounding kNone = FusedRounding::none;
inline constexpr FusedRounding kZero = FusedRounding::toward_zero;
inline constexpr FusedRounding kNear = FusedRounding::to_nearest;
inline constexpr FusedRounding kE8m13 = FusedRounding::e8m13;

inline constexpr std::string_view kRows = "GPU rows";
inline constexpr std::string_view kTwoModels = "two models";
inline constexpr std::string_view kOneModel = "one model";
inline constexpr std::string_view kCpuRows = "a CPU: 1e6 rows, crosscheck --device cpu";

inline constexpr std::string_view kNvidia = "[KhattakMikaitis2025], [Xie2025]";
inline constexpr std::string_view kMmaSim = "[Xie2025]";
inline constexpr std::string_view kIntel = "Intel's Software Developer's Manual";

constexpr FusedUnit unit(std::string_view name, FusedStep step, Format terms, std::size_t length, int bits,
                         FusedRounding of_fp32, FusedRounding of_fp16, std::string_view evidence,
                         std::string_view source, std::string_view alias = {}, std::string_view second = {},
                         std::string_view third = {}) {
  return {name,  {alias, second, third}, step, info(terms).name, terms, length, bits, of_fp32, of_fp16, kNone, evidence,
          source};
}

/// Tensor cores: sums in fp32 are cut, those in fp16 rounded to nearest.
constexpr FusedUnit tensor(std::string_view name, Format terms, std::size_t length, int bits, std::string_view evidence,
                           std::string_view source = kNvidia, std::string_view alias = {}, std::string_view second = {},
                           std::string_view third = {}) {
  const bool narrow_sums = terms != Format::bf16 && terms != Format::tf32;
  return unit(name, FusedStep::aligned, terms, length, bits, kZero, narrow_sums ? kNear : kNone, evidence, source,
              alias, second, third);
}

constexpr FusedUnit chain(std::string_view name, Format terms, std::string_view source, std::string_view alias = {},
                          std::string_view second = {}, std::string_view third = {}) {
  const FusedRounding of_fp32 = terms == Format::fp64 ? kNone : kNear;
  const FusedRounding of_fp64 = terms == Format::fp64 ? kNear : kNone;
  return {name,
          {alias, second, third},
          FusedStep::chain,
          info(terms).name,
          terms,
          1,
          0,
          of_fp32,
          kNone,
          of_fp64,
          kOneModel,
          source};
}

constexpr FusedUnit not_built(std::string_view name, std::string_view factors, std::size_t length, int bits,
                              std::string_view source) {
  return {name,  {"", "", ""}, FusedStep::scaled, factors, Format::fp64, length, bits, kZero,
          kNone, kNone,        kOneModel,         source};
}

inline constexpr FusedUnit kFusedUnits[] = {
    tensor("v100_fp16", Format::fp16, 4, 23, kRows),
    tensor("t4_fp16", Format::fp16, 8, 24, kOneModel, kMmaSim),
    tensor("a100_fp16", Format::fp16, 8, 24, kRows, kNvidia, "a2_fp16", "a30_fp16", "a40_fp16"),
    tensor("a100_bf16", Format::bf16, 8, 24, kRows, kNvidia, "a2_bf16", "a30_bf16", "a40_bf16"),
    tensor("a100_tf32", Format::tf32, 4, 24, kRows, kNvidia, "a2_tf32", "a30_tf32", "a40_tf32"),
    chain("a100_fp64", Format::fp64, kMmaSim, "a30_fp64"),
    tensor("ada_fp16", Format::fp16, 8, 24, kRows, kNvidia, "l40s_fp16"),
    tensor("ada_bf16", Format::bf16, 8, 24, kRows, kNvidia, "l40s_bf16"),
    tensor("ada_tf32", Format::tf32, 4, 24, kRows, kNvidia, "l40s_tf32"),
    unit("ada_e4m3", FusedStep::aligned, Format::e4m3, 16, 13, kE8m13, kNear, kRows, kNvidia, "l40s_e4m3"),
    unit("ada_e5m2", FusedStep::aligned, Format::e5m2, 16, 13, kE8m13, kNear, kRows, kNvidia, "l40s_e5m2"),
    tensor("h100_fp16", Format::fp16, 16, 25, kRows, kNvidia, "h200_fp16"),
    tensor("h100_bf16", Format::bf16, 16, 25, kRows, kNvidia, "h200_bf16"),
    tensor("h100_tf32", Format::tf32, 8, 25, kRows, kNvidia, "h200_tf32"),
    chain("h100_fp64", Format::fp64, kMmaSim, "h200_fp64"),
    unit("h100_e4m3_wgmma", FusedStep::aligned, Format::e4m3, 32, 13, kE8m13, kNear, kRows, kNvidia, "h200_e4m3_wgmma"),
    unit("h100_e5m2_wgmma", FusedStep::aligned, Format::e5m2, 32, 13, kE8m13, kNear, kRows, kNvidia, "h200_e5m2_wgmma"),
    unit("h100_e4m3_mma", FusedStep::halves, Format::e4m3, 32, 25, kZero, kNear, kRows, kNvidia, "h200_e4m3_mma"),
    unit("h100_e5m2_mma", FusedStep::halves, Format::e5m2, 32, 25, kZero, kNear, kRows, kNvidia, "h200_e5m2_mma"),
    tensor("b200_fp16", Format::fp16, 16, 25, kRows),
    tensor("b200_bf16", Format::bf16, 16, 25, kRows),
    tensor("b200_tf32", Format::tf32, 8, 25, kRows),
    unit("b200_e4m3_mma", FusedStep::halves, Format::e4m3, 32, 25, kZero, kNear, kRows, kNvidia),
    unit("b200_e5m2_mma", FusedStep::halves, Format::e5m2, 32, 25, kZero, kNear, kRows, kNvidia),
    tensor("b200_e4m3_tcgen05", Format::e4m3, 32, 25, kOneModel, kMmaSim, "rtx_blackwell_e4m3"),
    tensor("b200_e5m2_tcgen05", Format::e5m2, 32, 25, kOneModel, kMmaSim, "rtx_blackwell_e5m2"),
    not_built("b200_mxf8f6f4", "blocks of e4m3, e5m2, e3m2, e2m3 or e2m1", 32, 25, kMmaSim),
    not_built("b200_mxf4", "blocks of e2m1", 64, 35, kMmaSim),
    not_built("b200_nvf4", "blocks of e2m1", 64, 35, kMmaSim),
    unit("mi100_fp16", FusedStep::exact, Format::fp16, 4, 0, kNear, kNone, kTwoModels, kNvidia),
    unit("mi100_bf16", FusedStep::exact, Format::bf16, 2, 0, kNear, kNone, kTwoModels, kNvidia),
    chain("mi100_fp32", Format::fp32, kMmaSim, "mi250_fp32", "mi300_fp32"),
    chain("mi250_fp64", Format::fp64, kMmaSim, "mi210_fp64", "mi300_fp64"),
    unit("mi250_fp16", FusedStep::pairs, Format::fp16, 4, 0, kNear, kNone, kTwoModels, kNvidia, "mi210_fp16"),
    unit("mi250_bf16", FusedStep::pairs, Format::bf16, 2, 0, kNear, kNone, kTwoModels, kNvidia, "mi210_bf16"),
    unit("mi250_bf16_1k", FusedStep::pairs, Format::bf16, 4, 0, kNear, kNone, kTwoModels, kNvidia, "mi210_bf16_1k"),
    unit("mi300_fp16", FusedStep::floored, Format::fp16, 8, 24, kNear, kNone, kTwoModels, kNvidia),
    unit("mi300_bf16", FusedStep::floored, Format::bf16, 8, 24, kNear, kNone, kTwoModels, kNvidia),
    unit("mi300_xf32", FusedStep::floored, Format::tf32, 4, 24, kNear, kNone, kTwoModels, kNvidia),
    not_built("mi300_e4m3fnuz", "e4m3fnuz", 16, 24, kMmaSim),
    not_built("mi300_e5m2fnuz", "e5m2fnuz", 16, 24, kMmaSim),
    unit("amx_bf16", FusedStep::two_chains, Format::bf16, 32, 0, kNear, kNone, kCpuRows, kIntel),
    unit("avx512_bf16", FusedStep::swapped_pairs, Format::bf16, 2, 0, kNear, kNone, kCpuRows, kIntel),
};

inline constexpr std::size_t kFusedNameCount = [] {
  std::size_t count = 0;
  for (const FusedUnit& each : kFusedUnits) {
    ++count;
    for (const std::string_view alias : each.aliases) count += alias.empty() ? 0U : 1U;
  }
  return count;
}();

/// Names of units, each followed by its aliases.
inline constexpr std::array<std::string_view, kFusedNameCount> kFusedNames = [] {
  std::array<std::string_view, kFusedNameCount> names;
  std::size_t count = 0;
  for (const FusedUnit& each : kFusedUnits) {
    names[count++] = each.name;
    for (const std::string_view alias : each.aliases)
      if (!alias.empty()) names[count++] = alias;
  }
  return names;
}();

}  // namespace units

/// Whether they give the same sums, whatever their names.
bool add_alike(const FusedUnit& a, const FusedUnit& b);

}  // namespace orderlab
