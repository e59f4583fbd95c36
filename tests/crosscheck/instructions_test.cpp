// Instructions of this CPU against their units, row by row. What the CPU lacks is skipped and counted.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "crosscheck/instructions/instruction.hpp"
#include "float_environments.hpp"
#include "order/instruction_rows.hpp"
#include "orderlab/error.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/study/crosscheck.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// "avx512_bf16" of the claim "fused(avx512_bf16)".
const FusedUnit& claimed_unit(const Executor& executor) {
  const std::string claim = executor.kernel->claim(executor.kernel->shapes[0], 1);
  const std::size_t open = claim.find('(');
  const FusedUnit* unit = find_fused_unit(claim.substr(open + 1, claim.find(')') - open - 1));
  REQUIRE(unit != nullptr);
  return *unit;
}

std::uint64_t instruction_bits(const Executor& executor, const std::vector<Factors>& row, std::size_t shape = 0) {
  Terms x(Format::bf16, row.size());
  Terms y(Format::bf16, row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    x.set(i, row[i].x);
    y.set(i, row[i].y);
  }
  x.multiply_by(std::move(y));
  const KernelJob job{.terms = x.view(),
                      .shape = executor.kernel->shapes[shape],
                      .schedule = {},
                      .formats = {Format::bf16, Format::fp32, Format::fp32}};
  return executor.run(job).bits;
}

/// A row as instructions take it.
struct Codes {
  std::vector<std::uint16_t> x;
  std::vector<std::uint16_t> y;

  explicit Codes(const std::vector<Factors>& row) {
    for (const Factors& p : row) {
      x.push_back(static_cast<std::uint16_t>(round_to_bits(Format::bf16, p.x)));
      y.push_back(static_cast<std::uint16_t>(round_to_bits(Format::bf16, p.y)));
    }
  }
  FactorCodes view() const { return {x, y}; }
};

std::uint64_t unit_bits(const FusedUnit& unit, const std::vector<Factors>& row) {
  return round_to_bits(Format::fp32, fused_sum(unit, Format::fp32, row).sum);
}

/// Rows that the unit does not give.
std::uint64_t rows_that_differ(const Executor& executor, const FusedUnit& unit, std::uint64_t rows) {
  InstructionRows drawn(43);
  std::uint64_t differ = 0;
  for (std::uint64_t i = 0; i < rows; ++i) {
    const std::vector<Factors> row = drawn.next();
    const std::uint64_t got = instruction_bits(executor, row, i % executor.kernel->shapes.size());
    const std::uint64_t expected = unit_bits(unit, row);
    if (got == expected) continue;
    if (differ++ == 0 && &unit == &claimed_unit(executor)) {
      CAPTURE(i);
      CAPTURE(row.size());
      CHECK(bits_text(Format::fp32, got) == bits_text(Format::fp32, expected));
    }
  }
  return differ;
}

}  // namespace

