// Instructions of some CPUs that add products, each as a kernel of one sum with a claim. instruction_list.cpp has all
// of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/crosscheck.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab {

/// The device of these kernels.
inline constexpr std::string_view kCpuDevice = "cpu";

/// Factors as the instruction takes them: patterns of numbers, of bf16 for the instructions here.
struct FactorCodes {
  std::span<const std::uint16_t> x;
  std::span<const std::uint16_t> y;
};

struct Instruction {
  KernelInfo kernel;      ///< LaunchShape::threads: how many sums one instruction makes
  std::string_view name;  ///< of the instruction

  /// Why it cannot run here, as in "this CPU lacks ..."; empty: it can.
  std::string (*problem)();

  /// The sum of the products, from +0, in the instruction's own order: patterns of fp32, one from each of the sums that
  /// one instruction makes. All of them are given the same products.
  std::vector<std::uint32_t> (*sums)(const FactorCodes& factors, const LaunchShape& shape);
};

/// Numbers two by two as instructions for bf16 take them, the first below the second; zeros follow up to a multiple of
/// `step` pairs.
std::vector<std::uint32_t> code_pairs(std::span<const std::uint16_t> numbers, std::size_t step);

/// All of them, whether they run here or not.
std::span<const Instruction* const> instructions();

/// Those that run here.
std::vector<Executor> cpu_executors();

/// "NAME: skipped, ..." for each of the others: a line each.
std::vector<std::string> skipped_instructions();

/// A kernel of one sum that is an instruction; null: it is none.
const Instruction* find_instruction(std::string_view kernel);

}  // namespace orderlab
