// The forward and backward pass of one model, which must be read side by side: hence one file.
#include "orderlab/graph_sage.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "arrival/fixed_math.hpp"
#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"
#include "training/dense_product.hpp"
#include "training/graph_sage_parts.hpp"
#include "training/row_vectors.hpp"
#include "vectors/philox_vectors.hpp"
#include "vectors/slices.hpp"

namespace orderlab {

namespace {

// Sites of a run: 0 and 1 are its sums.
constexpr std::uint64_t kWeightSite = 2;
constexpr std::uint64_t kDropoutSite = 3;

constexpr double kFirstDecay = 0.9;  // beta_1, beta_2 and epsilon as torch.optim.Adam has them
constexpr double kSecondDecay = 0.999;
constexpr double kEpsilon = 1e-8;
constexpr std::size_t kWeightsAtOnce = std::size_t{1} << 16;  // between looks after a stop
constexpr double kLeastNorm = 1e-12;                          // eps in torch.nn.functional.normalize

RandomStream program_draws(std::uint64_t seed, std::uint64_t site, std::uint64_t step) {
  return {DrawPath{.seed = seed, .site = site}.key(), streams::kTerms, step};
}

/// Uniform in +-1/sqrt(inputs), a multiple of 2^-31 of it.
template <class T>
void draw_weights(const RandomStream& stream, std::size_t inputs, std::span<T> weights) {
  const double bound = 1 / std::sqrt(static_cast<double>(inputs));
  for (std::size_t i = 0; i < weights.size(); i += 4) {
    if (i % kWeightsAtOnce == 0) stop_point();
    const RandomStream::Block words = stream.block(i / 4);
    for (std::size_t w = 0; w < 4 && i + w < weights.size(); ++w)
      weights[i + w] = static_cast<T>((static_cast<double>(words[w]) * 0x1p-31 - 1) * bound);
  }
}

/// The dropout probability in units of 2^-16, rounded down.
std::uint32_t drop_limit(double dropout) { return static_cast<std::uint32_t>(dropout * 0x1p16); }

/// What the others are multiplied by: 1 / (1 - dropout).
template <class T>
T kept_scale(double dropout) {
  return static_cast<T>(1 / (1 - drop_limit(dropout) * 0x1p-16));
}

/// Sets each number to 0 with probability `dropout`, and multiplies the others by kept_scale. Row by row, so that any
/// rows of an array can be done.
template <class T>
void drop(const RandomStream& stream, std::uint64_t row, double dropout, std::span<T> numbers) {
  stop_point();
  if (dropout == 0) return;
  using Bits = std::conditional_t<sizeof(T) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
  constexpr std::size_t kDraws = 8;  // draws from one block of random bits
  const std::uint32_t limit = drop_limit(dropout);
  const T scale = kept_scale<T>(dropout);
  const std::size_t blocks = (numbers.size() + kDraws - 1) / kDraws;
  std::size_t i = 0;
  visit_philox_blocks(stream, row * blocks, blocks, [&](std::size_t, auto low, auto high) {
    for (std::size_t k = 0; k < low.size(); ++k)
      for (std::uint64_t words : {low[k], high[k]})
        for (std::size_t d = 0; d < kDraws / 2 && i < numbers.size(); ++d, ++i, words >>= 16) {
          const Bits all = Bits{0} - Bits{(words & 0xFFFF) >= limit};  // no branch: it could not be predicted
          numbers[i] = std::bit_cast<T>(std::bit_cast<Bits>(numbers[i] * scale) & all);
        }
  });
}

template <class T>
T norm_of(std::span<const T> row) {
  return std::max(std::sqrt(inner_product(row.data(), row.data(), row.size())), static_cast<T>(kLeastNorm));
}

/// log(sum of exp(y)).
template <class T>
double log_sum_exp(std::span<const T> y) {
  const auto greatest = static_cast<double>(*std::max_element(y.begin(), y.end()));
  double sum = 0;
  for (const T score : y) sum += fixed::exp(static_cast<double>(score) - greatest);
  return greatest + fixed::log(sum);
}

}  // namespace

template <class T>
struct GraphSage<T>::State {
  using Parts = typename GraphSageProblem<T>::Parts;

  State(const Parts& parts, ProgramRun program)
      : p(parts),
        run(std::move(program)),
        weights(zeros(2 * (p.first_layer() + p.second_layer()))),
        mean(zeros(weights.size())),
        square(zeros(weights.size())),
        derivatives(zeros(weights.size())),
        hidden(zeros(p.nodes * p.hidden)),
        own(zeros(p.nodes * p.classes)),
        needed(zeros(p.needed.size() * p.hidden)),
        needed_norm(p.needed.size()),
        predictions(p.nodes) {}

  /// Zeros, of which there may be gigabytes.
  static std::vector<T> zeros(std::size_t n) {
    stop_point();
    return std::vector<T>(n);
  }

