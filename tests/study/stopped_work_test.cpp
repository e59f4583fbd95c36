// Work before the first result: it says how far it is, and a stop ends it.
#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "orderlab/study/alternatives.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/operation.hpp"
#include "orderlab/study/solve.hpp"
#include "orderlab/study/train.hpp"
#include "study/watched_stage.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

/// What a watch is told, by stage; and a stop when it is told so often.
class Told {
 public:
  explicit Told(std::uint64_t stop_after = 0) : stop_after_(stop_after) {
    watch.stop = source_.get_token();
    watch.begins = [this](const std::string& name) { stage_ = name; };
    watch.advances = [this](const study::Progress& progress) {
      CHECK(progress.done <= progress.total);
      ++calls;
      first.try_emplace(stage_, progress);
      totals[stage_].insert(progress.total);
      if (calls == stop_after_) source_.request_stop();
    };
  }

  study::Watch watch;
  std::uint64_t calls = 0;
  std::map<std::string, study::Progress> first;
  std::map<std::string, std::set<std::uint64_t>> totals;  ///< totals of the passes

 private:
  std::stop_source source_;
  std::string stage_;
  std::uint64_t stop_after_;
};

/// `work` says how far it is in each of these stages, before their ends; and a stop at the first word of any ends it
/// without another word. Works on one thread.
void check_stages(const std::function<void(const study::Watch&)>& work, const std::vector<std::string>& stages) {
  Told whole;
  work(whole.watch);
  for (const std::string& stage : stages) {
    CAPTURE(stage);
    REQUIRE(whole.first.contains(stage));
    CHECK(whole.first.at(stage).done < whole.first.at(stage).total);
  }
  Told stopped(1);
  CHECK_THROWS_AS(work(stopped.watch), Stopped);
  CHECK(stopped.calls == 1);
}

constexpr std::size_t kMany = 600'000;  // terms: more than two parts of a loop, and many chunks

}  // namespace

TEST_CASE("generated terms say how far they are, and can be stopped") {
  for (const char* distribution : {"uniform(0,1)", "normal(0,1)", "lognormal(0,1)", "exponential(1)", "cauchy(0,1)",
                                   "constant(1)", "integers(9)", "logspread(-3,3)", "dyadic(10,10)", "cancel(1e4)"}) {
    CAPTURE(distribution);
    check_stages(
        [&](const study::Watch& watch) {
          study::generated_input({.n = kMany, .distribution = distribution, .threads = 1}, watch);
        },
        {"generating terms", "exact sum"});
  }
  CHECK(distributions().size() == 10);
}

TEST_CASE("watched terms are those that nobody watches") {
  Told told;
  const study::GeneratedTerms what{.n = kMany, .distribution = "cancel(1e4)"};
  const study::Input watched = study::generated_input(what, told.watch);
  const study::Input unwatched = study::generated_input(what);
  CHECK(watched.facts.hash == unwatched.facts.hash);
  CHECK(watched.facts.exact.round_to(Format::fp64) == unwatched.facts.exact.round_to(Format::fp64));
}

