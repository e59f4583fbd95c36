// softmax and log_softmax: exponentials divided by their sum, which depends on the order that adds them.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "operation/finished_outputs.hpp"
#include "operation/fixed_functions.hpp"
#include "operation/index_rows.hpp"
#include "operation/input_checks.hpp"
#include "operation/norm_kernels.hpp"
#include "operation/ordered_rows.hpp"
#include "orderlab/error.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

/// Blocks of 1024 columns in turn; within a block 128 threads with 8 neighbours each, shuffles, then the warps.
constexpr std::string_view kSoftmaxOrder = "seq(8) | halving(32) | halving(4) | seq(from=zero)";
static_assert(kTritonColumns == 8 * kTritonThreads && kTritonThreads == 32 * 4);

/// The exponentials of a row less its maximum, and what is made of their sum.
class SoftmaxFinish : public RowFinish {
 public:
  SoftmaxFinish(const Terms& x, std::size_t columns, bool logarithm, const Formats& formats)
      : less_(formats.accumulate, x.size()),
        exponentials_(formats.accumulate, x.size()),
        columns_(columns),
        logarithm_(logarithm),
        formats_(formats),
        most_(x.size() / columns) {
    with_type_of(formats.accumulate, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      T* const less = numbers<T>(less_);
      T* const exponentials = numbers<T>(exponentials_);
      const TermView view = x.view();
      each_in_pass(x.size() / columns, [&](std::size_t row) {
        const std::size_t begin = row * columns;
        double most = view.left(begin);
        for (std::size_t i = begin; i < begin + columns; ++i)
          if (view.left(i) > most || std::isnan(view.left(i))) most = view.left(i);
        most_[row] = most;
        for (std::size_t i = begin; i < begin + columns; ++i) {
          less[i] = round_to<T>(view.left(i) - most);
          exponentials[i] = round_to<T>(fixed_exp(static_cast<double>(less[i])));
        }
      });
    });
    for (std::size_t row = 0; row < x.size() / columns; ++row) {
      double farthest = 0;
      for (std::size_t i = 0; i < columns; ++i) farthest = std::max(farthest, -less_at(row, i));
      farthest_.push_back(farthest);
    }
  }

  const void* exponentials() const { return exponentials_.view().x; }

  void make(std::size_t row, double sum, std::span<double> outputs) const override {
    with_type_of(formats_.accumulate, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const auto rounded = [](double x) { return static_cast<double>(round_to<T>(x)); };
      const double log_sum = logarithm_ ? rounded(fixed_log(sum)) : 0;
      const T* const of = static_cast<const T*>((logarithm_ ? less_ : exponentials_).view().x) + row * columns_;
      for (std::size_t i = 0; i < columns_; ++i) {
        const auto x = static_cast<double>(of[i]);
        outputs[i] = in_result(rounded(logarithm_ ? x - log_sum : x / sum));
      }
    });
  }

  void make_exact(std::size_t row, double high, double low, std::span<double> outputs) const override {
    const double sum = high + low;
    const double log_sum = fixed_log(sum);
    for (std::size_t i = 0; i < columns_; ++i)
      outputs[i] = logarithm_ ? less_at(row, i) - log_sum : exponentials_.view().left(row * columns_ + i) / sum;
  }

  // Exponentials may be those of a GPU: of x log2(e), rounded, and within 2 ulps, so off by (|x| + 4) 2 u of
  // themselves; the logarithm within 4 u of 1 and of itself. Twice that is allowed for the roundings of these bounds.
  // A logarithm may also be x - (max + log(sum)), whose inner sum is rounded: by u |max| and what is allowed anyway.
  // In a narrow format the bound on sums of long rows reaches below the least of them.
  std::array<double, 2> range(std::size_t row, std::size_t i, double low, double high) const override {
    const double u = 4 * info(formats_.accumulate).unit_roundoff();
    low = std::max(low, kLeastSum);
    const double less = less_at(row, i);
    const double farthest = std::min(farthest_[row], kFarthest);
    const double lost = info(formats_.result).smallest_subnormal();
    if (logarithm_) {
      const double slack = u * (farthest + std::fabs(less) + 16 + std::fabs(most_[row]) / 2);
      return {in_result(less - fixed_log(high) - slack) - lost, in_result(less - fixed_log(low) + slack) + lost};
    }
    const double e = exponentials_.view().left(row * columns_ + i);
    const double slack = 1 + u * (farthest + std::min(std::fabs(less), kFarthest) + 16);
    // A GPU may flush a subnormal exponential, or quotient, to 0.
    const double normal = power_of_two(info(Format::fp32).e_min);
    const bool flushed = formats_.accumulate == Format::fp32 && e / (high * slack) < normal;
    const double least = flushed ? 0 : in_result(e / (high * slack)) - lost;
    return {least, in_result(e / low * slack) + lost};
  }

 private:
  static constexpr double kLeastSum = 1;     // exp(0), and nothing that is added is negative
  static constexpr double kFarthest = 1024;  // farther exponentials are 0 in every format but fp64

  double less_at(std::size_t row, std::size_t i) const { return less_.view().left(row * columns_ + i); }
  double in_result(double x) const { return value_of_bits(formats_.result, round_to_bits(formats_.result, x)); }

  Terms less_;
  Terms exponentials_;
  std::size_t columns_;
  bool logarithm_;
  Formats formats_;
  std::vector<double> most_;      ///< the maximum of each row
  std::vector<double> farthest_;  ///< of each row, from its maximum
};

