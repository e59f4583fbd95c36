// rms_norm: rows divided by the root of their mean square, which depends on the order that adds the squares.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "operation/finish.hpp"
#include "operation/finished_outputs.hpp"
#include "operation/index_rows.hpp"
#include "operation/input_checks.hpp"
#include "operation/norm_kernels.hpp"
#include "operation/ordered_rows.hpp"
#include "orderlab/error.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kNormResiduals[] = {"library", "rounded", "fp32"};
constexpr std::string_view kNormModes[] = {"default", "batch_invariant"};
constexpr std::string_view kNormScaled[] = {"fp32", "rounded"};
constexpr Parameter kRmsNormParameters[] = {
    {.name = "hidden", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 0x1p31},
    {.name = "tokens", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 0x1p31},
    {.name = "library",
     .kind = ParameterKind::choice,
     .default_text = "vllm",
     .choices = kNormLibraryNames,
     .keyword_only = true},
    {.name = "threads",
     .kind = ParameterKind::count,
     .default_text = "-",
     .low = 32,
     .high = 1024,
     .keyword_only = true},
    {.name = "residual",
     .kind = ParameterKind::choice,
     .default_text = "-",
     .choices = kNormResiduals,
     .keyword_only = true},
    {.name = "scaled",
     .kind = ParameterKind::choice,
     .default_text = "-",
     .choices = kNormScaled,
     .keyword_only = true},
    {.name = "mode",
     .kind = ParameterKind::choice,
     .default_text = "default",
     .choices = kNormModes,
     .keyword_only = true},
    {.name = "eps", .kind = ParameterKind::real, .default_text = "1e-06", .low = 0, .high = 1, .keyword_only = true},
    {.name = "batch",
     .kind = ParameterKind::count,
     .default_text = "-",
     .low = 1,
     .high = 0x1p31,
     .keyword_only = true},
};
constexpr std::size_t kNormHidden = 0;
constexpr std::size_t kNormTokens = 1;
constexpr std::size_t kNormLibrary = 2;
constexpr std::size_t kNormThreads = 3;
constexpr std::size_t kNormResidual = 4;
constexpr std::size_t kNormScaledPlace = 5;
constexpr std::size_t kNormMode = 6;
constexpr std::size_t kNormEps = 7;
constexpr std::size_t kNormBatch = 8;

/// x rstd weight, rounded as the kernel rounds.
class RmsFinish : public RowFinish {
 public:
  RmsFinish(Terms x, std::optional<Terms> weight, std::size_t hidden, double eps, bool scaled_rounded, Formats formats)
      : x_(std::move(x)),
        weight_(std::move(weight)),
        hidden_(hidden),
        eps_(eps),
        scaled_rounded_(scaled_rounded),
        formats_(formats) {}

