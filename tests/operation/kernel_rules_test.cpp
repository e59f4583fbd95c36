// Rules of inference libraries: which kernel runs for a shape. Known answers, and the loops of kernels written out.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "operation/all_reduce_kernels.hpp"
#include "operation/attention_kernels.hpp"
#include "operation/norm_kernels.hpp"
#include "operation/some_operations.hpp"
#include "order/trouble.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/study/operation.hpp"
#include "orderlab/terms.hpp"

namespace orderlab::testing {

namespace {

using Counts = std::vector<std::size_t>;

Counts splits_by_batch(AttentionLibrary library) {
  Counts splits;
  for (const std::size_t batch : Counts{1, 2, 4, 8, 16, 32})
    splits.push_back(attention_kernel(library, {batch, 32, 8, 128, 2048}, 132).splits);
  return splits;
}

/// Sums of threads by shuffles of warps that begin with the far partner; lanes that do not exist have +0.
float far_partner_first(std::vector<float> lanes) {
  lanes.resize(32);
  for (std::size_t o = 16; o > 0; o /= 2)
    for (std::size_t l = 0; l < o; ++l) lanes[l] += lanes[l + o];
  return lanes[0];
}

/// The same that begins with neighbours, as cub::WarpReduce.
float neighbours_first(std::vector<float> lanes) {
  lanes.resize(32);
  for (std::size_t o = 1; o < 32; o *= 2)
    for (std::size_t l = 0; l + o < 32; l += 2 * o) lanes[l] += lanes[l + o];
  return lanes[0];
}

std::vector<float> by_warps(const std::vector<float>& threads, float (*add)(std::vector<float>)) {
  std::vector<float> sums;
  for (std::size_t first = 0; first < threads.size(); first += 32)
    sums.push_back(add({threads.begin() + static_cast<std::ptrdiff_t>(first),
                        threads.begin() + static_cast<std::ptrdiff_t>(std::min(first + 32, threads.size()))}));
  return sums;
}

float in_turn(const std::vector<float>& numbers) {
  float sum = numbers[0];
  for (std::size_t i = 1; i < numbers.size(); ++i) sum += numbers[i];
  return sum;
}

/// What each thread adds of squares of bf16 numbers, vector by vector.
template <class AddVector>
std::vector<float> sums_of_threads(const std::vector<float>& x, std::size_t threads, std::size_t vector,
                                   AddVector add) {
  std::vector<float> sums(threads);
  for (std::size_t t = 0; t < threads; ++t)
    for (std::size_t first = t * vector; first < x.size(); first += threads * vector)
      sums[t] = add(sums[t], &x[first], std::min(vector, x.size() - first));
  return sums;
}

float one_by_one(float sum, const float* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) sum = std::fma(x[i], x[i], sum);
  return sum;
}

float in_pairs(float sum, const float* x, std::size_t n) {
  float result = 0;
  for (std::size_t i = 0; i < n; i += 2) result += x[i] * x[i] + x[i + 1] * x[i + 1];
  return sum + result;
}

std::vector<float> bf16_row(std::uint64_t seed, std::size_t n) {
  std::vector<float> row;
  for (const double x : troublesome_numbers(seed, Format::bf16, Trouble::near_one, n))
    row.push_back(static_cast<float>(value_of_bits(Format::bf16, round_to_bits(Format::bf16, x))));
  return row;
}

double sum_of_squares(const NormKernel& kernel, const std::vector<float>& row) {
  Terms terms(Format::bf16, row.size());
  for (std::size_t i = 0; i < row.size(); ++i) terms.set(i, row[i]);
  const void* x = terms.view().x;
  return sum_of(*compile(parse_order(kernel.order), row.size(), {Format::bf16, Format::fp32, Format::fp32}, true),
                {Format::bf16, row.size(), x, x});
}

}  // namespace

