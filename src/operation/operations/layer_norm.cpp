// layer_norm: rows less their mean, divided by the root of their variance. PyTorch's kernel moves a mean from number to
// number, which is no sum of an order; others add the numbers, and then the squares of their deviations. An order is
// studied in the second sum, given the mean that its fixed form computes.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "operation/finish.hpp"
#include "operation/finished_outputs.hpp"
#include "operation/index_rows.hpp"
#include "operation/input_checks.hpp"
#include "operation/kept_sum.hpp"
#include "operation/norm_kernels.hpp"
#include "operation/ordered_rows.hpp"
#include "order/counts.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "orderlab/output_sums.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

constexpr Parameter kLayerNormParameters[] = {
    {.name = "hidden", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 0x1p31},
    {.name = "tokens", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 0x1p31},
    {.name = "library",
     .kind = ParameterKind::choice,
     .default_text = "torch",
     .choices = kLayerNormLibraryNames,
     .keyword_only = true},
    {.name = "eps", .kind = ParameterKind::real, .default_text = "1e-05", .low = 0, .high = 1, .keyword_only = true},
};
constexpr std::size_t kLayerHidden = 0;
constexpr std::size_t kLayerTokens = 1;
constexpr std::size_t kLayerLibrary = 2;
constexpr std::size_t kLayerEps = 3;

/// x y + z rounded once to T.
template <class T>
double fused_in(double x, double y, double z) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
    return static_cast<double>(std::fma(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z)));
  else
    return rounded_in<T>(std::fma(x, y, z));
}

/// Mean, and mean square of the deviations from it, of a row.
struct Moments {
  double mean;
  double variance;
};

/// What every way to compute a LayerNorm shares: its rows, and outputs of their moments.
class LayerRows {
 public:
  LayerRows(Terms x, std::optional<Terms> weights, std::size_t hidden, double eps, const Formats& formats)
      : x_(std::move(x)), weights_(std::move(weights)), hidden_(hidden), eps_(eps), formats_(formats) {
    each_in_pass(x_.size() / hidden, [&](std::size_t row) {
      KeptSum sum;
      double size = 0;
      double largest = 0;
      for (std::size_t i = 0; i < hidden; ++i) {
        sum.add(at(row, i));
        size += std::fabs(at(row, i));
        largest = std::max(largest, std::fabs(at(row, i)));
      }
      largest_.push_back(largest);
      const double mean = sum.value() / static_cast<double>(hidden);
      KeptSum rest;  // of the mean
      for (std::size_t i = 0; i < hidden; ++i) {
        rest.add(at(row, i));
        rest.add(-mean);
      }
      means_.push_back({mean, rest.value() / static_cast<double>(hidden)});
      KeptSum squares;
      for (std::size_t i = 0; i < hidden; ++i) squares.add(deviation(row, i) * deviation(row, i));
      variances_.push_back(squares.value() / static_cast<double>(hidden));
      sizes_.push_back(size / static_cast<double>(hidden));
    });
  }

  TermView x() const { return x_.view(); }
  std::size_t hidden() const { return hidden_; }
  std::size_t rows() const { return variances_.size(); }
  const Formats& formats() const { return formats_; }
  bool has_weight() const { return weights_.has_value(); }
  bool has_bias() const { return weights_ && weights_->size() == 2 * hidden_; }

  /// (x - mean) rstd weight + bias, each step rounded to T, the last product and sum once.
  template <class T>
  void make(std::size_t row, const Moments& moments, std::span<double> outputs) const {
    const double rstd = rounded_in<T>(1 / std::sqrt(rounded_in<T>(moments.variance + rounded_in<T>(eps_))));
    for (std::size_t i = 0; i < hidden_; ++i) {
      const double scaled = rounded_in<T>(rounded_in<T>(at(row, i) - moments.mean) * rstd);
      const double result = has_bias() ? fused_in<T>(scaled, weight(i), bias(i)) : rounded_in<T>(scaled * weight(i));
      outputs[i] = in_result(result);
    }
  }

