// No result depends on the floating-point environment that a public function is called in, and each leaves it as it
// was. Longer than most files: it calls public functions of every kind.
#include "core/float_environment.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cfenv>
#include <chrono>
#include <concepts>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/arena.hpp"
#include "engine/extremes.hpp"
#include "float_environments.hpp"
#include "order/resolve.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/boxes.hpp"
#include "orderlab/counts.hpp"
#include "orderlab/crosscheck.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/error.hpp"
#include "orderlab/fit.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/output_sums.hpp"
#include "orderlab/page.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/program.hpp"
#include "orderlab/run_summary.hpp"
#include "orderlab/solver.hpp"
#include "orderlab/study/alternatives.hpp"
#include "orderlab/study/check.hpp"
#include "orderlab/study/compare.hpp"
#include "orderlab/study/crosscheck.hpp"
#include "orderlab/study/enumerate.hpp"
#include "orderlab/study/operation.hpp"
#include "orderlab/study/probe.hpp"
#include "orderlab/study/sample.hpp"
#include "orderlab/study/solve.hpp"
#include "orderlab/study/tolerance.hpp"
#include "orderlab/study/train.hpp"
#include "orderlab/study/worst.hpp"
#include "orderlab/terms.hpp"
#include "orderlab/tolerance.hpp"
#include "show/alternatives.hpp"
#include "show/check.hpp"
#include "show/check_any.hpp"
#include "show/compare.hpp"
#include "show/crosscheck.hpp"
#include "show/enumerate.hpp"
#include "show/explain.hpp"
#include "show/operation.hpp"
#include "show/probe.hpp"
#include "show/sample.hpp"
#include "show/solve.hpp"
#include "show/tolerance.hpp"
#include "show/tolerance_of_operation.hpp"
#include "show/train.hpp"
#include "show/worst.hpp"

using namespace orderlab;
using float_environments::Controls;
using float_environments::controls;
using float_environments::Environment;
using float_environments::kAll;
using float_environments::kDefault;
using float_environments::set_controls;

namespace {

/// Sets an environment, and the default one at its end.
class Inherited {
 public:
  explicit Inherited(const Environment& environment) { set_controls(environment.controls); }
  ~Inherited() { set_controls(kDefault); }
  Inherited(const Inherited&) = delete;
  Inherited& operator=(const Inherited&) = delete;
};

/// What a result is, as text, to the last bit. Made in the default environment.
std::string shown(const std::string& text) { return text; }
std::string shown(std::integral auto value) { return std::to_string(value); }
std::string shown(double value) { return shown(std::bit_cast<std::uint64_t>(value)); }
std::string shown(const Evaluation& e) {
  return shown(e.bits) + " " + shown(e.error.linear) + " " + shown(e.error.square) + " " + shown(e.error.extra);
}
std::string shown(const Deviation& d) { return shown(d.absolute) + " " + shown(d.relative) + " " + shown(d.ulp); }
std::string shown(const ExactValue& value) { return value.decimal(60); }
std::string shown(const Terms& terms) { return terms.hash(); }
std::string shown(const ResultCounts& counts) { return counts.wire(); }
template <class T>
std::string shown(const std::optional<T>& value) {
  return value ? shown(*value) : "none";
}
template <class T>
std::string shown(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += shown(value) + ",";
  return text;
}
template <class Finding>
requires requires(const Finding& finding) { to_json(finding); }
std::string shown(const Finding& finding) { return to_json(finding); }

/// Calls a function in every environment. It computes nothing itself.
template <class Function>
void same_everywhere(const char* name, const Function& function) {
  const std::string expected = shown(function());
  for (const Environment& environment : kAll) {
    Controls after;
    const auto result = [&] {
      const Inherited inherited(environment);
      auto found = function();
      after = controls();
      return found;
    }();
    CAPTURE(std::string(name));
    CAPTURE(std::string(environment.name));
    CHECK(shown(result) == expected);
    CHECK((after == environment.controls));
  }
}

const std::vector<double> kNumbers{1e-310, 2e-310, -3e-310, 5e-324, 0.1, 0.7, -0.3, 1e16, 3.3, -1e16};

Terms terms_of(const std::vector<double>& numbers, Format format = Format::fp64) {
  Terms terms(format, numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) terms.set(i, numbers[i]);
  return terms;
}

}  // namespace