TEST_CASE("FlashAttention takes fewer splits for larger batches") {
  CHECK(splits_by_batch(AttentionLibrary::fa2) == Counts{16, 16, 8, 4, 2, 1});
  CHECK(splits_by_batch(AttentionLibrary::fa3) == Counts{14, 7, 4, 2, 1, 1});
}

TEST_CASE("splits cover the keys, and none but the last ones have fewer") {
  for (const std::string_view name : kAttentionLibraryNames)
    for (const std::size_t keys : Counts{1, 31, 127, 128, 129, 512, 513, 2048, 8192, 8193, 100000})
      for (const std::size_t batch : Counts{1, 3, 16, 64, 300})
        for (const std::size_t kv_heads : Counts{1, 8, 32}) {
          const AttentionKernel kernel = attention_kernel(*enumerator_named<AttentionLibrary::sglang>(name),
                                                          {batch, 32, kv_heads, 128, keys}, 132);
          INFO(name, " keys ", keys, " batch ", batch, " kv heads ", kv_heads);
          CHECK(kernel.splits * kernel.split_keys >= keys);
          CHECK(kernel.filled_splits(keys) <= kernel.splits);
          CHECK(kernel.block_keys > 0);
          CHECK((kernel.splits > 1 || kernel.filled_splits(keys) == 1));
          CHECK(!kernel.source.empty());
          CHECK(!kernel.reason.empty());
        }
}

TEST_CASE("vLLM's attention: partitions, segments, and when there is one") {
  const auto of = [](AttentionLibrary library, std::size_t batch, std::size_t keys) {
    return attention_kernel(library, {batch, 32, 8, 128, keys}, 132);
  };
  CHECK(of(AttentionLibrary::vllm_paged, 16, 2048).splits == 4);  // 512 rows are not more than 512
  CHECK(of(AttentionLibrary::vllm_paged, 16, 2048).partials_rounded);
  CHECK(of(AttentionLibrary::vllm_paged, 17, 2048).splits == 1);
  CHECK(of(AttentionLibrary::vllm_paged, 17, 8193).splits == 17);
  CHECK(of(AttentionLibrary::vllm_paged, 1, 512).splits == 1);
  CHECK(of(AttentionLibrary::vllm_triton, 16, 2048).splits == 16);
  CHECK(of(AttentionLibrary::vllm_triton, 17, 2048).splits == 1);
  CHECK(of(AttentionLibrary::sglang, 1, 2048).splits == 8);
  CHECK(of(AttentionLibrary::sglang, 32, 2048).splits == 3);  // 660 places for 256 thread blocks
  CHECK(of(AttentionLibrary::flashinfer, 1, 2048).split_keys == 128);
  CHECK(of(AttentionLibrary::flashinfer, 8, 2048).splits == 4);  // 33 chunks fit
  CHECK(of(AttentionLibrary::flashinfer, 64, 2048).splits == 1);
}

TEST_CASE("vLLM's RMSNorm adds as the loops of its kernels do") {
  for (const std::size_t hidden : Counts{8, 64, 100, 2048, 3584, 4096, 8192, 9000})
    for (const std::size_t tokens : Counts{255, 256}) {
      const std::vector<float> row = bf16_row(hidden + tokens, hidden);
      INFO("hidden ", hidden, " tokens ", tokens);
      const std::size_t most = tokens < 256 ? 1024 : 256;
      for (const bool invariant : {false, true}) {
        const std::size_t limit = invariant ? 1024 : most;
        const NormKernel fused = norm_kernel(NormLibrary::vllm, hidden, tokens, true, invariant);
        const bool pairs = hidden % 8 == 0 && !invariant;
        const auto sums = pairs ? sums_of_threads(row, std::min(hidden, limit), 8, in_pairs)
                                : sums_of_threads(row, std::min(hidden, limit), 1, one_by_one);
        CHECK(fused.threads == std::min(hidden, limit));
        CHECK(sum_of_squares(fused, row) == in_turn(by_warps(sums, neighbours_first)));
        if (invariant) continue;
        const std::size_t vector = hidden % 8 == 0 ? 8 : 4;
        const NormKernel plain = norm_kernel(NormLibrary::vllm, hidden, tokens, false, invariant);
        const auto plain_sums = sums_of_threads(row, std::min(hidden / vector, limit), vector, one_by_one);
        CHECK(sum_of_squares(plain, row) == in_turn(by_warps(plain_sums, neighbours_first)));
      }
    }
}