  void make_exact(std::size_t row, std::span<double> outputs) const {
    const double rstd = 1 / std::sqrt(variances_[row] + eps_);
    for (std::size_t i = 0; i < hidden_; ++i) outputs[i] = deviation(row, i) * rstd * weight(i) + bias(i);
  }

  bool finite(std::size_t row) const { return std::isfinite(sizes_[row]); }

  double magnitude(std::size_t row, std::size_t i) const {
    const double rstd = 1 / std::sqrt(variances_[row] + eps_);
    return std::fabs(deviation(row, i)) * rstd * std::fabs(weight(i)) + std::fabs(bias(i));
  }

  // A mean of n numbers is off by at most 2 n u of their mean magnitude, added or moved. The variance is off by at most
  // 8 n u kappa of itself, where kappa^2 = 1 + mean^2 / variance [ChanGolubLeVeque1983], with the square of the error
  // of the mean, which two passes leave in it. The root is within 2 ulps; six products and sums are rounded. What is
  // below the normal range may be lost: `lost` of each number that is added, and of the variance. Sums, squares of
  // deviations, at most twice the largest number, and n times them may overflow: then any result.
  std::array<double, 2> range(std::size_t row, std::size_t i) const {
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    const FormatInfo& sums = info(formats_.accumulate);
    const double u = sums.unit_roundoff();
    const auto n = static_cast<double>(hidden_);
    const double lost = power_of_two(sums.e_min);  // of a number that is flushed
    const double of_mean = (2 * n + 4) * u * sizes_[row] + 4 * n * lost;
    const double variance = variances_[row];
    const double largest = largest_[row];
    if (!(8 * n * std::max(largest, largest * largest) < power_of_two(sums.e_max))) return {kNothing, kNothing};
    const double kappa = std::sqrt(1 + means_[row].mean * means_[row].mean / variance);
    const double of_variance = 8 * (n + 4) * u * kappa + of_mean * of_mean / variance;
    if (!(variance > 0) || !(of_variance < 0.5)) return {kNothing, kNothing};
    constexpr double kRoundings = 10;
    const double slack = kRoundings * u;
    const std::array<double, 2> deviations{deviation(row, i) - of_mean, deviation(row, i) + of_mean};
    const double of_square = variance * of_variance + 8 * lost;
    if (!(variance - of_square + eps_ > 2 * lost)) return {kNothing, kNothing};
    const std::array<double, 2> roots{(1 - slack) / std::sqrt(variance + of_square + eps_),
                                      (1 + slack) / std::sqrt(variance - of_square + eps_)};
    double least = std::numeric_limits<double>::infinity();
    double greatest = -least;
    for (const double d : deviations)
      for (const double root : roots) {
        const double scaled = d * root * weight(i);
        if (!(2 * std::max(std::fabs(scaled), std::fabs(bias(i))) < power_of_two(sums.e_max)))
          return {kNothing, kNothing};
        const double off =
            slack * std::fabs(scaled) + 2 * u * std::fabs(bias(i)) + 4 * lost * (1 + std::fabs(weight(i)));
        least = std::min(least, scaled + bias(i) - off);
        greatest = std::max(greatest, scaled + bias(i) + off);
      }
    const double flushed = info(formats_.result).smallest_subnormal();
    return {in_result(least) - flushed, in_result(greatest) + flushed};
  }

 private:
  struct TwoParts {
    double mean;
    double rest;
  };

  double at(std::size_t row, std::size_t i) const { return x_.view().left(row * hidden_ + i); }
  double deviation(std::size_t row, std::size_t i) const { return (at(row, i) - means_[row].mean) - means_[row].rest; }
  double weight(std::size_t i) const { return weights_ ? weights_->view().left(i) : 1; }
  double bias(std::size_t i) const { return has_bias() ? weights_->view().left(hidden_ + i) : 0; }
  double in_result(double x) const { return value_of_bits(formats_.result, round_to_bits(formats_.result, x)); }

