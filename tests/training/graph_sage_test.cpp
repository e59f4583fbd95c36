// GraphSAGE: scores by dense loops from the definition, derivatives by finite differences, bits that nothing changes.
#include "orderlab/graph_sage.hpp"

#include <doctest/doctest.h>
#include <hwy/targets.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "reference/vector_targets.hpp"
#include "training/row_vectors.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

NodeGraph small_graph() {
  return planted_communities({.nodes = 60, .classes = 3, .features = 30, .degree = 5, .train_each = 4});
}

GraphSageOptions small_model(double dropout) { return {.hidden = 19, .dropout = dropout}; }

ProgramRun launch_run(std::uint64_t seed) { return {seed, 0, Reductions::launch}; }

template <class T>
bool same_bits(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

using DenseRows = std::vector<std::vector<double>>;

DenseRows dense_features(const NodeGraph& graph) {
  DenseRows x(graph.nodes, std::vector<double>(graph.features.columns));
  for (std::size_t v = 0; v < graph.nodes; ++v)
    for (std::uint32_t e = graph.features.row_begin[v]; e < graph.features.row_begin[v + 1]; ++e)
      x[v][graph.features.column[e]] = static_cast<double>(graph.features.value[e]);
  return x;
}

DenseRows neighbour_means(const NodeGraph& graph, const DenseRows& x) {
  DenseRows mean(graph.nodes, std::vector<double>(x[0].size()));
  std::vector<double> edges(graph.nodes);
  for (std::size_t e = 0; e < graph.source.size(); ++e) {
    ++edges[graph.target[e]];
    for (std::size_t i = 0; i < x[0].size(); ++i) mean[graph.target[e]][i] += x[graph.source[e]][i];
  }
  for (std::size_t v = 0; v < graph.nodes; ++v)
    for (double& m : mean[v])
      if (edges[v] > 0) m /= edges[v];
  return mean;
}

/// normalize(x W + mean A), the matrices in C order from `w` and `a` on.
DenseRows layer(const NodeGraph& graph, const DenseRows& x, const double* w, const double* a, std::size_t outputs) {
  const DenseRows mean = neighbour_means(graph, x);
  DenseRows out(graph.nodes, std::vector<double>(outputs));
  for (std::size_t v = 0; v < graph.nodes; ++v) {
    double square = 0;
    for (std::size_t o = 0; o < outputs; ++o) {
      for (std::size_t i = 0; i < x[0].size(); ++i)
        out[v][o] += x[v][i] * w[i * outputs + o] + mean[v][i] * a[i * outputs + o];
      square += out[v][o] * out[v][o];
    }
    for (double& y : out[v]) y /= std::sqrt(square);
  }
  return out;
}

DenseRows scores_by_definition(const NodeGraph& graph, std::size_t hidden, std::span<const double> weights) {
  const std::size_t first = graph.features.columns * hidden;
  DenseRows h = layer(graph, dense_features(graph), weights.data(), weights.data() + first, hidden);
  for (auto& row : h)
    for (double& y : row) y = std::max(y, 0.0);
  return layer(graph, h, weights.data() + 2 * first, weights.data() + 2 * first + hidden * graph.classes,
               graph.classes);
}

double loss_by_definition(const NodeGraph& graph, const DenseRows& scores) {
  double loss = 0, count = 0;
  for (std::size_t v = 0; v < graph.nodes; ++v) {
    if (graph.use[v] != NodeUse::train) continue;
    double sum = 0;
    for (const double y : scores[v]) sum += std::exp(y);
    loss += std::log(sum) - scores[v][graph.label[v]];
    ++count;
  }
  return loss / count;
}

}  // namespace

TEST_CASE("loss and scores are those of the definition, by dense loops") {
  const NodeGraph graph = small_graph();
  const GraphSageProblem<double> problem(graph, small_model(0));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    GraphSage<double> model(problem, launch_run(seed));
    const DenseRows scores = scores_by_definition(graph, 19, model.weights());
    // Sums of at most 60 products of numbers below 1, made of length 1, four deep: a few hundred roundings of 2^-53.
    constexpr double kRoundings = 1000 * 0x1p-53;
    CHECK(std::abs(model.loss({}) - loss_by_definition(graph, scores)) < kRoundings * 10);
    ProgramRun run = launch_run(seed);
    const auto evaluation = model.evaluate(run);
    for (std::size_t v = 0; v < graph.nodes; ++v) {
      std::vector<double> row = scores[v];
      const auto best = std::max_element(row.begin(), row.end());
      CHECK(static_cast<std::size_t>(best - row.begin()) == evaluation.predictions[v]);
      const double greatest = *best;
      *best = -2;
      CHECK(std::abs(greatest - *std::max_element(row.begin(), row.end()) - evaluation.margins[v]) < kRoundings * 10);
    }
  }
}

TEST_CASE("derivatives agree with finite differences in fp64") {
  const NodeGraph graph = small_graph();
  const GraphSageProblem<double> problem(graph, small_model(0.4));
  GraphSage<double> model(problem, launch_run(5));
  std::vector<double> gradient(problem.weights());
  model.loss(gradient);
  const std::vector<double> start(model.weights().begin(), model.weights().end());
  const auto loss_at = [&](std::size_t i, double step) {
    std::vector<double> weights = start;
    weights[i] += step;
    model.set_weights(weights);
    return model.loss({});
  };
  std::size_t sharp = 0, tried = 0;
  for (std::size_t i = 0; i < start.size(); i += 7) {
    constexpr double kStep = 1e-4;
    const double far = (loss_at(i, kStep) - loss_at(i, -kStep)) / (2 * kStep);
    const double near = (loss_at(i, kStep / 2) - loss_at(i, -kStep / 2)) / kStep;
    // The error of `near` is a third of the difference where the third derivative is steady; and both losses are
    // rounded, by less than 1000 u each.
    const double tolerance = std::abs(far - near) + 1000 * 0x1p-53 * 2 / kStep;
    CAPTURE(i);
    CHECK(std::abs(near - gradient[i]) <= tolerance);
    ++tried;
    if (tolerance < 1e-6) ++sharp;  // else a unit of the hidden layer has just become 0
  }
  CHECK(sharp * 10 > tried * 9);
}