OperationInputs generate_softmax(const Arguments&, const GeneratedInputs& what) {
  return {draw_tensor(what.shape, what, 0), std::nullopt, std::nullopt, std::nullopt, what.formats};
}

template <bool kLogarithm>
LoweredOperation lower_softmax(const OperationCall& call, OperationInputs inputs, const Device&, const Order* given) {
  const std::string name = to_string(call);
  if (inputs.self) throw Error(ErrorKind::usage, name + ": adds nothing to start from; leave self out");
  require_narrow_results(name, inputs.formats);
  const Shape shape = inputs.source.shape;
  const std::size_t columns = shape.back();
  const std::size_t rows = inputs.source.terms.size() / columns;
  const Order order = given != nullptr ? *given : parse_order(kSoftmaxOrder);
  const Format accumulate = inputs.formats.accumulate;
  auto finish = std::make_shared<SoftmaxFinish>(inputs.source.terms, columns, kLogarithm, inputs.formats);
  auto sums = std::make_shared<LoweredOperation>();
  sums->text = name;
  sums->formats = {accumulate, accumulate, accumulate};
  sums->shape = {rows};
  add_by_order(*sums, {{accumulate, rows, columns, finish->exponentials(), columns}}, order, std::nullopt);

  LoweredOperation result;
  result.formats = inputs.formats;
  result.shape = shape;
  set_finished(result, order, std::move(sums), columns, std::move(finish));
  Launch& launch = result.launch;
  if (given == nullptr) {
    launch.kernel = "Triton, blocks of 1024 columns in turn";
    launch.source = "batch_invariant_ops, log_softmax (f22b1fbe); the tree of a block is Triton's, assumed";
    launch.reason = "rows of " + std::to_string(columns) + " columns";
    launch.threads_per_block = kTritonThreads;
    launch.grid = rows;
    launch.guarantee = Guarantee::run_to_run;
  }
  const std::string sums_format(info(accumulate).name);
  launch.addition = "exp(x - max) of a row by " + order.expression() + " in " + sums_format + "; " +
                    (kLogarithm ? "x - max - log(sum)" : "exp(x - max) / sum") + ", rounded to " +
                    std::string(info(inputs.formats.result).name);
  return result;
}

template <bool kLogarithm>
constexpr TensorOperation softmax_operation() {
  return {
      .name = kLogarithm ? "log_softmax" : "softmax",
      .summary = kLogarithm ? "logarithm of the softmax along the last dimension: x - max - log(sum of exp(x - max))"
                            : "softmax along the last dimension: exp(x - max) divided by the sum of these",
      .adds = "exponentials by blocks of 1024 columns in turn, a tree inside; or --order",
      .source = "Triton kernels of batch_invariant_ops and vLLM",
      .freedom =
          "every order and grouping of the exponentials of a row, which may be off by some ulps: kernels differ in "
          "blocks, threads and in exp",
      .assumes =
          "exp and log computed in doubles by a fixed polynomial and rounded once, without the C library; a maximum "
          "that is known before the sum, so that nothing is rescaled",
      .takes_order = true,
      .default_order = kSoftmaxOrder,
      .generate = generate_softmax,
      .lower = lower_softmax<kLogarithm>,
  };
}

}  // namespace

extern const TensorOperation kSoftmax;
constexpr TensorOperation kSoftmax = softmax_operation<false>();

extern const TensorOperation kLogSoftmax;
constexpr TensorOperation kLogSoftmax = softmax_operation<true>();

}  // namespace orderlab