  Terms x_;
  std::optional<Terms> weights_;  ///< and biases behind them
  std::size_t hidden_;
  double eps_;
  Formats formats_;
  std::vector<TwoParts> means_;  ///< of each row, exact but for the roundings of doubles
  std::vector<double> variances_;
  std::vector<double> sizes_;    ///< mean magnitudes
  std::vector<double> largest_;  ///< greatest magnitudes
};

// ---- Two passes

/// The mean of each row by the fixed form of an order, and the deviations from it, in the accumulate format.
class Deviations {
 public:
  Deviations(const LayerRows& rows, const Order& order) : means_(rows.rows()), numbers_(sums_format(rows), rows.x().n) {
    const Format format = rows.formats().accumulate;
    const std::size_t hidden = rows.hidden();
    Terms ones(rows.x().format, hidden);  // so that one order adds both: a product with 1 is the number itself
    for (std::size_t i = 0; i < hidden; ++i) ones.set(i, 1);
    const RowSums add(compile(order.fixed_form(), hidden, {rows.x().format, format, format}, true));
    add.evaluate({rows.x().format, rows.rows(), hidden, rows.x().x, hidden, ones.view().x, 0}, means_);
    with_type_of(format, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      T* const to = numbers<T>(numbers_);
      each_in_pass(rows.rows(), [&](std::size_t row) {
        means_[row] = rounded_in<T>(means_[row] / static_cast<double>(hidden));
        for (std::size_t i = row * hidden; i < (row + 1) * hidden; ++i)
          to[i] = round_to<T>(rows.x().left(i) - means_[row]);
      });
    });
  }

  double mean(std::size_t row) const { return means_[row]; }
  const void* squares() const { return numbers_.view().x; }

 private:
  static Format sums_format(const LayerRows& rows) { return rows.formats().accumulate; }

  std::vector<double> means_;
  Terms numbers_;
};

class LayerFinish : public RowFinish {
 public:
  LayerFinish(std::shared_ptr<const LayerRows> rows, const Order& order)
      : rows_(std::move(rows)), deviations_(*rows_, order) {}

  const void* squares() const { return deviations_.squares(); }

  void make(std::size_t row, double sum, std::span<double> outputs) const override {
    with_type_of(rows_->formats().accumulate, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const double variance = rounded_in<T>(sum / static_cast<double>(rows_->hidden()));
      rows_->make<T>(row, {deviations_.mean(row), variance}, outputs);
    });
  }
  void make_exact(std::size_t row, double, double, std::span<double> outputs) const override {
    rows_->make_exact(row, outputs);
  }
  std::array<double, 2> range(std::size_t row, std::size_t i, double, double) const override {
    return rows_->range(row, i);
  }
  // The squares are those of deviations from one mean, which others need not have; a row of NaN or inf is NaN in all.
  bool sum_decides(std::size_t row) const override { return !rows_->finite(row); }

 private:
  std::shared_ptr<const LayerRows> rows_;
  Deviations deviations_;
};

/// Makes the operation two passes of the order over the rows.
void set_two_passes(LoweredOperation& operation, std::shared_ptr<const LayerRows> rows, const Order& order) {
  const Format sums_in = rows->formats().accumulate;
  const std::size_t hidden = rows->hidden();
  auto finish = std::make_shared<LayerFinish>(rows, order);
  auto sums = std::make_shared<LoweredOperation>();
  sums->text = operation.text;
  sums->formats = {sums_in, sums_in, sums_in};
  sums->shape = {rows->rows()};
  add_by_order(*sums, {{sums_in, rows->rows(), hidden, finish->squares(), hidden, finish->squares(), hidden}}, order,
               std::nullopt);
  set_finished(operation, order, std::move(sums), hidden, std::move(finish));
}