TEST_CASE("FlashInfer's and PyTorch's RMSNorm add as the loops of their kernels do") {
  for (const std::size_t hidden : Counts{8, 64, 100, 2048, 3584, 4096, 8192, 9000}) {
    const std::vector<float> row = bf16_row(hidden, hidden);
    INFO("hidden ", hidden);
    const NormKernel flashinfer = norm_kernel(NormLibrary::flashinfer, hidden, 1, true, false);
    const std::size_t vector = hidden % 8 == 0 ? 8 : 4;
    CHECK(flashinfer.threads == (std::min<std::size_t>(1024, hidden / vector) + 31) / 32 * 32);
    CHECK(sum_of_squares(flashinfer, row) ==
          far_partner_first(by_warps(sums_of_threads(row, flashinfer.threads, vector, one_by_one), far_partner_first)));
    const NormKernel torch = norm_kernel(NormLibrary::torch, hidden, 1, false, false);
    const auto warps = by_warps(sums_of_threads(row, 128, 4, one_by_one), far_partner_first);
    CHECK(torch.threads == 128);
    CHECK(sum_of_squares(torch, row) == (warps[0] + warps[2]) + (warps[1] + warps[3]));
    CHECK(norm_kernel(NormLibrary::torch, 4095, 1, false, false).threads == 512);
  }
}

TEST_CASE("rows of the Triton kernel are blocks of 1024 in turn") {
  const std::vector<float> row = bf16_row(5, 3584);
  float sum = 0;
  for (std::size_t first = 0; first < row.size(); first += 1024) {
    const std::vector<float> block(row.begin() + static_cast<std::ptrdiff_t>(first),
                                   row.begin() + static_cast<std::ptrdiff_t>(std::min(first + 1024, row.size())));
    const auto warps = by_warps(sums_of_threads(block, 128, 8, one_by_one), far_partner_first);
    sum += (warps[0] + warps[2]) + (warps[1] + warps[3]);
  }
  CHECK(sum_of_squares(norm_kernel(NormLibrary::triton, 3584, 1, false, true), row) == sum);
  // vLLM's batch-invariant mode takes it where there is no residual.
  const NormKernel invariant = norm_kernel(NormLibrary::vllm, 3584, 1, false, true);
  CHECK(sum_of_squares(invariant, row) == sum);
  CHECK(invariant.threads == 128);
  CHECK(norm_kernel(NormLibrary::vllm, 3584, 1, true, true).threads == 1024);
}

TEST_CASE("rows of fp32 numbers are loaded 4 at a time, and their squares added number by number") {
  const NormKernel plain = norm_kernel(NormLibrary::vllm, 3584, 1, false, false, 4);
  CHECK(plain.threads == 896);
  CHECK(plain.order.starts_with("chunks(896,chunk=4,"));
  const NormKernel fused = norm_kernel(NormLibrary::vllm, 3584, 1, true, false, 4);
  CHECK(fused.threads == 1024);
  CHECK(fused.order == "strided(1024,acc=fma) | adjacent(32) | seq");
  const NormKernel flashinfer = norm_kernel(NormLibrary::flashinfer, 2048, 1, true, false, 4);
  CHECK(flashinfer.threads == 512);
  CHECK(flashinfer.order.starts_with("chunks(512,chunk=4,"));
}

