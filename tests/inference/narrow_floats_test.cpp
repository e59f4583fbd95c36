#include "inference/narrow_floats.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "orderlab/philox.hpp"
#include "reference/vector_targets.hpp"

namespace orderlab {

namespace {

using testing::on_each_target;

constexpr Format kNarrowedFormats[] = {Format::bf16, Format::fp16, Format::fp32};

std::uint32_t bits_in(float x) { return std::bit_cast<std::uint32_t>(x); }

/// Numbers of all magnitudes, and those where fp16 and bf16 change their ways.
std::vector<float> hard_floats() {
  std::vector<float> numbers{0.0F,       -0.0F,           65519.0F,   65520.0F,   -70000.0F,
                             0x1p-14F,   0x1p-25F,        0x1.8p-24F, 0x1.4p-23F, HUGE_VALF,
                             -HUGE_VALF, 0x1.fffffep127F, 0x1.01p0F,  0x1.03p0F,  0x1p-149F};
  constexpr std::uint64_t kBlocks = 25000;
  const RandomStream stream(10, streams::kIndices, 0);
  for (std::uint64_t i = 0; i < kBlocks; ++i)
    for (const std::uint32_t word : stream.block(i)) numbers.push_back(std::bit_cast<float>(word));
  return numbers;
}

}  // namespace

TEST_CASE("numbers are rounded as round_to_bits does, whatever the vectors") {
  const std::vector<float> numbers = hard_floats();
  for (const Format format : kNarrowedFormats) {
    CAPTURE(info(format).name);
    std::vector<float> expected;
    for (const float x : numbers)
      expected.push_back(static_cast<float>(value_of_bits(format, round_to_bits(format, static_cast<double>(x)))));
    on_each_target([&] {
      std::vector<float> rounded = numbers;
      round_to(format, rounded);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        CAPTURE(numbers[i]);
        if (numbers[i] != numbers[i])
          REQUIRE(rounded[i] != rounded[i]);
        else
          REQUIRE(bits_in(rounded[i]) == bits_in(expected[i]));
      }
    });
  }
}

TEST_CASE("every code is read as the number that it stands for, from any byte on") {
  for (const Format format : {Format::bf16, Format::fp16}) {
    CAPTURE(info(format).name);
    std::vector<std::byte> bytes(1);
    for (std::uint32_t code = 0; code <= 0xFFFF; ++code) {
      bytes.push_back(static_cast<std::byte>(code & 0xFF));
      bytes.push_back(static_cast<std::byte>(code >> 8));
    }
    on_each_target([&] {
      std::vector<float> numbers(0x10000);
      read_numbers(bytes.data() + 1, format, numbers);
      for (std::uint32_t code = 0; code <= 0xFFFF; ++code) {
        CAPTURE(code);
        const auto expected = static_cast<float>(value_of_bits(format, code));
        if (expected != expected)
          REQUIRE(numbers[code] != numbers[code]);
        else
          REQUIRE(bits_in(numbers[code]) == bits_in(expected));
      }
    });
  }
}

TEST_CASE("any count of numbers is rounded and read, and nothing behind it") {
  const std::vector<float> many(40, 0x1.01p0F);
  for (const Format format : kNarrowedFormats)
    on_each_target([&] {
      for (std::size_t count = 0; count < many.size(); ++count) {
        CAPTURE(count);
        std::vector<float> rounded = many;
        round_to(format, std::span(rounded).first(count));
        std::vector<float> read(many.size(), 2.0F);
        const std::vector<std::byte> zeros(count * info(format).held_bytes());
        read_numbers(zeros.data(), format, std::span(read).first(count));
        for (std::size_t i = 0; i < many.size(); ++i) {
          const float one = format == Format::bf16 ? 1.0F : 0x1.01p0F;
          CHECK(bits_in(rounded[i]) == bits_in(i < count ? one : 0x1.01p0F));
          CHECK(bits_in(read[i]) == bits_in(i < count ? 0.0F : 2.0F));
        }
      }
    });
}

}  // namespace orderlab
