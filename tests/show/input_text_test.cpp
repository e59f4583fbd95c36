// Numbers of a format in text: those that differ look different, and are read back.
#include "show/input_text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <set>
#include <string>

#include "orderlab/format.hpp"

using namespace orderlab;

TEST_CASE("whole numbers are written to the last digit, others in the digits of their format") {
  CHECK(number_of(Format::bf16, 75264) == "75264");
  CHECK(number_of(Format::bf16, 75776) == "75776");
  CHECK(number_of(Format::bf16, -999'292'928) == "-999292928");
  CHECK(number_of(Format::bf16, 0x1p40) == "1.1e+12");
  CHECK(number_of(Format::bf16, 0.33203125) == "0.332");
  CHECK(number_of(Format::fp16, 65504) == "65504");
  CHECK(number_of(Format::fp32, 4984.31201171875) == "4984.31201");
  CHECK(number_of(Format::fp32, 16777216) == "16777216");
  CHECK(number_of(Format::fp64, 0.1) == "0.10000000000000001");
  CHECK(number_of(Format::fp32, 0.5, true) == "0.500000000");
  CHECK(number_of(Format::bf16, 75264, true) == "75264");
  CHECK(number_of(Format::fp32, -0.0) == "-0");
  CHECK(number_of(Format::fp32, std::numeric_limits<double>::infinity()) == "inf");
  CHECK(number_of(Format::fp32, std::copysign(std::numeric_limits<double>::quiet_NaN(), -1.0)) == "nan");
}

TEST_CASE("all numbers of a 16-bit format have texts of their own, which are read back") {
  for (const Format format : {Format::bf16, Format::fp16})
    for (const bool aligned : {false, true}) {
      std::set<std::string> texts;
      std::size_t numbers = 0;
      for (std::uint64_t bits = 0; bits <= 0xFFFF; ++bits) {
        const double value = value_of_bits(format, bits);
        if (!std::isfinite(value)) continue;
        ++numbers;
        const std::string text = number_of(format, value, aligned);
        texts.insert(text);
        REQUIRE(round_to_bits(format, std::strtod(text.c_str(), nullptr)) == bits);
      }
      CHECK(texts.size() == numbers);
    }
}

TEST_CASE("distances of numbers are steps") {
  CHECK(steps_in_words(1) == "1 step");
  CHECK(steps_in_words(250) == "250 steps");
}