  const T* w1() const { return weights.data(); }
  const T* a1() const { return w1() + p.first_layer(); }
  const T* w2() const { return a1() + p.first_layer(); }
  const T* a2() const { return w2() + p.second_layer(); }

  /// Rows of the last layer made of length 1: scores, and the lengths that they had.
  struct Scores {
    std::vector<T> y;
    std::vector<T> norm;

    Scores() = default;
    Scores(std::span<const T> own, std::span<const T> mean, std::size_t classes) : y(own.size()) {
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = own[i] + mean[i];
      for (std::size_t r = 0; r < y.size(); r += classes) {
        const auto row = std::span(y).subspan(r, classes);
        norm.push_back(norm_of(std::span<const T>(row)));
        divide(row.data(), norm.back(), classes, row.data());
      }
    }
  };

  /// What the backward pass needs of the forward one: rows that training needs after dropout; of each training node
  /// its row, and the mean of its neighbours' rows.
  struct Forward {
    std::vector<T> rows;
    std::vector<T> own;
    std::vector<T> means;
    Scores last;
  };

  void first_layer();
  Forward forward(double dropout);
  double loss(const Scores& last, std::span<T> d_scores) const;
  std::vector<T> rows_backward(const std::vector<T>& rows, std::span<const T> d_scores, T scale) const;
  double training_pass(double dropout, std::span<T> gradient);
  std::vector<T> times_second_layer(std::span<const T> rows, const T* matrix) const;

  RandomStream dropout_draws() const { return program_draws(run.seed(), kDropoutSite, epochs); }
  std::span<T> hidden_row(std::vector<T>& rows, std::size_t r) const {
    return std::span(rows).subspan(r * p.hidden, p.hidden);
  }