TEST_CASE("what a library rounds in an RMSNorm") {
  CHECK(norm_kernel(NormLibrary::vllm, 4096, 1, true, false).residual_rounded);
  CHECK_FALSE(norm_kernel(NormLibrary::flashinfer, 4096, 1, true, false).residual_rounded);
  for (const std::string_view name : kNormLibraryNames)
    CHECK_FALSE(norm_kernel(*enumerator_named<NormLibrary::torch>(name), 4096, 1, true, false).scaled_rounded);
}

TEST_CASE("a thread block of Triton has a power of two of threads") {
  CHECK_THROWS_WITH_AS(norm_kernel_of(NormLibrary::triton, 2048, 96, false, false),
                       "96 threads: a thread block of Triton has a power of two of them; take 64", Error);
  CHECK_THROWS_AS(norm_kernel_of(NormLibrary::vllm, 2048, 96, false, true), Error);
  CHECK_NOTHROW(norm_kernel_of(NormLibrary::vllm, 2048, 96, true, true));
  for (std::size_t threads = 32; threads <= 1024; threads *= 2)
    CHECK_NOTHROW(parse_order(norm_kernel_of(NormLibrary::triton, 2048, threads, false, false).order));
}

TEST_CASE("parts of an all-reduce are equal, or whole vectors of which the last part has the rest") {
  const auto counts = [](AllReduceAlgorithm algorithm, std::size_t elements, std::size_t bytes) {
    std::vector<std::size_t> parts(4);
    for (std::size_t place = 0; place < elements; ++place)
      ++parts[all_reduce_part(algorithm, 4, elements, bytes, place)];
    return parts;
  };
  CHECK(counts(AllReduceAlgorithm::ring, 64, 2) == Counts{16, 16, 16, 16});
  CHECK(counts(AllReduceAlgorithm::ring, 10, 2) == Counts{3, 2, 3, 2});
  CHECK(counts(AllReduceAlgorithm::two_shot, 64, 2) == Counts{16, 16, 16, 16});
  CHECK(counts(AllReduceAlgorithm::two_shot, 72, 2) == Counts{16, 16, 16, 24});
  CHECK(counts(AllReduceAlgorithm::two_shot, 72, 4) == Counts{16, 16, 16, 24});
  CHECK(counts(AllReduceAlgorithm::two_shot, 24, 2) == Counts{0, 0, 0, 24});
}

TEST_CASE("numbers take the bytes of the least power of two that holds them") {
  CHECK(info(Format::bf16).gpu_bytes() == 2);
  CHECK(info(Format::fp64).gpu_bytes() == 8);
  CHECK(info(Format::tf32).gpu_bytes() == 4);
  CHECK(info(Format::e4m3).gpu_bytes() == 1);
}

TEST_CASE("vLLM's all-reduce: one shot below a size that depends on the GPUs") {
  const auto of = [](std::size_t ranks, std::size_t bytes) {
    return all_reduce_kernel(AllReduceLibrary::vllm, ranks, bytes, 1);
  };
  constexpr std::size_t kilobyte = 1024;
  CHECK(of(2, 4096 * kilobyte).algorithm == AllReduceAlgorithm::one_shot);
  CHECK(of(4, 512 * kilobyte - 16).algorithm == AllReduceAlgorithm::one_shot);
  CHECK(of(4, 512 * kilobyte).algorithm == AllReduceAlgorithm::two_shot);
  CHECK(of(8, 256 * kilobyte - 16).algorithm == AllReduceAlgorithm::one_shot);
  CHECK(of(8, 256 * kilobyte).algorithm == AllReduceAlgorithm::two_shot);
  CHECK(of(8, 256 * kilobyte).order == "rotate(1) | seq");
  CHECK_FALSE(of(8, 256 * kilobyte).rounded_each_hop);
  CHECK(of(8, 8192 * kilobyte).rounded_each_hop);  // NCCL
  CHECK(of(3, 16).rounded_each_hop);
}