std::string finish_text(const LayerRows& rows) {
  return std::string("(x - mean) / sqrt(variance + eps)") + (rows.has_weight() ? ", times the weight" : "") +
         (rows.has_bias() ? ", plus the bias" : "") + ", rounded once to " +
         std::string(info(rows.formats().result).name);
}

std::string two_passes_text(const LayerRows& rows, const Order& order) {
  return "the mean of a row, then the squares of the deviations from it, by " + order.expression() + " in " +
         std::string(info(rows.formats().accumulate).name) + "; " + finish_text(rows);
}

// ---- One pass, whose mean moves

/// Moments of some numbers: their mean, the sum of the squares of their deviations, their count.
struct RunningMoments {
  float mean = 0;
  float squares = 0;
  float count = 0;
};

// The multiplications and additions that nvcc fuses are fused.
RunningMoments with_number(const RunningMoments& of, float x) {
  const float delta = x - of.mean;
  const float count = of.count + 1;
  const float mean = std::fma(delta, 1 / count, of.mean);
  return {mean, std::fma(delta, x - mean, of.squares), count};
}

/// cuWelfordCombine of PyTorch's kernel in vectors: `b` is the thread's own, `a` its partner's.
RunningMoments joined_in_vectors(const RunningMoments& b, const RunningMoments& a) {
  const float count = a.count + b.count;
  if (!(count > 0)) return {};
  const float delta = b.mean - a.mean;
  const float part = 1 / count;
  const float of_a = a.count * part;
  const float of_b = b.count * part;
  return {std::fma(of_a, a.mean, of_b * b.mean), std::fma(delta * delta * a.count, of_b, a.squares + b.squares), count};
}

/// WelfordOps::combine, of rows that are no whole vectors.
RunningMoments joined_by_one(const RunningMoments& a, const RunningMoments& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  const float delta = b.mean - a.mean;
  const float count = a.count + b.count;
  const float of_b = b.count / count;
  return {std::fma(delta, of_b, a.mean), std::fma(delta * delta * a.count, of_b, a.squares + b.squares), count};
}

RunningMoments with_number_by_one(const RunningMoments& of, float x) {
  const float delta = x - of.mean;
  const float count = of.count + 1;
  const float mean = of.mean + delta / count;
  return {mean, std::fma(delta, x - mean, of.squares), count};
}

/// Joins those that lie half as far apart as there are, until one is left.
template <class Join>
RunningMoments joined_by_halves(std::vector<RunningMoments> all, Join join) {
  for (std::size_t half = all.size() / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) all[i] = join(all[i], all[i + half]);
  return all.front();
}

/// Moments of a row by the threads of a thread block: each its vectors in turn, then a tree over the lanes of each
/// warp, then one over the warps.
RunningMoments running_moments(const TermView& row, const LayerNormKernel& kernel) {
  constexpr std::size_t kLanesOfWarp = 32;
  const bool vectors = kernel.vector > 1;
  std::vector<RunningMoments> threads(kernel.threads);
  for (std::size_t i = 0; i < row.n; ++i) {
    RunningMoments& mine = threads[i / kernel.vector % kernel.threads];
    const auto x = static_cast<float>(row.left(i));
    mine = vectors ? with_number(mine, x) : with_number_by_one(mine, x);
  }
  const auto join = vectors ? joined_in_vectors : joined_by_one;
  std::vector<RunningMoments> warps;
  for (std::size_t first = 0; first < threads.size(); first += kLanesOfWarp)
    warps.push_back(joined_by_halves(
        std::vector<RunningMoments>(threads.begin() + static_cast<std::ptrdiff_t>(first),
                                    threads.begin() + static_cast<std::ptrdiff_t>(first + kLanesOfWarp)),
        join));
  return joined_by_halves(std::move(warps), join);
}