TEST_CASE("files say how far they are read, and can be stopped") {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + ".5\n";
  const TemporaryFile terms("terms.txt", text);
  const TemporaryFile raw("terms.f64", std::string(800'000, '\0'));
  for (const TemporaryFile* file : {&terms, &raw}) {
    CAPTURE(file->path());
    check_stages(
        [&](const study::Watch& watch) {
          study::in_stage(watch, "reading terms", [&] { return read_terms(file->path(), std::nullopt); });
        },
        {"reading terms"});
  }
}

TEST_CASE("a system of equations says how far it is, and can be stopped") {
  check_stages([](const study::Watch& watch) { study::solve_input({.matrix = "poisson2d(100)"}, watch); },
               {"system of equations"});
  std::string text = "%%MatrixMarket matrix coordinate real general\n20000 20000 20000\n";
  for (int i = 1; i <= 20'000; ++i) text += std::to_string(i) + " " + std::to_string(i) + " 2.5\n";
  const TemporaryFile file("large.mtx", text);
  check_stages([&](const study::Watch& watch) { study::solve_input({.matrix = file.path()}, watch); },
               {"system of equations"});
}

TEST_CASE("a solver says how many iterations its first run has done, and can be stopped in it") {
  const study::SolveInput input = study::solve_input({.matrix = "poisson2d(20)"});
  for (const char* solver : {"cg", "bicgstab", "gmres"}) {
    CAPTURE(solver);
    study::SolveRequest request;
    request.solver = solver;
    request.samples = 1;
    request.threads = 1;
    Told whole;
    REQUIRE(study::find_solve(input, request, whole.watch));
    CHECK(whole.totals["launch order"].contains(request.max_iterations));
    Told stopped(3);
    CHECK(!study::find_solve(input, request, stopped.watch));
    CHECK(stopped.calls == 3);
  }
}

TEST_CASE("a generated graph says how far it is, and can be stopped") {
  check_stages([](const study::Watch& watch) { study::training_input({.nodes = 20'000}, watch); },
               {"generating the graph"});
}

TEST_CASE("training says how far it is before its first epoch is done, and can be stopped there") {
  const study::TrainingInput input =
      study::training_input({.nodes = 80, .classes = 3, .features = 30, .degree = 6, .train_each = 5});
  study::TrainRequest request;
  request.seeds = 1;
  request.model.hidden = 8;
  request.threads = 1;
  Told whole;
  REQUIRE(study::train(input, request, {}, whole.watch));
  REQUIRE(whole.first.contains("training, steps"));
  CHECK(whole.first.at("training, steps").done == 1);  // a model
  CHECK(whole.first.at("training, steps").total == request.orders * (1 + request.epochs) + request.evaluations);
  study::Watch watch;
  std::stop_source source;
  watch.stop = source.get_token();
  std::uint64_t steps = 0;
  std::string stage;
  watch.begins = [&](const std::string& name) { stage = name; };
  watch.advances = [&](const study::Progress&) {
    if (stage != "training, steps") return;
    ++steps;
    source.request_stop();
  };
  CHECK(!study::train(input, request, {}, watch));
  CHECK(steps == 1);
}

TEST_CASE("what comes before the runs of alternatives says how far it is, and can be stopped") {
  const auto input_of = [](const char* text, std::size_t n, const study::Watch& watch) {
    return study::operation_input(parse_operation(text), {.shape = {n}}, {}, nullptr, watch);
  };
  for (const char* text : {"index_add", "scan"}) {
    CAPTURE(text);
    check_stages([&](const study::Watch& watch) { input_of(text, kMany, watch); }, {"generating inputs"});
    const study::OperationInput input = input_of(text, 30'000, {});
    study::AlternativesRequest request;
    request.samples = 4;
    request.threads = 1;
    Told whole;
    REQUIRE(study::find_alternatives(input, request, whole.watch));
    for (const char* stage : {"outputs that vary", "exact results", "additions", "fixed orders", "sampling"}) {
      CAPTURE(stage);
      CHECK(whole.first.contains(stage));
    }
    for (std::uint64_t calls = 1; calls < 8; ++calls) {
      Told stopped(calls);
      CHECK(!study::find_alternatives(input, request, stopped.watch));
      CHECK(stopped.calls == calls);
    }
  }
}

TEST_CASE("alternatives that are stopped have all fixed orders, and the runs that were drawn") {
  const study::OperationInput input = study::operation_input(parse_operation("index_add"), {.shape = {500}});
  study::AlternativesRequest request;
  request.samples = 50;
  request.threads = 1;
  const auto whole = study::find_alternatives(input, request).value();
  std::stop_source source;
  std::string stage;
  study::Watch watch;
  watch.stop = source.get_token();
  watch.begins = [&](const std::string& name) { stage = name; };
  watch.advances = [&](const study::Progress& progress) {
    if (stage == "sampling" && progress.done == 7) source.request_stop();
  };
  const auto part = study::find_alternatives(input, request, watch);
  REQUIRE(part);
  CHECK(part->partial);
  CHECK(part->samples == 7);
  REQUIRE(part->alternatives.size() == whole.alternatives.size());
  for (std::size_t i = 1; i < whole.alternatives.size(); ++i) {
    CHECK(part->alternatives[i].name == whole.alternatives[i].name);
    CHECK(part->alternatives[i].error == whole.alternatives[i].error);
  }
}
