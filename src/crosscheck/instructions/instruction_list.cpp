// The instructions, one line each.
#include <array>

#include "crosscheck/instructions/instruction.hpp"

namespace orderlab {

extern const Instruction kAvx512Bf16Dot;
extern const Instruction kAmxBf16Dot;

std::span<const Instruction* const> instructions() {
  static constexpr std::array kInstructions{
      &kAvx512Bf16Dot,
      &kAmxBf16Dot,
  };
  return kInstructions;
}

}  // namespace orderlab