  void make(std::size_t row, double sum, std::span<double> outputs) const override {
    with_type_of(formats_.accumulate, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const double rstd = rstd_of<T>(sum);
      each_element(row, [&](std::size_t i, double x, double w) { outputs[i] = element<T>(x, w, rstd); });
    });
  }

  void make_exact(std::size_t row, double high, double low, std::span<double> outputs) const override {
    const double rstd = 1 / std::sqrt((high + low) / static_cast<double>(hidden_) + eps_);
    each_element(row, [&](std::size_t i, double x, double w) { outputs[i] = x * rstd * w; });
  }

  // The result falls as the sum grows. A GPU's rsqrtf is within 2 ulps, which is 4 u; the mean, eps, the root and two
  // products are rounded; the scaled number may be rounded to the terms' format or not.
  std::array<double, 2> range(std::size_t row, std::size_t i, double low, double high) const override {
    constexpr double kRoundings = 10;
    const double slack =
        (1 + info(formats_.terms).unit_roundoff()) * (1 + 2 * kRoundings * info(formats_.accumulate).unit_roundoff());
    const std::size_t place = row * hidden_ + i;
    const double w = weight_ ? weight_->view().left(i) : 1;
    const double scaled = std::fabs(x_.view().left(place) * w);
    const auto end = [&](double sum, double factor) {
      const double size = factor * scaled / std::sqrt(std::max(0.0, sum) / static_cast<double>(hidden_) + eps_);
      return value_of_bits(formats_.result, round_to_bits(formats_.result, size));
    };
    const double least = end(high, 1 / slack);
    const double greatest = end(low, slack);
    // What rounding to the terms' format loses is multiplied by the weight.
    const double lost = info(formats_.result).smallest_subnormal() +
                        info(formats_.terms).smallest_subnormal() * std::max(1.0, std::fabs(w));
    const bool negative = std::signbit(x_.view().left(place)) != std::signbit(w);
    if (negative) return {-(greatest + lost), -(least - lost)};
    return {least - lost, greatest + lost};
  }

  /// The rows, one after the other, and whether there is a weight.
  const void* x() const { return x_.view().x; }
  bool has_weight() const { return weight_.has_value(); }

 private:
  template <class T>
  double rstd_of(double sum) const {
    const double mean = rounded_in<T>(sum / static_cast<double>(hidden_));
    return rounded_in<T>(1 / std::sqrt(rounded_in<T>(mean + rounded_in<T>(eps_))));
  }

  template <class T>
  double element(double x, double w, double rstd) const {
    double scaled = rounded_in<T>(x * rstd);
    if (scaled_rounded_) scaled = value_of_bits(formats_.terms, round_to_bits(formats_.terms, scaled));
    const double result = weight_ ? rounded_in<T>(scaled * w) : scaled;
    return value_of_bits(formats_.result, round_to_bits(formats_.result, result));
  }

  template <class F>
  void each_element(std::size_t row, F f) const {
    with_type_of(x_.format(), [&](auto* type) {
      using X = std::remove_pointer_t<decltype(type)>;
      const X* const x = static_cast<const X*>(x_.view().x) + row * hidden_;
      if (!weight_) {
        for (std::size_t i = 0; i < hidden_; ++i) f(i, static_cast<double>(x[i]), 1.0);
        return;
      }
      with_type_of(weight_->format(), [&](auto* of_weight) {
        using W = std::remove_pointer_t<decltype(of_weight)>;
        const W* const w = static_cast<const W*>(weight_->view().x);
        for (std::size_t i = 0; i < hidden_; ++i) f(i, static_cast<double>(x[i]), static_cast<double>(w[i]));
      });
    });
  }

  Terms x_;
  std::optional<Terms> weight_;
  std::size_t hidden_;
  double eps_;
  bool scaled_rounded_;
  Formats formats_;
};

OperationInputs generate_rms_norm(const Arguments& arguments, const GeneratedInputs& what) {
  const Shape shape{arguments.count(kNormTokens), arguments.count(kNormHidden)};
  std::optional<Tensor> residual;
  if (arguments.has(kNormResidual)) residual = draw_tensor(shape, what, 2);
  return {draw_tensor(shape, what, 0), draw_tensor({shape[1]}, what, 1), std::nullopt, std::move(residual),
          what.formats};
}

NormKernel kernel_of(const Arguments& arguments, bool residual, Format terms) {
  const std::size_t bytes = info(terms).gpu_bytes();
  const NormLibrary library = *enumerator_named<NormLibrary::torch>(arguments.choice(kNormLibrary));
  const std::size_t hidden = arguments.count(kNormHidden);
  const bool invariant = arguments.choice(kNormMode) == kNormModes[1];
  const std::size_t tokens = arguments.count(arguments.has(kNormBatch) ? kNormBatch : kNormTokens);
  NormKernel kernel = norm_kernel(library, hidden, tokens, residual, invariant, bytes);
  if (arguments.has(kNormThreads)) {
    kernel = norm_kernel_of(library, hidden, arguments.count(kNormThreads), residual, invariant, bytes);
    kernel.reason = "set by threads=";
  }
  if (arguments.has(kNormResidual) && arguments.choice(kNormResidual) != kNormResiduals[0])
    kernel.residual_rounded = arguments.choice(kNormResidual) == kNormResiduals[1];
  if (arguments.has(kNormScaledPlace)) kernel.scaled_rounded = arguments.choice(kNormScaledPlace) == kNormScaled[1];
  return kernel;
}

/// x + residual, each rounded to `format`.
Terms with_residual(const Terms& x, const Terms& residual, Format format) {
  Terms sums(format, x.size());
  const TermView a = x.view();
  const TermView b = residual.view();
  each_in_pass(x.size(), [&](std::size_t i) { sums.set(i, a.left(i) + b.left(i)); });
  return sums;
}

std::string norm_addition(const NormKernel& kernel, const Order& order, const Formats& formats, bool residual,
                          bool weight) {
  const std::string terms(info(formats.terms).name);
  const std::string sums(info(formats.accumulate).name);
  std::string text;
  if (residual)
    text = "x = input + residual, " + (kernel.residual_rounded ? "rounded to " + terms : "kept in " + sums) + "; ";
  text += "the squares of a row by " + order.expression() + " in " + sums + "; x / sqrt(mean + eps)";
  if (kernel.scaled_rounded) text += ", rounded to " + terms;
  if (weight) text += ", times the weight";
  return text + ", rounded once to " + std::string(info(formats.result).name);
}

