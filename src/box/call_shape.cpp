#include "box/call_shape.hpp"

#include <cassert>
#include <cstdint>
#include <cstring>

namespace orderlab {

void lay_inputs(const CallShape& shape, std::span<const TermView> inputs, std::byte* x, std::byte* y) {
  const std::size_t bytes = shape.number_bytes();
  const std::uint64_t one = round_to_bits(shape.format, 1.0);  // x86 and Arm: the low bytes come first
  const std::size_t between_terms = shape.axis == 0 ? shape.together() : 1;
  const std::size_t between_inputs = shape.axis == 0 ? 1 : shape.n;
  const auto lay = [&](std::byte* array, std::size_t input, const void* numbers) {
    std::byte* to = array + input * between_inputs * bytes;
    if (numbers != nullptr && between_terms == 1) {
      std::memcpy(to, numbers, shape.n * bytes);
      return;
    }
    const auto* from = static_cast<const std::byte*>(numbers);
    for (std::size_t i = 0; i < shape.n; ++i, to += between_terms * bytes) {
      if (from == nullptr) {
        std::memcpy(to, &one, bytes);
      } else {
        std::memcpy(to, from + i * bytes, bytes);
      }
    }
  };
  for (std::size_t i = 0; i < shape.together(); ++i) {
    assert(i >= inputs.size() || (inputs[i].n == shape.n && inputs[i].format == shape.format));
    const TermView terms = i < inputs.size() ? inputs[i] : TermView{};
    lay(x, i, terms.x);
    if (shape.products) lay(y, i, terms.y);
  }
}

}  // namespace orderlab