TEST_CASE("NCCL takes its ring on one node, and would take NVLS for large arrays") {
  const auto of = [](std::size_t ranks, std::size_t bytes) {
    return all_reduce_kernel(AllReduceLibrary::nccl, ranks, bytes, ranks - 1);
  };
  // 8 ranks, 8 KB: ring LL 6.6 + 14 * 0.6 + 8192 / (1000 * 141 * 8 / 14) = 15.1 us; tree LL 6.8 + 14 * 0.6 + 8192 /
  // (1000 * 87.2 / 2 * 0.7) = 15.5 us. Between more nodes trees have fewer steps; on one node both are chains.
  for (std::size_t ranks = 2; ranks <= 8; ++ranks)
    for (std::size_t bytes = 8; bytes <= std::size_t{1} << 30U; bytes *= 2)
      CHECK(of(ranks, bytes).algorithm == AllReduceAlgorithm::ring);
  CHECK(of(8, std::size_t{1} << 30U).order == "nccl_ring(7)");
  CHECK(of(8, std::size_t{1} << 30U).nvls_faster);
  CHECK_FALSE(of(8, std::size_t{1} << 18U).nvls_faster);
  CHECK_FALSE(of(2, std::size_t{1} << 30U).nvls_faster);
  for (const std::string_view name : kAllReduceAlgorithmNames)
    CHECK_NOTHROW(parse_order(all_reduce_kernel_of(*enumerator_named<AllReduceAlgorithm::tree>(name), 8, 7).order));
}

TEST_CASE("kernels of libraries add 16-bit numbers in fp32, but NCCL's, which round each sum") {
  const auto sums_of_call = [](const char* text, const Shape& shape, const Order* order = nullptr) {
    const OperationCall call = parse_operation(text);
    const GeneratedInputs what{.shape = shape, .formats = formats_of_terms(Format::bf16)};
    const LoweredOperation operation = lower(call, generated_inputs(call, what), {}, order);
    CHECK(operation.formats.result == Format::bf16);
    return operation.finished ? operation.finished->sums->formats.accumulate : operation.formats.accumulate;
  };
  CHECK(sums_of_call("all_reduce(4,algorithm=one_shot)", {64}) == Format::fp32);
  CHECK(sums_of_call("all_reduce(4,library=vllm)", {64}) == Format::fp32);
  CHECK(sums_of_call("all_reduce(4,library=nccl)", {64}) == Format::bf16);
  CHECK(sums_of_call("all_reduce(4,algorithm=one_shot,partials=bf16)", {64}) == Format::bf16);
  CHECK(sums_of_call("all_reduce(4)", {64}) == Format::bf16);
  CHECK(sums_of_call("rms_norm(64,2)", {}) == Format::fp32);
  const Order order = parse_order("seq");
  CHECK(sums_of_call("rms_norm(64,2)", {}, &order) == Format::bf16);
}