LoweredOperation lower_rms_norm(const OperationCall& call, OperationInputs inputs, const Device&, const Order* given) {
  const std::string name = to_string(call);
  const std::size_t hidden = call.arguments.count(kNormHidden);
  const std::size_t tokens = call.arguments.count(kNormTokens);
  require_shape(name, "the input", inputs.source.shape, {tokens, hidden});
  if (inputs.factor) require_shape(name, "--with", inputs.factor->shape, {hidden});
  if (inputs.self) require_shape(name, "self", inputs.self->shape, {tokens, hidden});
  if (call.arguments.has(kNormResidual) && !inputs.self)
    throw Error(ErrorKind::usage, name + ": no residual: give it as self, " + to_string(Shape{tokens, hidden}));
  require_narrow_results(name, inputs.formats);
  if (inputs.formats.terms == Format::fp64)
    throw Error(ErrorKind::unsupported, name +
                                            ": terms in fp64: no library has a kernel for them; take fp32 or "
                                            "narrower terms");
  require_small(name + ": number of outputs", static_cast<double>(tokens) * static_cast<double>(hidden));

  if (given == nullptr) inputs.formats = with_kernel_sums(inputs.formats);
  const bool residual = inputs.self.has_value();
  const NormKernel kernel = kernel_of(call.arguments, residual, inputs.formats.terms);
  const Order order = given != nullptr ? *given : parse_order(kernel.order);
  LoweredOperation result;
  result.formats = inputs.formats;
  result.shape = {tokens, hidden};
  const Format format = residual && !kernel.residual_rounded ? inputs.formats.accumulate : inputs.formats.terms;
  Terms x = residual ? with_residual(inputs.source.terms, inputs.self->terms, format) : std::move(inputs.source.terms);

  auto sums = std::make_shared<LoweredOperation>();
  sums->text = name;
  sums->formats = {format, inputs.formats.accumulate, inputs.formats.accumulate};
  sums->shape = {tokens};
  auto finish = std::make_shared<RmsFinish>(
      std::move(x), inputs.factor ? std::optional(std::move(inputs.factor->terms)) : std::nullopt, hidden,
      call.arguments.real(kNormEps), kernel.scaled_rounded, inputs.formats);
  const void* const numbers = finish->x();
  add_by_order(*sums, {{format, tokens, hidden, numbers, hidden, numbers, hidden}}, order, std::nullopt);

  const bool weight = finish->has_weight();
  set_finished(result, order, std::move(sums), hidden, std::move(finish));
  Launch& launch = result.launch;
  if (given == nullptr) {
    launch.kernel = std::string(call.arguments.choice(kNormLibrary)) + (residual ? ", residual and norm" : ", norm");
    launch.source = kernel.source;
    launch.reason = kernel.reason;
    launch.threads_per_block = kernel.threads;
    launch.grid = tokens;
    launch.guarantee = Guarantee::run_to_run;
  }
  launch.addition = norm_addition(kernel, order, inputs.formats, residual, weight);
  return result;
}

}  // namespace

extern const TensorOperation kRmsNorm;
const TensorOperation kRmsNorm{
    .name = "rms_norm",
    .summary =
        "rows of `hidden` numbers divided by the root of their mean square plus eps, times --with (hidden numbers; "
        "none: 1); self is a residual that is added first, residual= says how; library= and the number of tokens "
        "choose the threads of a row, unless threads= does; scaled=rounded rounds before the weight; batch= tokens "
        "choose the kernel, and only `tokens` rows are computed",
    .adds = "the squares of a row by the threads of a thread block, as the library's kernel does; or --order",
    .source = "vLLM, FlashInfer, PyTorch: the files that `orderlab explain` names",
    .freedom =
        "every order and grouping of the squares of a row, fused or not: the number of threads depends on the number "
        "of tokens and on the library; the root within 2 ulps, x / root rounded before the weight or not",
    .assumes =
        "1 / sqrt(v) computed in doubles and rounded once, without the C library; a GPU's rsqrtf may be 2 ulps off; "
        "products of squares fused where the terms' format does not hold them exactly",
    .parameters = kRmsNormParameters,
    .takes_factor = true,
    .takes_order = true,
    .needs_shape = false,
    .generate = generate_rms_norm,
    .lower = lower_rms_norm,
};

}  // namespace orderlab