  const Parts& p;
  ProgramRun run;
  std::uint64_t epochs = 0;
  double first_power = 1;  // beta_1 to the number of epochs
  double second_power = 1;
  std::vector<T> weights, mean, square;  // and the moments of Adam
  std::vector<T> derivatives;            // from the last step
  std::vector<T> hidden;                 // the first layer's output before dropout, of every node
  std::vector<T> own;                    // `hidden` times w2
  std::vector<T> needed;                 // rows of `hidden` before ReLU, those that training needs
  std::vector<T> needed_norm;            // lengths of these before they were made 1
  std::vector<std::uint32_t> predictions;
};

/// Sets `hidden`, `own`, `needed` and `needed_norm` for the weights.
template <class T>
void GraphSage<T>::State::first_layer() {
  sparse_product(p.x, p.all, w1(), p.hidden, hidden.data(), false);
  sparse_product(p.mean, p.all, a1(), p.hidden, hidden.data(), true);
  std::size_t next = 0;
  each_in_pass(
      p.nodes,
      [&](std::size_t v) {
        const auto row = std::span(hidden).subspan(v * p.hidden, p.hidden);
        const T norm = norm_of(std::span<const T>(row));
        divide(row.data(), norm, p.hidden, row.data());
        if (next < p.needed.size() && p.needed[next] == v) {
          std::copy(row.begin(), row.end(), needed.begin() + static_cast<std::ptrdiff_t>(next * p.hidden));
          needed_norm[next++] = norm;
        }
        rectify(row.data(), p.hidden, row.data());
      },
      p.hidden);
  own = times_second_layer(hidden, w2());
}

/// Rows of the hidden layer, or of means of it, times w2 or a2.
template <class T>
std::vector<T> GraphSage<T>::State::times_second_layer(std::span<const T> rows, const T* matrix) const {
  const std::size_t count = rows.size() / p.hidden;
  std::vector<T> product(count * p.classes);
  dense_product(count, p.hidden, p.classes, rows.data(), matrix, product.data());
  return product;
}

/// Forward through the rows that training needs.
template <class T>
typename GraphSage<T>::State::Forward GraphSage<T>::State::forward(double dropout) {
  const std::size_t count = p.train.size();
  const RandomStream dropped = dropout_draws();
  Forward pass;
  pass.rows.resize(needed.size());
  rectify(needed.data(), needed.size(), pass.rows.data());
  for (std::size_t r = 0; r < p.needed.size(); ++r) drop(dropped, p.needed[r], dropout, hidden_row(pass.rows, r));
  pass.means.assign((count + 1) * p.hidden, 0);
  run.index_add(p.training, std::span<const T>(pass.rows), std::span<T>(pass.means));
  pass.means.resize(count * p.hidden);
  pass.own.resize(count * p.hidden);
  each_in_pass(
      count,
      [&](std::size_t t) {
        const auto average = hidden_row(pass.means, t);
        divide(average.data(), p.edges_into[p.train[t]], p.hidden, average.data());
        const auto from = hidden_row(pass.rows, p.row_of_train[t]);
        std::copy(from.begin(), from.end(), hidden_row(pass.own, t).begin());
      },
      p.hidden);
  pass.last = {times_second_layer(pass.own, w2()), times_second_layer(pass.means, a2()), p.classes};
  return pass;
}

/// The loss; and its derivatives by the last layer before it was made of length 1.
template <class T>
double GraphSage<T>::State::loss(const Scores& last, std::span<T> d_scores) const {
  const std::size_t count = p.train.size();
  double loss = 0;
  std::vector<T> dy(p.classes);
  for (std::size_t t = 0; t < count; ++t) {
    const auto y = std::span(last.y).subspan(t * p.classes, p.classes);
    const double log_sum = log_sum_exp(y);
    const std::uint32_t label = p.label[p.train[t]];
    loss += log_sum - static_cast<double>(y[label]);
    for (std::size_t c = 0; c < p.classes; ++c)
      dy[c] = static_cast<T>((fixed::exp(static_cast<double>(y[c]) - log_sum) - (c == label ? 1 : 0)) /
                             static_cast<double>(count));
    const T inner = inner_product(y.data(), dy.data(), p.classes);
    normalize_backward(y.data(), dy.data(), inner, last.norm[t], p.classes, d_scores.data() + t * p.classes);
  }
  return loss / static_cast<double>(count);
}

/// Derivatives of the loss by the needed rows of the first layer before they were made of length 1. `rows`: of
/// Forward: a number there is above 0 where the hidden number was above 0 and was kept.
template <class T>
std::vector<T> GraphSage<T>::State::rows_backward(const std::vector<T>& rows, std::span<const T> d_scores,
                                                  T scale) const {
  const std::size_t h = p.hidden;
  const std::size_t count = p.train.size();
  std::vector<T> d_own(count * h), d_means(count * h);
  product_transposed(count, p.classes, h, d_scores.data(), w2(), d_own.data());
  product_transposed(count, p.classes, h, d_scores.data(), a2(), d_means.data());
  each_in_pass(
      count,
      [&](std::size_t t) {
        divide(hidden_row(d_means, t).data(), p.edges_into[p.train[t]], h, hidden_row(d_means, t).data());
      },
      h);

  std::vector<T> d_rows(needed.size(), 0);
  each_in_pass(
      p.needed.size(),
      [&](std::size_t r) {  // index_put's sorted form adds in the order of the edges
        for (std::uint32_t e = p.backward_begin[r]; e < p.backward_begin[r + 1]; ++e)
          add_slice(hidden_row(d_rows, r).data(), hidden_row(d_means, p.backward[e]).data(), h);
      },
      h);
  each_in_pass(
      count,
      [&](std::size_t t) { add_slice(hidden_row(d_rows, p.row_of_train[t]).data(), hidden_row(d_own, t).data(), h); },
      h);
  each_in_pass(
      p.needed.size(),
      [&](std::size_t r) {
        T* const d = d_rows.data() + r * h;
        const T* const y = needed.data() + r * h;
        rectify_backward(rows.data() + r * h, scale, h, d);
        normalize_backward(y, d, inner_product(y, d, h), needed_norm[r], h, d);
      },
      h);
  return d_rows;
}

/// The loss, and its derivatives by the weights unless `gradient` is empty.
template <class T>
double GraphSage<T>::State::training_pass(double dropout, std::span<T> gradient) {
  const std::size_t count = p.train.size();
  const Forward pass = forward(dropout);
  std::vector<T> d_scores(pass.last.y.size());
  const double result = loss(pass.last, d_scores);
  if (gradient.empty()) return result;
  T* const d_w1 = gradient.data();
  T* const d_a1 = d_w1 + p.first_layer();
  T* const d_w2 = d_a1 + p.first_layer();
  T* const d_a2 = d_w2 + p.second_layer();
  transposed_product(p.hidden, count, p.classes, pass.own.data(), d_scores.data(), d_w2);
  transposed_product(p.hidden, count, p.classes, pass.means.data(), d_scores.data(), d_a2);
  const std::vector<T> d_rows = rows_backward(pass.rows, d_scores, kept_scale<T>(dropout));
  sparse_product(p.x_by_feature, p.all_features, d_rows.data(), p.hidden, d_w1, false);
  sparse_product(p.mean_by_feature, p.all_features, d_rows.data(), p.hidden, d_a1, false);
  return result;
}

template <class T>
GraphSage<T>::GraphSage(const GraphSageProblem<T>& problem, ProgramRun run)
    : problem_(problem),
      state_(in_float_environment([&] { return std::make_unique<State>(*problem.parts_, std::move(run)); })) {
  const FloatEnvironment environment;
  State& s = *state_;
  const std::size_t first = s.p.first_layer();
  const std::size_t second = s.p.second_layer();
  const auto draw = [&](std::uint64_t matrix, std::size_t inputs, std::size_t begin, std::size_t count) {
    draw_weights(program_draws(s.run.seed(), kWeightSite, matrix), inputs, std::span(s.weights).subspan(begin, count));
  };
  draw(0, s.p.features, 0, first);
  draw(1, s.p.features, first, first);
  draw(2, s.p.hidden, 2 * first, second);
  draw(3, s.p.hidden, 2 * first + second, second);
  s.first_layer();
}

template <class T>
GraphSage<T>::~GraphSage() = default;
template <class T>
GraphSage<T>::GraphSage(GraphSage&&) noexcept = default;

template <class T>
EpochScores GraphSage<T>::epoch() {
  const FloatEnvironment environment;
  State& s = *state_;
  EpochScores result;
  result.loss = s.training_pass(problem_.options().dropout, s.derivatives);
  stop_point();
  ++s.epochs;
  s.first_power *= kFirstDecay;
  s.second_power *= kSecondDecay;
  const auto of = [](double x) { return static_cast<T>(x); };
  const AdamStep<T> step{.weight_decay = of(problem_.options().weight_decay),
                         .first = of(1 - kFirstDecay),
                         .second = of(1 - kSecondDecay),
                         .kept = of(kSecondDecay),
                         .root_correction = of(std::sqrt(1 - s.second_power)),
                         .epsilon = of(kEpsilon),
                         .step = of(problem_.options().learning_rate / (1 - s.first_power))};
  in_chunks(s.weights.size(), [&](std::size_t first, std::size_t count) {
    adam(step, count, s.derivatives.data() + first, s.weights.data() + first, s.mean.data() + first,
         s.square.data() + first);
  });
  s.first_layer();
  s.predictions = evaluate(s.run).predictions;
  const auto accuracy = [&](NodeUse use) {
    std::size_t right = 0, all = 0;
    for (std::size_t v = 0; v < s.p.nodes; ++v)
      if (s.p.use[v] == use) {
        ++all;
        if (s.predictions[v] == s.p.label[v]) ++right;
      }
    return all == 0 ? 0 : static_cast<double>(right) / static_cast<double>(all);
  };
  result.train_accuracy = accuracy(NodeUse::train);
  result.validation_accuracy = accuracy(NodeUse::validation);
  result.test_accuracy = accuracy(NodeUse::test);
  return result;
}

template <class T>
std::span<const std::uint32_t> GraphSage<T>::predictions() const {
  return state_->predictions;
}

template <class T>
std::span<const T> GraphSage<T>::weights() const {
  return state_->weights;
}

template <class T>
typename GraphSage<T>::Evaluation GraphSage<T>::evaluate(ProgramRun& run) const {
  const FloatEnvironment environment;
  const State& s = *state_;
  const std::size_t h = s.p.hidden;
  std::vector<T> means(s.hidden.size(), 0);
  run.index_add(s.p.evaluation, std::span<const T>(s.hidden), std::span<T>(means));
  each_in_pass(
      s.p.nodes, [&](std::size_t v) { divide(means.data() + v * h, s.p.edges_into[v], h, means.data() + v * h); }, h);
  const typename State::Scores last(s.own, s.times_second_layer(means, s.a2()), s.p.classes);
  Evaluation result;
  each_in_pass(s.p.nodes, [&](std::size_t v) {
    const auto y = std::span(last.y).subspan(v * s.p.classes, s.p.classes);
    const auto best = std::max_element(y.begin(), y.end());
    double second = -HUGE_VAL;
    for (auto c = y.begin(); c != y.end(); ++c)
      if (c != best) second = std::max(second, static_cast<double>(*c));
    result.predictions.push_back(static_cast<std::uint32_t>(best - y.begin()));
    result.margins.push_back(static_cast<double>(*best) - second);
  });
  return result;
}

template <class T>
void GraphSage<T>::set_weights(std::span<const T> weights) {
  if (weights.size() != state_->weights.size())
    throw Error(ErrorKind::usage, std::to_string(weights.size()) + " weights for a model that has " +
                                      std::to_string(state_->weights.size()));
  const FloatEnvironment environment;
  std::copy(weights.begin(), weights.end(), state_->weights.begin());
  state_->first_layer();
}

template <class T>
double GraphSage<T>::loss(std::span<T> gradient) {
  const FloatEnvironment environment;
  if (!gradient.empty() && gradient.size() != state_->weights.size())
    throw Error(ErrorKind::usage, "gradient: there is room for " + std::to_string(gradient.size()) +
                                      " numbers; there are " + std::to_string(state_->weights.size()) + " weights");
  return state_->training_pass(problem_.options().dropout, gradient);
}

template class GraphSage<float>;
template class GraphSage<double>;

}  // namespace orderlab