TEST_CASE("an all-reduce of a batch is what its kernel's loop gives") {
  constexpr std::size_t ranks = 4;
  constexpr std::size_t tokens = 3;
  constexpr std::size_t hidden = 64;
  // Exponents of ranks up to 18 apart, so that additions of 8 digits in fp32 round, too.
  constexpr std::array<int, ranks> exponents{0, -18, -17, -1};
  const Terms normal = generate_terms("normal(0,1)", ranks * tokens * hidden, Format::bf16, 9);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < normal.size(); ++i)
    numbers.push_back(normal.view().left(i) * power_of_two(exponents[(i / 7 + i / (tokens * hidden)) % ranks]));
  const Tensor x = tensor_of(Format::bf16, {ranks, tokens, hidden}, numbers);
  const Formats formats{Format::bf16, Format::fp32, Format::fp32};
  const auto rounded = [](float value) {
    return static_cast<float>(value_of_bits(Format::bf16, round_to_bits(Format::bf16, value)));
  };
  const auto at = [&](std::size_t rank, std::size_t e) {
    return static_cast<float>(x.terms.view().left((rank % ranks) * tokens * hidden + e));
  };
  for (const std::size_t batch : Counts{3, 100}) {
    const Counts rows = batch == 3 ? Counts{0, 1, 2} : Counts{16, 50, 83};  // the middles of the thirds
    const auto expected = [&](std::string_view algorithm, std::size_t e) {
      const std::size_t place = rows[e / hidden] * hidden + e % hidden;
      const std::size_t part = algorithm == "two_shot" ? std::min(place / 8 / (batch * hidden / 8 / ranks), ranks - 1)
                               : algorithm == "ring"   ? place * ranks / (batch * hidden) + 1
                                                       : 0;
      if (algorithm == "tree") {
        float sum = at(ranks - 1, e);
        for (std::size_t r = ranks - 1; r-- > 0;) sum = rounded(at(r, e) + sum);
        return sum;
      }
      float sum = at(part, e);
      for (std::size_t r = 1; r < ranks; ++r) {
        sum += at(part + r, e);
        if (algorithm == "ring") sum = rounded(sum);
      }
      return sum;
    };
    for (const std::string_view algorithm : kAllReduceAlgorithmNames) {
      const std::string text =
          "all_reduce(4,algorithm=" + std::string(algorithm) + ",batch=" + std::to_string(batch) + ")";
      const auto operation =
          std::make_shared<const LoweredOperation>(lower(parse_operation(text), {x, {}, {}, {}, formats}));
      const auto sums = OutputSums::make(operation, parse_arrival("launch"), {});
      bool same = true;
      for (std::size_t e = 0; e < tokens * hidden; ++e)
        same = same && sums->launch().view().left(e) == static_cast<double>(expected(algorithm, e));
      INFO(text);
      CHECK(same);
    }
  }
}

TEST_CASE("a batch changes the all-reduce where the library chooses by bytes") {
  const OperationCall call = parse_operation("all_reduce(4,library=vllm)");
  const OperationInputs inputs =
      generated_inputs(call, {.shape = {2, 4096}, .formats = {Format::bf16, Format::fp32, Format::bf16}});
  const auto sizes = in_sizes(to_string(call), inputs, {2, 63, 64, 1100});
  CHECK(sizes[1].launch.kernel == "one_shot");
  CHECK(sizes[1].outputs_different == 0);
  CHECK(sizes[2].launch.kernel == "two_shot");
  CHECK(sizes[3].launch.kernel == "ring");
  CHECK(sizes[3].outputs_different > 0);
  const OperationInputs one = generated_inputs(
      parse_operation("all_reduce(8)"), {.shape = {4096}, .formats = {Format::fp32, Format::fp32, Format::fp32}});
  const auto of_one = in_sizes("all_reduce(8,library=vllm)", one, {1, 64});
  CHECK(of_one[1].launch.kernel == "two_shot");
  CHECK(of_one[1].outputs_different > 0);
  const auto of_array = lower(parse_operation("all_reduce(8)"), OperationInputs(one));
  CHECK(of_one[1].rows_different == of_array.outputs() / 4096);  // one dimension is one row
  CHECK_THROWS_AS(parse_operation("all_reduce(4,library=vllm,batch=4611686018427387904)"), Error);
  for (const char* fixed : {"all_reduce(4,library=vllm,batch=3)", "all_reduce(4,library=vllm,bytes=4096)"})
    CHECK_THROWS_AS(in_sizes(fixed, inputs, {1, 2}), Error);
  for (const char* wrong : {"all_reduce(4,library=vllm,algorithm=ring)", "all_reduce(4,bytes=100)",
                            "all_reduce(4,batch=3)", "all_reduce(1,algorithm=ring)"})
    CHECK_THROWS_AS(lower(parse_operation(wrong), OperationInputs(inputs)), Error);
}

}  // namespace orderlab::testing