class RunningNorm : public RowComputation {
 public:
  RunningNorm(std::shared_ptr<const LayerRows> rows, LayerNormKernel kernel)
      : rows_(std::move(rows)), kernel_(std::move(kernel)) {}

  Terms results() const override {
    const std::size_t hidden = rows_->hidden();
    Terms results(rows_->formats().result, rows_->rows() * hidden);
    std::vector<double> outputs(hidden);
    each_in_pass(rows_->rows(), [&](std::size_t row) {
      const RunningMoments moments = running_moments(rows_->x().part(row * hidden, hidden), kernel_);
      const float variance = moments.squares / static_cast<float>(hidden);
      rows_->make<float>(row, {static_cast<double>(moments.mean), static_cast<double>(variance)}, outputs);
      for (std::size_t i = 0; i < hidden; ++i) results.set(row * hidden + i, outputs[i]);
    });
    return results;
  }

  AdditionCount additions() const override {
    const std::size_t of_thread = ceil_div(rows_->hidden(), kernel_.threads * kernel_.vector) * kernel_.vector;
    return {rows_->rows() * (rows_->hidden() - 1),
            of_thread - 1 + static_cast<std::uint64_t>(std::bit_width(kernel_.threads - 1))};
  }

  void make_exact(std::size_t row, std::span<double> outputs, std::span<double> magnitudes) const override {
    rows_->make_exact(row, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) magnitudes[i] = rows_->magnitude(row, i);
  }

  std::array<double, 2> range(std::size_t row, std::size_t i, double, double) const override {
    return rows_->range(row, i);
  }

  std::vector<ComputedWay> ways() const override {
    std::vector<ComputedWay> ways;
    for (const auto& [name, text] :
         {std::pair("two passes, left to right", "seq(acc=fma)"), std::pair("two passes, fixed tree", "pairwise")}) {
      const Order order = parse_order(text);
      auto two = std::make_shared<LoweredOperation>();
      two->formats = rows_->formats();
      two->shape = {rows_->rows(), rows_->hidden()};
      set_two_passes(*two, rows_, order);
      const std::uint64_t n = rows_->hidden();
      const std::uint64_t height =
          name == std::string_view("two passes, left to right") ? n - 1 : std::uint64_t(std::bit_width(n - 1));
      ways.push_back({name,
                      two_passes_text(*rows_, order),
                      OutputSums::make(two, parse_arrival("launch"), {})->launch(),
                      {2 * rows_->rows() * (n - 1), 2 * height}});
    }
    return ways;
  }

 private:
  std::shared_ptr<const LayerRows> rows_;
  LayerNormKernel kernel_;
};

// ---- The operation

OperationInputs generate_layer_norm(const Arguments& arguments, const GeneratedInputs& what) {
  const std::size_t hidden = arguments.count(kLayerHidden);
  return {draw_tensor({arguments.count(kLayerTokens), hidden}, what, 0), draw_tensor({2, hidden}, what, 1),
          std::nullopt, std::nullopt, what.formats};
}

void require_formats_of_layer(const std::string& name, const Formats& formats, bool running) {
  require_narrow_results(name, formats);
  if (formats.terms == Format::fp64)
    throw Error(ErrorKind::unsupported,
                name + ": terms in fp64: its kernels compute in fp32; take fp32 or narrower terms");
  if (running && formats.accumulate != Format::fp32)
    throw Error(ErrorKind::unsupported, name + ": formats " + to_string(formats) +
                                            ": PyTorch's kernel computes in fp32; accumulate in fp32, or give --order");
}

void set_running(LoweredOperation& operation, const std::shared_ptr<const LayerRows>& rows,
                 const LayerNormKernel& kernel) {
  operation.launch.unit = "none: the order is fixed";
  operation.launch.addition =
      "mean and squares of the deviations move from number to number in each thread (Welford), and are joined by a "
      "tree over lanes and warps, in fp32; " +
      finish_text(*rows);
  operation.addition.arrives = false;
  operation.rows.units = 1;
  operation.computed = ComputedRows{rows->hidden(), rows->hidden(), rows->rows() * rows->hidden(),
                                    std::make_shared<RunningNorm>(rows, kernel)};
}