TEST_CASE("exact sums, numbers as text and terms do not notice the environment") {
  const Terms terms = terms_of(kNumbers);
  const Terms narrow = terms_of({1e-40, 2e-45, 0.1, -0.3}, Format::fp32);
  same_everywhere("exact_sum", [&] { return exact_sum(terms.view()); });
  same_everywhere("exact_sum of fp32", [&] { return exact_sum(narrow.view()); });
  same_everywhere("exact_sum_abs", [&] { return exact_sum_abs(terms.view()); });
  same_everywhere("exact_ratio", [&] { return exact_ratio(kNumbers[4], kNumbers[5], kNumbers[6]); });
  same_everywhere("to_double", [&] { return exact_sum(terms.view()).to_double(); });
  same_everywhere("difference", [&] { return exact_sum(terms.view()).difference(kNumbers[4]); });
  same_everywhere("decimal", [&] { return exact_sum(terms.view()).decimal(25); });
  same_everywhere("from_decimal", [&] { return ExactValue::from_decimal("0.1000000000000000055511151231257827"); });
  for (const char* text : {"0.1", "1e-310", "2.5e-324", "1.7976931348623157e308", "0x1.8p-1074", "3.4028236e38"})
    for (const Format format : {Format::fp64, Format::fp32, Format::fp16})
      same_everywhere(text, [&] { return read_number(text, format)->value; });
  for (const char* distribution :
       {"uniform(0,1)", "normal(0,1e-310)", "lognormal(0,1)", "exponential(0.5)", "cauchy(0,1)", "cancel(1e8)",
        "logspread(-320,-300)", "integers(100)", "dyadic(4,0)"})
    for (const Format format : {Format::fp64, Format::fp32})
      same_everywhere(distribution, [&] { return generate_terms(distribution, 50, format, 1); });
  same_everywhere("parse_terms", [] { return parse_terms("0.1,1e-310,3e-41,7", Format::fp32); });
  same_everywhere("Terms::set", [] {
    Terms one(Format::fp32, 3);
    one.set(0, 1e-40);
    one.set(1, 0.1);
    one.set(2, 1e300);
    return one;
  });
  same_everywhere("canonical_distribution", [] { return canonical_distribution("normal(0.1,1e-310)"); });
  same_everywhere("parse_order", [] { return parse_order("arrive(drift(0.3,9.7)) | seq").expression(); });
  same_everywhere("Fault of a range", [] {
    try {
      generate_terms("uniform(0.7,0.1)", 3, Format::fp64, 1);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  });
}

TEST_CASE("evaluators do not notice the environment") {
  for (const Formats formats : {Formats{}, Formats{Format::fp64, Format::fp32, Format::fp32},
                                Formats{Format::fp64, Format::fp80, Format::fp64}})
    for (const char* text : {"sequential", "pairwise", "random", "warp", "seq(acc=kahan)",
                             "shuffle | seq(acc=neumaier)", "sort(asc) | seq", "random_tree"}) {
      CAPTURE(std::string(text));
      const Terms terms = terms_of(kNumbers);
      const auto made = [&] { return Evaluator::make(parse_order(text), terms.view(), formats, 1); };
      const auto evaluator = made();
      same_everywhere("make and evaluate", [&] {
        const auto mine = made();
        return mine->evaluate(3, *mine->make_scratch());
      });
      same_everywhere("evaluate_all", [&] {
        std::vector<Evaluation> all(11);
        evaluator->evaluate_all(5, all, *evaluator->make_scratch());
        return all;
      });
      same_everywhere("random_inputs", [&] { return evaluator->random_inputs(); });
      same_everywhere("tree", [&] { return evaluate(evaluator->tree(2), terms.view()); });
      same_everywhere("sum_of", [&] { return sum_of(evaluator->plan(), terms.view(), 1, 2); });
      same_everywhere("sample", [&] {
        const CountingFrame frame = CountingFrame::make(exact_sum(terms.view()), formats.result, 100);
        return sample(*evaluator, frame, {.begin = 0, .end = 40});
      });
      same_everywhere("every_order_bound", [&] { return every_order_bound(*evaluator, exact_sum(terms.view())); });
    }
  const Terms products = [] {
    Terms x = generate_terms("uniform(0,1)", 40, Format::fp64, 1);
    x.multiply_by(generate_terms("normal(0,1e-300)", 40, Format::fp64, 2));
    return x;
  }();
  same_everywhere("products", [&] {
    const auto mine = Evaluator::make(parse_order("chunks(8,acc=fma) | random"), products.view(), {}, 1);
    return mine->evaluate(3, *mine->make_scratch());
  });
}

TEST_CASE("a user's loop may compute its parts in any environment") {
  const Terms terms = generate_terms("normal(0,1e-300)", 100'000, Format::fp64, 1);
  const auto sum = [&](const Loop& loop) {
    const auto evaluator = Evaluator::make(parse_order("chunks(16) | random"), terms.view(), {}, 1, loop);
    return shown(evaluator->evaluate(0, *evaluator->make_scratch())) +
           generate_terms("cauchy(0,1)", 1 << 19, Format::fp32, 1, 0, loop).hash();
  };
  const std::string expected = sum(serial_loop);
  for (const Environment& environment : kAll) {
    CAPTURE(std::string(environment.name));
    CHECK(sum([&](std::size_t count, const std::function<void(std::size_t)>& body) {
            std::thread([&] {
              set_controls(environment.controls);
              for (std::size_t part = 0; part < count; ++part) body(part);
            }).join();
          }) == expected);
  }
}

TEST_CASE("statistics, bounds and limits do not notice the environment") {
  const Terms terms = terms_of(kNumbers);
  const auto evaluator = Evaluator::make(parse_order("random"), terms.view(), {}, 1);
  const ExactValue exact = exact_sum(terms.view());
  const ExactValue sum_abs = exact_sum_abs(terms.view());
  const ResultCounts counts =
      sample(*evaluator, CountingFrame::make(exact, Format::fp64, 100), {.begin = 0, .end = 200});
  const auto values_of = [](const std::vector<Bound>& bounds) {
    std::vector<std::optional<double>> values;
    for (const Bound& bound : bounds) values.push_back(bound.value);
    return values;
  };
  same_everywhere("all_bounds", [&] { return values_of(all_bounds(*evaluator, counts, sum_abs)); });
  same_everywhere("gamma_bound", [] { return gamma_bound(true, Format::fp32, 17, 0.1, 1e-310); });
  same_everywhere("higham_mary_bound", [] { return higham_mary_bound(true, Format::fp32, 17, 100, 0.1, 0); });
  same_everywhere("no_better", [] { return no_better(0.1, 0.1 / 0.99); });
  same_everywhere("Extent", [] {
    Extent extent(Format::fp32, 7);
    for (const std::uint64_t bits : {3U, 5U, 7U}) extent.add(bits);
    return extent.wire();
  });
  same_everywhere("running_bound",
                  [&] { return running_bound(evaluator->evaluate(0, *evaluator->make_scratch()).error); });
  same_everywhere("errors_of", [&] {
    std::vector<double> values;
    for (const Weighted& one : errors_of(counts, exact).values) values.push_back(one.value);
    return values;
  });
  same_everywhere("measure_all", [&] {
    study::SampleRequest request{.orders = {parse_order("random")}, .samples = 100};
    return study::sample(study::given_input(kNumbers), request);
  });
  same_everywhere("condition_number", [&] { return condition_number(exact, sum_abs); });
  same_everywhere("needed_samples", [] { return needed_samples(0.999, 0.95, 3); });
  same_everywhere("limit_rank", [] { return limit_rank(10'000, 0.99, 0.95); });
  same_everywhere("coverage_of_one", [] { return coverage_of_one(0.99, 7); });
  same_everywhere("check_samples", [] { return check_samples(0.999, 3, 1000); });
  const Yardstick yardstick(exact, Format::fp64);
  same_everywhere("Yardstick", [&] { return Yardstick(exact, Format::fp32).from_reference(kNumbers[8]); });
  same_everywhere("from_reference", [&] { return yardstick.from_reference(kNumbers[4]); });
  same_everywhere("between", [&] { return yardstick.between(kNumbers[4], kNumbers[5]); });
  same_everywhere("sample_deviations", [&] {
    const DeviationTally tally = sample_deviations(*evaluator, yardstick, Against::exact, 5, {.begin = 0, .end = 50});
    return std::vector{tally.limit(2)};
  });
  same_everywhere("variance_components", [] {
    const std::vector<std::vector<double>> runs{{0.1, 0.2, 0.3}, {0.2, 0.25, 0.1}, {0.4, 0.1, 0.2}};
    const VarianceComponents found = variance_components(runs);
    return std::string(reinterpret_cast<const char*>(&found.mean), sizeof found.mean);
  });
  const std::vector<std::uint32_t> order{3, 1, 0, 2, 6, 5, 4};
  same_everywhere("kendall_tau", [&] { return kendall_tau(order); });
  same_everywhere("ratio", [] { return ratio(BigCount(1), BigCount(3)); });
  const auto space = order_space(*evaluator);
  same_everywhere("extremes", [&] {
    const auto found = extremes(*space.space, {});
    return std::vector{found->least.value, found->greatest.value};
  });
}

TEST_CASE("questions do not notice the environment") {
  const study::Input input = study::given_input(kNumbers);
  const study::Input generated = study::generated_input({.n = 60, .distribution = "normal(0,1)"});
  const Order random = parse_order("random");
  same_everywhere("given_input", [&] { return study::given_input(kNumbers).facts.exact; });
  same_everywhere("sum", [&] { return study::sum(input, {.order = parse_order("sequential")}); });
  same_everywhere("SumFinding::value", [&] { return study::sum(input, {.order = parse_order("pairwise")}).value(); });
  same_everywhere("sample", [&] { return study::sample(generated, {.orders = {random}, .samples = 50}); });
  same_everywhere("page", [&] { return html_page(study::sample(generated, {.orders = {random}, .samples = 50})); });
  same_everywhere("check", [&] { return *study::check(input, {.order = random, .results = {kNumbers[8]}}); });
  same_everywhere("check by samples", [&] {
    return *study::check(generated, {.order = random, .results = {kNumbers[4]}, .confidence = 0.9});
  });
  same_everywhere("check of subnormals", [] {
    const study::Input tiny = study::given_input(std::vector{kNumbers[0], kNumbers[1]});
    return *study::check(tiny, {.order = parse_order("random"), .results = {3e-310}});
  });
  same_everywhere("check_any", [&] {
    return *study::check_any(study::given_input(std::vector{0.1, 0.2, 0.3}), {.results = {kNumbers[5]}});
  });
  same_everywhere("enumerate", [] {
    return *study::enumerate(study::given_input(std::vector{0.1, 1e-310, -0.3, 2e-310}),
                             {.order = parse_order("random")});
  });
  same_everywhere("tolerance", [&] { return study::tolerance(generated, {.order = random, .coverage = 0.9}); });
  same_everywhere("worst", [&] { return *study::worst(generated, {.order = random, .evaluations = 200}); });
  same_everywhere("worst of few", [&] { return *study::worst(input, {.order = random}); });
  same_everywhere("compare", [] {
    return study::compare(parse_scores("0.781,0.779,0.790,0.784"), parse_scores("0.795,0.788,0.801,0.797"),
                          {.difference = 0.01});
  });
  same_everywhere("solve", [] {
    const study::SolveInput poisson = study::solve_input({.matrix = "poisson2d(5)", .scale = 0.5});
    return *study::find_solve(poisson, {.solver = "cg", .order = parse_order("warp"), .samples = 3});
  });
  same_everywhere("train", [] {
    study::TrainRequest request{.seeds = 2, .orders = 2, .epochs = 1, .evaluations = 2};
    request.model.hidden = 9;
    return *study::train(
        study::training_input({.nodes = 80, .classes = 3, .features = 30, .degree = 6, .train_each = 5}), request);
  });
  same_everywhere("train, fp64", [] {
    const NodeGraph graph =
        planted_communities({.nodes = 80, .classes = 3, .features = 30, .degree = 6, .train_each = 5});
    const GraphSageProblem<double> problem(graph, {.hidden = 5});
    return GraphSage<double>(problem, ProgramRun(1, 0)).epoch().loss;
  });
}

TEST_CASE("operations do not notice the environment") {
  const OperationCall call = parse_operation("index_add");
  const auto input = [&] { return study::operation_input(call, {.shape = {60, 4}, .ratio = 0.2}); };
  const study::OperationInput made = input();
  same_everywhere("operation_input", [&] { return study::explain(input()); });
  same_everywhere("sample_operation", [&] { return *study::sample_operation(made, {.samples = 10}); });
  same_everywhere("tolerance_of_operation", [&] { return study::tolerance_of_operation(made, {.coverage = 0.9}); });
  same_everywhere("alternatives", [&] { return *study::find_alternatives(made, {.samples = 3}); });
  const auto sums = OutputSums::make(made.operation, parse_arrival("uniform"), DrawPath{.seed = 1});
  same_everywhere("OutputSums", [&] {
    std::vector<std::byte> bytes(sums->result_bytes());
    sums->evaluate(7, bytes, *sums->make_scratch());
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
}

TEST_CASE("programs do not notice the environment, nor do their bodies") {
  const SumSite site(0, parse_order("warp"));
  const std::vector<float> x{1e-40F, 2e-41F, 0.1F, 0.3F, -0.7F, 1e-38F};
  same_everywhere(
      "sum", [&] { return std::bit_cast<std::uint32_t>(ProgramRun(1, 0).sum<float>(site, std::span(x).first(2))); });
  same_everywhere("norm2", [&] { return static_cast<double>(ProgramRun(1, 0).norm2<float>(site, x)); });
  for (const int threads : {1, 3})
    same_everywhere("bodies", [&] {
      std::vector<double> results(20);
      run_samples({.samples = 20, .threads = threads}, [&](ProgramRun& run) {
        const double tiny = kNumbers[0] + kNumbers[4] * kNumbers[5];
        results[run.sample()] = static_cast<double>(run.sum<float>(site, x)) / 3 + tiny;
        set_controls(kAll.back().controls);
      });
      return results;
    });
  same_everywhere("relative_residual", [] {
    const std::vector<Triplet> entries{{0, 0, 0.1}, {1, 1, 0.3}, {0, 1, 1e-310}};
    const LinearSystem<double> system(sparse_matrix<double>(2, 2, entries), {0.7, 1e-310});
    return system.relative_residual(std::vector{0.3, 0.1});
  });
}

TEST_CASE("kernels compute in orderlab's environment") {
  const Executor& executor = host_executors().front();
  same_everywhere("crosscheck", [&] { return study::crosscheck({&executor, 1}, {.sizes = {100}}); });
  const BoxMaker maker = kernel_box(executor, {.threads = 32, .grid = 2}, {Format::fp32, Format::fp32, Format::fp32});
  const Terms terms = generate_terms("normal(0,1e-40)", 50, Format::fp32, 1);
  same_everywhere("kernel_box", [&] { return maker.make({.n = 50})->sum(terms.view()); });
}

TEST_CASE("a box has its caller's environment, and what it makes of it stays the caller's") {
  const auto in_turn = [](const TermView& terms) {
    const Controls mine = controls();
    set_controls(kDefault);
    float sum = static_cast<float>(terms.left(0));
    for (std::size_t i = 1; i < terms.n; ++i) sum += static_cast<float>(terms.left(i));
    volatile double result = static_cast<double>(sum);  // before the environment changes
    set_controls(mine);
    return result;
  };
  const std::string expected = to_json(*study::probe({.box = function_box("f", in_turn), .n = 16}));
  for (const Environment& environment : kAll) {
    CAPTURE(std::string(environment.name));
    bool inside = true;
    std::uint64_t told = 0;
    study::Watch watch;
    watch.begins = [&](const std::string&) { inside = inside && controls() == environment.controls; };
    watch.advances = [&](const study::Progress&) {
      ++told;
      inside = inside && controls() == environment.controls;
    };
    const auto box = [&](const TermView& terms) {
      inside = inside && controls() == environment.controls;
      return in_turn(terms);
    };
    const auto found = [&] {
      const Inherited inherited(environment);
      return study::probe({.box = function_box("f", box), .n = 16}, watch);
    }();
    CHECK(to_json(*found) == expected);
    CHECK(inside);
    CHECK(told > 0);
    // A library that the box loads sets an environment.
    Controls after;
    const auto changed = study::probe({.box = function_box("f",
                                                           [&](const TermView& terms) {
                                                             const double sum = in_turn(terms);
                                                             set_controls(environment.controls);
                                                             return sum;
                                                           }),
                                       .n = 16});
    after = controls();
    set_controls(kDefault);
    CHECK(to_json(*changed) == expected);
    CHECK((after == environment.controls));
  }
}

TEST_CASE("a box in a process of its own is asked and answers alike") {
  const Terms terms = terms_of({1e-310, 2e-310, 0.1, 0.7});
  same_everywhere("command", [&] {
    return command_box("awk '{s = s \" + \" $1} END {print 0.1}'")
        .make({.n = 4, .format = Format::fp64})
        ->sum(terms.view());
  });
}

TEST_CASE("every thread of a loop computes in orderlab's environment") {
  for (const Environment& environment : kAll) {
    CAPTURE(std::string(environment.name));
    std::array<Controls, 64> seen{};
    Controls after;
    {
      const Inherited inherited(environment);
      loop_on(4)(seen.size(), [&](std::size_t i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        seen[i] = controls();
      });
      after = controls();
    }
    CHECK((after == environment.controls));
    for (const Controls& one : seen) CHECK((one == kDefault));
  }
}

TEST_CASE("a function that throws leaves the environment as it was") {
  for (const Environment& environment : kAll) {
    CAPTURE(std::string(environment.name));
    bool thrown = false;
    Controls after;
    {
      const Inherited inherited(environment);
      try {
        parse_order("no such order");
      } catch (const Error&) {
        thrown = true;
      }
      after = controls();
    }
    CHECK(thrown);
    CHECK((after == environment.controls));
  }
}

TEST_CASE("flags of exceptions that a function raises stay its own, those of the caller stay") {
  const Terms terms = terms_of({0.1, 0.7, 1e308, 1e308});
  const auto evaluator = Evaluator::make(parse_order("sequential"), terms.view(), {}, 1);
  for (const int before : {0, FE_DIVBYZERO, FE_INEXACT | FE_INVALID}) {
    std::feclearexcept(FE_ALL_EXCEPT);
    std::feraiseexcept(before);
    const Evaluation e = evaluator->evaluate(0, *evaluator->make_scratch());
    const int after = std::fetestexcept(FE_ALL_EXCEPT);
    std::feclearexcept(FE_ALL_EXCEPT);
    CHECK(e.bits == bits_of(std::numeric_limits<double>::infinity()));
    CHECK(after == before);
  }
}

TEST_CASE("environments nest") {
  for (const Environment& environment : kAll) {
    CAPTURE(std::string(environment.name));
    std::vector<Controls> seen;
    {
      const Inherited inherited(environment);
      const CallersFloatEnvironment of_nobody;  // outside of every FloatEnvironment it changes nothing
      seen.push_back(controls());
      {
        const FloatEnvironment ours;
        seen.push_back(controls());
        {
          const FloatEnvironment again;
          const CallersFloatEnvironment callers;
          seen.push_back(controls());
          {
            const FloatEnvironment of_a_callable;
            seen.push_back(controls());
            const CallersFloatEnvironment inside;
            seen.push_back(controls());
          }
          seen.push_back(controls());
        }
        seen.push_back(controls());
      }
      seen.push_back(controls());
    }
    const Controls its = environment.controls;
    CHECK((seen == std::vector{its, kDefault, its, kDefault, its, its, kDefault, its}));
  }
}