TEST_CASE("two trainings with one seed and sample agree in every bit, with any vectors") {
  const NodeGraph graph = small_graph();
  const auto trained = [&](std::uint64_t sample) {
    const GraphSageProblem<float> problem(graph, small_model(0.5));
    GraphSage<float> model(problem, ProgramRun(3, sample));
    for (int epoch = 0; epoch < 4; ++epoch) model.epoch();
    return std::vector<float>(model.weights().begin(), model.weights().end());
  };
  const std::vector<float> expected = trained(1);
  CHECK(!same_bits<float>(trained(2), expected));
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    const OnTarget on(target);
    CHECK(same_bits<float>(trained(1), expected));
  }
}

TEST_CASE("order comes in by index_add alone: in launch order, and with exact sums, no run differs") {
  const NodeGraph graph = small_graph();
  const auto trained = [&](Reductions reductions, std::uint64_t sample, const char* arrival) {
    const GraphSageProblem<float> problem(graph, small_model(0.5), arrival);
    GraphSage<float> model(problem, ProgramRun(3, sample, reductions));
    for (int epoch = 0; epoch < 3; ++epoch) model.epoch();
    return std::vector<float>(model.weights().begin(), model.weights().end());
  };
  const auto launch = trained(Reductions::launch, 0, "uniform");
  CHECK(same_bits<float>(trained(Reductions::launch, 1, "uniform"), launch));
  CHECK(same_bits<float>(trained(Reductions::drawn, 1, "launch"), launch));
  const auto exact = trained(Reductions::exact, 0, "uniform");
  CHECK(same_bits<float>(trained(Reductions::exact, 7, "jitter(5)"), exact));
  CHECK(!same_bits<float>(launch, exact));
}

TEST_CASE("weights and seeds: initial weights are within their bound, and differ by seed") {
  const NodeGraph graph = small_graph();
  const GraphSageProblem<float> problem(graph, small_model(0.5));
  const GraphSage<float> a(problem, ProgramRun(1, 0));
  const GraphSage<float> b(problem, ProgramRun(2, 0));
  const GraphSage<float> again(problem, ProgramRun(1, 9));
  CHECK(same_bits(a.weights(), again.weights()));
  CHECK(!same_bits(a.weights(), b.weights()));
  const std::size_t first = 2 * 30 * 19;
  double sum = 0;
  for (std::size_t i = 0; i < a.weights().size(); ++i) {
    CHECK(std::abs(a.weights()[i]) <= static_cast<float>(1 / std::sqrt(i < first ? 30.0 : 19.0)));
    if (i < first) sum += static_cast<double>(a.weights()[i]) * std::sqrt(30.0);
  }
  CHECK(std::abs(sum) < 5 * std::sqrt(static_cast<double>(first) / 3));  // five sd of a sum of uniform(-1,1)
}

TEST_CASE("a model refuses options and weights that do not fit") {
  const NodeGraph graph = small_graph();
  CHECK_THROWS_AS(GraphSageProblem<float>(graph, {.dropout = 1}), Error);
  CHECK_THROWS_AS(GraphSageProblem<float>(graph, {.hidden = 0}), Error);
  CHECK_THROWS_AS(GraphSageProblem<float>(graph, {.learning_rate = NAN}), Error);
  const GraphSageProblem<float> problem(graph, small_model(0.5));
  GraphSage<float> model(problem, launch_run(1));
  const std::vector<float> three(3);
  CHECK_THROWS_WITH_AS(model.set_weights(three), "3 weights for a model that has 1254", Error);
}

TEST_CASE("a step of Adam is that of its definition") {
  constexpr std::size_t kWeights = 37;
  std::vector<double> weight(kWeights), mean(kWeights), square(kWeights), w(kWeights), m(kWeights), v(kWeights);
  for (std::size_t i = 0; i < kWeights; ++i) weight[i] = w[i] = 0.1 * static_cast<double>(i) - 1.7;
  for (int t = 1; t <= 5; ++t) {
    std::vector<double> gradient(kWeights);
    for (std::size_t i = 0; i < kWeights; ++i) gradient[i] = std::sin(static_cast<double>(i) * t);
    const double first = 1 - std::pow(0.9, t), second = 1 - std::pow(0.999, t);
    adam({.weight_decay = 0.01,
          .first = 1 - 0.9,
          .second = 1 - 0.999,
          .kept = 0.999,
          .root_correction = std::sqrt(second),
          .epsilon = 1e-8,
          .step = 0.05 / first},
         kWeights, gradient.data(), weight.data(), mean.data(), square.data());
    for (std::size_t i = 0; i < kWeights; ++i) {
      const double g = gradient[i] + 0.01 * w[i];
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.999 * v[i] + 0.001 * g * g;
      w[i] -= 0.05 * (m[i] / first) / (std::sqrt(v[i] / second) + 1e-8);
      CHECK(std::abs(w[i] - weight[i]) < 100 * 0x1p-53);  // some ten roundings a step of numbers below 4
    }
  }
}