LoweredOperation lower_layer_norm(const OperationCall& call, OperationInputs inputs, const Device& device,
                                  const Order* given) {
  const std::string name = to_string(call);
  const std::size_t hidden = call.arguments.count(kLayerHidden);
  const std::size_t tokens = call.arguments.count(kLayerTokens);
  require_shape(name, "the input", inputs.source.shape, {tokens, hidden});
  if (inputs.factor && inputs.factor->shape != Shape{hidden})
    require_shape(name, "--with, weight and bias,", inputs.factor->shape, {2, hidden});
  if (inputs.self) throw Error(ErrorKind::usage, name + ": adds nothing to start from; leave self out");
  require_small(name + ": number of outputs", static_cast<double>(tokens) * static_cast<double>(hidden));
  if (given == nullptr) inputs.formats = with_kernel_sums(inputs.formats);
  const auto library = *enumerator_named<LayerNormLibrary::triton>(call.arguments.choice(kLayerLibrary));
  std::optional<LayerNormKernel> kernel;
  if (given == nullptr)
    kernel =
        layer_norm_kernel(library, hidden, info(inputs.formats.terms).gpu_bytes(), {tokens, device.multiprocessors});
  require_formats_of_layer(name, inputs.formats, kernel && kernel->running);

  LoweredOperation result;
  result.text = name;
  result.formats = inputs.formats;
  result.shape = {tokens, hidden};
  auto rows = std::make_shared<const LayerRows>(
      std::move(inputs.source.terms), inputs.factor ? std::optional(std::move(inputs.factor->terms)) : std::nullopt,
      hidden, call.arguments.real(kLayerEps), inputs.formats);
  if (kernel && kernel->running) {
    set_running(result, rows, *kernel);
  } else {
    const Order order = kernel ? parse_order(kernel->order) : *given;
    set_two_passes(result, rows, order);
    result.launch.addition = two_passes_text(*rows, order);
  }
  if (!kernel) return result;
  Launch& launch = result.launch;
  launch.kernel = std::string(name_of(library)) + (kernel->running ? ", one pass" : ", two passes");
  launch.source = kernel->source;
  launch.reason = kernel->reason;
  launch.threads_per_block = kernel->threads;
  launch.grid = ceil_div(tokens, kernel->rows);
  launch.guarantee = Guarantee::run_to_run;
  return result;
}

}  // namespace

extern const TensorOperation kLayerNorm;
const TensorOperation kLayerNorm{
    .name = "layer_norm",
    .summary =
        "rows of `hidden` numbers less their mean, divided by the root of their variance plus eps, times the weight, "
        "plus the bias: --with has the weight (hidden numbers), or weight and bias (2 x hidden); library= is whose "
        "kernel runs; vLLM and SGLang call PyTorch's",
    .adds = "one pass whose mean moves from number to number (torch), or two passes of an order (triton, --order)",
    .source = "PyTorch; Triton kernels of vLLM",
    .freedom =
        "every order and grouping of the numbers of a row, in two passes or in one whose mean moves; the root within 2 "
        "ulps. One pass that subtracts the square of the mean is none of them",
    .assumes =
        "1 / sqrt(v) computed in doubles and rounded once; multiplications and additions fused as nvcc and Triton do; "
        "an order that is drawn is drawn for the squares, from the mean of its fixed form; rows that share a tile of "
        "Triton's kernel, 2 or 4 by their number and the GPU, are added as one row alone is: shorter ones than 512 "
        "bytes are refused there",
    .parameters = kLayerNormParameters,
    .takes_factor = true,
    .takes_order = true,
    .needs_shape = false,
    .generate = generate_layer_norm,
    .lower = lower_layer_norm,
};

}  // namespace orderlab
