// Sums and arrival orders keep their bits: golden.txt was written before the code was made fast.
//
// A new order or stage needs its lines: the test writes what it found to golden.txt.found in the current folder.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "golden/cases.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr std::uint64_t kSeed = 20261121;
constexpr std::uint64_t kSamples = 5;

/// FNV-1a over 64-bit words.
class Digest {
 public:
  void add(std::uint64_t word) { state_ = (state_ ^ word) * 0x100000001b3; }
  std::uint64_t value() const { return state_ ^ (state_ >> 32); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

/// Random signs, exponents -8 to 7, full significands: the order of adding them shows in every format.
Terms golden_terms(Format format, std::size_t n, std::uint64_t seed) {
  Terms terms(format, n);
  const RandomStream stream(seed, streams::kTerms, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto words = stream.block(i);
    const double significand = 1 + words[0] * 0x1p-32 + words[1] * 0x1p-52;
    const double magnitude = std::ldexp(significand, static_cast<int>(words[2] % 16) - 8);
    terms.set(i, words[3] % 2 == 0 ? magnitude : -magnitude);
  }
  return terms;
}

/// "DIGEST FIRST": over all counts and samples, and the first sum of the largest count; counts that the order refuses
/// enter the digest as such.
std::string sums_of(const GoldenOrder& golden, const Formats& formats, bool products) {
  Digest digest;
  std::uint64_t first = 0;
  for (const std::size_t n : kGoldenCounts) {
    Terms terms = golden_terms(formats.terms, n, kSeed);
    if (products) terms.multiply_by(golden_terms(formats.terms, n, kSeed + 1));
    try {
      const auto evaluator =
          Evaluator::make(parse_order(golden.expression, golden.arrival), terms.view(), formats, kSeed);
      const auto scratch = evaluator->make_scratch();
      for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
        const Evaluation e = evaluator->evaluate(sample, *scratch);
        digest.add(e.bits);
        digest.add(e.height);
        if (sample == 0) first = e.bits;
      }
    } catch (const Error&) {
      digest.add(~std::uint64_t{0});
    }
  }
  return fmt::format("{:016x} {:x}", digest.value(), first);
}

/// The drawn orders themselves, of counts beyond those of the sums.
std::string arrivals_of(const std::string& arrival) {
  Digest digest;
  for (const std::size_t m : {1U, 2U, 3U, 100U, 7813U, 100003U}) {
    const Terms terms = golden_terms(Format::fp32, m, kSeed);
    const auto evaluator =
        Evaluator::make(parse_order("ao", arrival), terms.view(), {Format::fp32, Format::fp32, Format::fp32}, kSeed);
    for (std::uint64_t sample = 0; sample < kSamples; ++sample)
      for (const std::uint32_t index : evaluator->arrival(sample)) digest.add(index);
  }
  return fmt::format("{:016x}", digest.value());
}

std::vector<std::string> all_lines() {
  std::vector<std::string> lines;
  const auto add = [&](const GoldenOrder& golden, const Formats& formats, bool products) {
    const std::string arrival = golden.arrival.empty() ? "" : " with " + golden.arrival;
    lines.push_back(fmt::format("{}{}, {}{} in {}: {}", golden.expression, arrival, products ? "products of " : "",
                                info(formats.terms).name, info(formats.accumulate).name,
                                sums_of(golden, formats, products)));
  };
  for (const GoldenOrder& golden : golden_orders()) {
    for (const FormatInfo& f : kFormats) add(golden, {f.format, f.format, f.format}, false);
    add(golden, {Format::fp16, Format::fp32, Format::fp32}, false);
  }
  for (const char* expression : kGoldenProductExpressions)
    for (const FormatInfo& f : kFormats) add({expression, ""}, {f.format, f.format, f.format}, true);
  for (const char* expression : kGoldenUnitExpressions)
    add({expression, ""}, {Format::fp16, Format::fp32, Format::fp32}, true);
  lines.push_back("arrivals uniform: " + arrivals_of("uniform"));
  for (const char* arrival : kGoldenArrivals)
    lines.push_back(fmt::format("arrivals {}: {}", arrival, arrivals_of(arrival)));
  return lines;
}

TEST_CASE("sums and arrival orders have the bits of the golden file") {
  std::ifstream file(ORDERLAB_TEST_GOLDEN);
  REQUIRE(file);
  std::vector<std::string> expected;
  for (std::string line; std::getline(file, line);) expected.push_back(line);

  const std::vector<std::string> found = all_lines();
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) CHECK(found[i] == expected[i]);
  CHECK(found.size() == expected.size());
  if (found == expected) return;
  std::ofstream out("golden.txt.found");
  for (const std::string& line : found) out << line << '\n';
  MESSAGE("what was found is in golden.txt.found");
}

}  // namespace
