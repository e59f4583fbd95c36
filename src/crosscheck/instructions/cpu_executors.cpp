// Instructions as executors, where this CPU has them.
#include <algorithm>

#include "core/text.hpp"
#include "crosscheck/instructions/instruction.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

std::span<const std::uint16_t> codes_of(const void* numbers, std::size_t n) {
  return {static_cast<const std::uint16_t*>(numbers), n};  // a Bfloat16 is its pattern
}

std::string hex(std::uint32_t bits) { return bits_text(Format::fp32, bits); }

KernelRun run_instruction(const Instruction& instruction, const KernelJob& job) {
  const Formats& formats = instruction.kernel.mixed_formats.front();
  if (job.formats != formats || job.terms.y == nullptr)
    throw Error(ErrorKind::usage, std::string(instruction.kernel.name) + ": adds products in " + to_string(formats) +
                                      " only, not in " + to_string(job.formats));
  const std::vector<std::uint32_t> sums =
      instruction.sums({codes_of(job.terms.x, job.terms.n), codes_of(job.terms.y, job.terms.n)}, job.shape);
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (sums[i] != sums[0])
      throw Error(ErrorKind::device, std::string(instruction.name) + ": sum 0 is " + hex(sums[0]) + ", sum " +
                                         std::to_string(i) + " of the same products " + hex(sums[i]));
  return {round_to_bits(formats.result, value_of_bits(formats.result, sums[0])), {}, {}, job.shape};
}

}  // namespace

std::vector<std::uint32_t> code_pairs(std::span<const std::uint16_t> numbers, std::size_t step) {
  const std::size_t count = (numbers.size() + 1) / 2;
  std::vector<std::uint32_t> pairs((count + step - 1) / step * step);
  for (std::size_t i = 0; i < numbers.size(); ++i) pairs[i / 2] |= std::uint32_t{numbers[i]} << (16 * (i % 2));
  return pairs;
}

std::vector<Executor> cpu_executors() {
  std::vector<Executor> executors;
  for (const Instruction* one : instructions())
    if (one->problem().empty())
      executors.push_back({.device = kCpuDevice, .kernel = &one->kernel, .run = [one](const KernelJob& job) {
                             return run_instruction(*one, job);
                           }});
  return executors;
}

std::vector<std::string> skipped_instructions() {
  std::vector<std::string> lines;
  for (const Instruction* one : instructions())
    if (const std::string problem = one->problem(); !problem.empty())
      lines.push_back(std::string(one->kernel.name) + ": skipped, " + problem);
  return lines;
}

const Instruction* find_instruction(std::string_view kernel) {
  const std::span<const Instruction* const> all = instructions();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Instruction* i) { return i->kernel.name == kernel; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace orderlab
