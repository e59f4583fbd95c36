// matmul whose splits are rounded, and residuals: outputs against orders that round and against additions written out.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "operation/every_order.hpp"
#include "operation/exact_outputs.hpp"
#include "operation/some_operations.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"

namespace orderlab::testing {

namespace {

/// What differs from case to case.
struct MatmulCase {
  std::string arguments;
  Formats formats;
  Trouble trouble = Trouble::near_one;
  std::uint64_t seed = 1;
  bool residual = false;
};

std::shared_ptr<const LoweredOperation> matmul_of(const MatmulCase& one, const char* order) {
  const Format terms = one.formats.terms;
  OperationInputs inputs{troublesome_tensor(one.seed, terms, one.trouble, {3, 40}),
                         troublesome_tensor(one.seed + 1, terms, one.trouble, {40, 5}), std::nullopt, std::nullopt,
                         one.formats};
  if (one.residual) inputs.self = troublesome_tensor(one.seed + 2, terms, one.trouble, {3, 5});
  const Order given = parse_order(order);
  return std::make_shared<const LoweredOperation>(
      lower(parse_operation("matmul(3,5,40,tile=2x2x2," + one.arguments + ")"), std::move(inputs), Device{"sms=1", 1},
            &given));
}

std::vector<std::uint64_t> bits_of_order(const LoweredOperation& operation, const char* order, const Formats& formats) {
  const auto plan = compile(parse_order(order), 40, formats, true);
  std::vector<std::uint64_t> bits;
  TermBuffer buffer;
  for (std::size_t r = 0; r < operation.outputs(); ++r)
    bits.push_back(round_to_bits(formats.result, sum_of(*plan, operation.terms.row(r, buffer))));
  return bits;
}

std::vector<std::uint64_t> bits_of_all(const Terms& terms) {
  std::vector<std::uint64_t> bits;
  for (std::size_t r = 0; r < terms.size(); ++r) bits.push_back(round_to_bits(terms.format(), terms.view().left(r)));
  return bits;
}

std::vector<std::uint64_t> launch_bits(const std::shared_ptr<const LoweredOperation>& operation) {
  return bits_of_all(OutputSums::make(operation, parse_arrival("uniform"), {})->launch());
}

double rounded(Format format, double x) { return value_of_bits(format, round_to_bits(format, x)); }

std::string refusal_of(const std::string& arguments, const Formats& formats) {
  try {
    matmul_of({.arguments = arguments, .formats = formats}, "seq");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

constexpr Formats kHalves{Format::bf16, Format::fp32, Format::fp32};
constexpr Formats kSingles{Format::fp32, Format::fp32, Format::bf16};
constexpr Formats kDoubles{Format::fp32, Format::fp64, Format::fp64};

}  // namespace

TEST_CASE("splits of a matmul that are rounded have the bits of the order that rounds") {
  std::uint64_t seed = 100;
  for (const Formats& formats : {kHalves, kSingles, kDoubles})
    for (const char* partials : {"bf16", "fp16", "fp32"})
      for (const Trouble trouble : kTroubles) {
        CAPTURE(std::string(partials));
        CAPTURE(seed);
        const std::string f = partials;
        const auto operation = matmul_of({"split_k=5,partials=" + f, formats, trouble, ++seed}, "seq");
        const std::string same = "chunks(5,acc=fma) | round(" + f + ") | in(" + f + ") | seq";
        CHECK(launch_bits(operation) == bits_of_order(*operation, same.c_str(), formats));
        const auto tree = matmul_of({"split_k=5,partials=" + f, formats, trouble, seed}, "pairwise");
        const std::string tail = "chunks(5,acc=fma) | round(" + f + ") | in(" + f + ") | pairwise";
        CHECK(launch_bits(tree) == bits_of_order(*tree, tail.c_str(), formats));
      }
}

TEST_CASE("rounded splits that arrive are added in the drawn order, and no result is called impossible") {
  for (const char* order : {"ao", "arrive | seq", "arrive | pairwise"})
    for (const char* partials : {"bf16", "fp16", "fp32"})
      for (const Trouble trouble : kTroubles) {
        CAPTURE(std::string(partials));
        const auto operation = matmul_of({"split_k=10,partials=" + std::string(partials), kHalves, trouble, 7}, order);
        const auto sums = OutputSums::make(operation, parse_arrival("uniform"), {});
        const ExactRows exact = exact_outputs(*operation);
        const EveryOrder proof(*operation, exact, Flushing::either);
        const auto scratch = sums->make_scratch();
        for (std::uint64_t sample = 0; sample < 5; ++sample) {
          std::vector<std::byte> results(sums->result_bytes());
          sums->evaluate(sample, results, *scratch);
          const auto bits = all_bits(*sums, results);
          for (std::size_t r = 0; r < bits.size(); ++r) CHECK(!proof.excludes(r, bits[r]));
        }
      }
}

TEST_CASE("a baseline order of a matmul adds in the format that the splits were accumulated in") {
  const auto operation = matmul_of({"split_k=5,partials=bf16", kHalves}, "seq");
  CHECK(operation->accumulates_terms_in() == Format::fp32);
  CHECK(operation->formats.accumulate == Format::bf16);
}

TEST_CASE("a residual is added before or after the sum is rounded") {
  constexpr Formats kFormats{Format::bf16, Format::fp32, Format::bf16};
  std::uint64_t differ = 0;
  for (const Trouble trouble : kTroubles) {
    MatmulCase one{"split_k=4,residual=before", kFormats, trouble, 11, true};
    const auto before = matmul_of(one, "seq");
    one.arguments = "split_k=4,residual=after";
    const auto after = matmul_of(one, "seq");
    const auto plan =
        compile(parse_order("chunks(4,acc=fma) | seq"), 40, {Format::bf16, Format::fp32, Format::fp32}, true);
    const ExactRows exact = exact_outputs(*after);
    const EveryOrder proof(*after, exact, Flushing::either);
    const auto found_before = launch_bits(before);
    const auto found_after = launch_bits(after);
    TermBuffer buffer;
    for (std::size_t r = 0; r < after->outputs(); ++r) {
      const double sum = sum_of(*plan, after->terms.row(r, buffer));
      const double residual = after->rows.initial->view().left(r);
      const auto together = static_cast<double>(static_cast<float>(sum) + static_cast<float>(residual));
      CHECK(found_before[r] == round_to_bits(Format::bf16, together));
      CHECK(found_after[r] == round_to_bits(Format::bf16, rounded(Format::bf16, sum) + residual));
      CHECK(!proof.excludes(r, found_after[r]));
      if (found_before[r] != found_after[r]) ++differ;
    }
  }
  CHECK(differ > 0);
}

TEST_CASE("generated inputs of a matmul with a residual have one") {
  const OperationCall call = parse_operation("matmul(3,5,40,residual=after)");
  CHECK(generated_inputs(call, {}).self->shape == Shape{3, 5});
  CHECK(!generated_inputs(parse_operation("matmul(3,5,40)"), {}).self);
}

TEST_CASE("partials that the accumulate format does not hold, and a residual that is missing, are refused") {
  CHECK(refusal_of("partials=fp64", kHalves).find("which does not hold all of its numbers") != std::string::npos);
  CHECK(refusal_of("partials=bf16", {Format::fp16, Format::fp16, Format::fp16}).find("partials=bf16") !=
        std::string::npos);
  CHECK(refusal_of("residual=after", kHalves).find("no residual: give it as self, 3x5") != std::string::npos);
}

TEST_CASE("all_reduce sends and adds numbers of the format of its partials") {
  for (const char* order : {"nccl_ring", "mpi_recursive_doubling", "arrive | seq"})
    for (const Format format : {Format::bf16, Format::fp16, Format::fp64}) {
      const Order given = parse_order(order);
      const auto lowered = [&](const std::string& text, const Formats& formats) {
        OperationInputs inputs{troublesome_tensor(3, Format::fp32, Trouble::near_one, {8, 30}), std::nullopt,
                               std::nullopt, std::nullopt, formats};
        return std::make_shared<const LoweredOperation>(lower(parse_operation(text), std::move(inputs), {}, &given));
      };
      const std::string name(info(format).name);
      const auto partials = lowered("all_reduce(8,partials=" + name + ")", parse_formats("fp32"));
      const auto formats = lowered("all_reduce(8)", parse_formats("fp32:" + name + ":fp32"));
      CHECK(launch_bits(partials) == launch_bits(formats));
    }
}

}  // namespace orderlab::testing