TEST_CASE("an instruction of this CPU gives the bits of its unit in every row, zeros and overflow included") {
  const std::vector<Executor> executors = cpu_executors();
  const std::vector<std::string> skipped = skipped_instructions();
  for (const std::string& line : skipped) MESSAGE(line);
  CHECK(executors.size() + skipped.size() == instructions().size());
  const std::uint64_t rows = trials(50'000);
  for (const Executor& executor : executors) {
    CAPTURE(executor.kernel->name);
    CHECK(rows_that_differ(executor, claimed_unit(executor), rows) == 0);
    MESSAGE(executor.kernel->name << ": " << rows << " rows compared");
  }
}

TEST_CASE("the rows tell an instruction's unit from others") {
  for (const Executor& executor : cpu_executors()) {
    CAPTURE(executor.kernel->name);
    const FusedUnit& unit = claimed_unit(executor);
    for (const FusedStep step :
         {FusedStep::two_chains, FusedStep::swapped_pairs, FusedStep::chain, FusedStep::exact, FusedStep::pairs}) {
      FusedUnit other = unit;
      other.step = step;
      if (step != unit.step) CHECK(rows_that_differ(executor, other, 1000) > 10);
    }
  }
}

TEST_CASE("an instruction flushes what fp32 would round up to its least normal number") {
  const auto least = [](double factor) { return std::vector<Factors>{{0x1p-63, 0x1p-63}, {0, 0}, {0x1p-75, factor}}; };
  const std::vector<std::vector<Factors>> flushed{least(-0x1.02p-76), least(-0x1.8p-76), least(-0x1p-75)};
  const std::vector<std::vector<Factors>> kept{least(-0x1p-76), least(-0x1p-77), least(0x1p-75)};
  for (const std::string_view name : {"amx_bf16", "avx512_bf16"}) {
    CAPTURE(name);
    // On amx_bf16 all products of a row are in one step: even ones in one chain.
    for (const auto& row : flushed) CHECK(unit_bits(*find_fused_unit(name), row) == 0);
    for (const auto& row : kept) CHECK(unit_bits(*find_fused_unit(name), row) == 0x00800000);
  }
  for (const Executor& executor : cpu_executors()) {
    CAPTURE(executor.kernel->name);
    for (const auto& row : flushed) CHECK(instruction_bits(executor, row) == 0);
    for (const auto& row : kept) CHECK(instruction_bits(executor, row) == 0x00800000);
  }
}

TEST_CASE("no floating-point environment changes the bits of an instruction") {
  for (const Instruction* instruction : instructions()) {
    if (!instruction->problem().empty()) continue;
    CAPTURE(instruction->name);
    InstructionRows drawn(44);
    for (int i = 0; i < 300; ++i) {
      const Codes row(drawn.next());
      const std::vector<std::uint32_t> expected = instruction->sums(row.view(), instruction->kernel.shapes[0]);
      for (const auto& environment : float_environments::kAll) {
        const float_environments::Controls mine = float_environments::controls();
        float_environments::set_controls(environment.controls);
        const std::vector<std::uint32_t> got = instruction->sums(row.view(), instruction->kernel.shapes[0]);
        float_environments::set_controls(mine);
        CAPTURE(environment.name);
        CHECK(got == expected);
      }
    }
  }
}

TEST_CASE("the cross-check of this CPU has cases of every instruction, or says in a line why not") {
  const std::vector<Executor> executors = cpu_executors();
  std::set<std::string_view> run;
  for (const Executor& executor : executors) run.insert(executor.kernel->name);
  for (const std::string& line : skipped_instructions()) {
    CHECK(line.find(": skipped, ") != std::string::npos);
    CHECK(line.find('\n') == std::string::npos);
    CHECK(!run.contains(line.substr(0, line.find(':'))));
  }
  if (executors.empty()) return;
  const study::CrossCheckFinding finding =
      study::crosscheck(executors, {.sizes = {1, 2, 31, 64}, .formats = {Format::bf16}, .seeds = 22});
  CHECK(finding.checks.mismatches() == 0);
  for (const CrossCheckRow& row : finding.checks.rows) CHECK(row.cases == 4 * 22 * row.kernel->shapes.size());
}

TEST_CASE("an instruction that adds in another order than its claim, or fails, is found") {
  const Instruction& real = *instructions().front();
  const auto finding_of = [&](auto&& run) {
    const Executor wrong{.device = "cpu", .kernel = &real.kernel, .run = run};
    return study::crosscheck({&wrong, 1}, {.sizes = {64}, .formats = {Format::bf16}, .seeds = 22});
  };
  const auto in_turn = [](const KernelJob& job) {
    float sum = 0;
    for (std::size_t i = 0; i < job.terms.n; ++i)
      sum = std::fma(static_cast<float>(job.terms.left(i)), static_cast<float>(job.terms.right(i)), sum);
    return KernelRun{round_to_bits(Format::fp32, static_cast<double>(sum)), {}, {}, job.shape};
  };
  const CrossCheckRow differs = finding_of(in_turn).checks.rows[0];
  CHECK(differs.mismatches > differs.cases / 5);
  CHECK(differs.mismatches < differs.cases);
  const CrossCheckRow fails = finding_of([](const KernelJob&) -> KernelRun {
                                throw Error(ErrorKind::device, "two sums differ");
                              }).checks.rows[0];
  CHECK(fails.mismatches == fails.cases);
  CHECK(fails.first->kind == MismatchKind::fault);
}

TEST_CASE("factors are taken two by two, and a step is filled up with zeros") {
  const std::vector<std::uint16_t> three{1, 2, 3};
  CHECK(code_pairs(three, 1) == std::vector<std::uint32_t>{0x20001, 3});
  CHECK(code_pairs(three, 4) == std::vector<std::uint32_t>{0x20001, 3, 0, 0});
  CHECK(code_pairs({}, 4).empty());
}
