// What the lists of stages and named orders say about themselves.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "order/pipelines.hpp"
#include "orderlab/arrival.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// What a user can write of a parameter, and the resolver has to know.
void check_parameters(std::span<const Parameter> parameters) {
  std::set<std::string_view> names;
  bool keyword_only = false;
  for (const Parameter& parameter : parameters) {
    CAPTURE(parameter.name);
    CHECK(!parameter.name.empty());
    CHECK(names.insert(parameter.name).second);
    const bool has_words = parameter.kind == ParameterKind::choice || parameter.kind == ParameterKind::count_or_choice;
    CHECK(has_words == !parameter.choices.empty());
    CHECK(parameter.low <= parameter.high);
    CHECK((!keyword_only || parameter.keyword_only));  // positional ones first
    keyword_only = parameter.keyword_only;
  }
}

struct Expected {
  std::string_view expression;
  std::string_view fixed_form;
  Guarantee guarantee;
};

constexpr std::string_view kCub =
    "cub_tile(5280) | adjacent(32) | seq(8) | cub_tile(1) | adjacent(32) | seq(8) | seq(from=zero)";
constexpr std::string_view kThrust =
    "cub_tile(5280,striped) | adjacent(32) | seq(8) | cub_tile(1) | adjacent(32) | seq(8) | seq(from=zero)";
constexpr std::string_view kGccLoop =
    "strided(8,rest=keep) | halving(8,to=4,rest=keep) | strided(4,rest=keep) | halving(4,rest=keep) | seq(from=zero)";
constexpr std::string_view kClangLoop =
    "strided(8,rest=keep,u=4) | lanes(8,4,rest=carry,rows=adjacent,to=1) | strided(1,rest=keep) | "
    "halving(1,rest=keep) | seq(from=zero)";

constexpr std::string_view kEigen =
    "strided(4,rest=keep,u=2) | lanes(4,2,rest=keep) | strided(4,rest=keep) | halving(4,rest=keep) | seq";
constexpr std::string_view kEinsum = "lanes(4,4,rest=keep,rows=adjacent) | strided(4,from=zero) | adjacent(4)";

/// design.md, section 1; a new named order adds its line.
const std::map<std::string_view, Expected>& expected_orders() {
  using enum Guarantee;
  static const std::map<std::string_view, Expected> expected{
      {"sequential", {"seq", "seq", any_device}},
      {"random", {"shuffle | seq", "seq", not_guaranteed}},
      {"random_tree", {"shuffle | tree", "pairwise", not_guaranteed}},
      {"pairwise", {"pairwise", "pairwise", any_device}},
      {"numpy", {"numpy", "numpy", any_device}},
      {"simd", {"strided(8) | halving(8)", "strided(8) | halving(8)", any_device}},
      {"gcc_simd", {kGccLoop, kGccLoop, any_device}},
      {"clang_simd", {kClangLoop, kClangLoop, any_device}},
      {"eigen", {kEigen, kEigen, any_device}},
      {"numpy_einsum", {kEinsum, kEinsum, any_device}},
      {"std_reduce", {"adjacent(4,rest=keep) | seq(from=zero)", "adjacent(4,rest=keep) | seq(from=zero)", any_device}},
      {"polars", {"polars", "polars", any_device}},
      {"tbb_deterministic", {"pairwise(from=zero,half=down)", "pairwise(from=zero,half=down)", any_device}},
      {"warp",
       {"halving(32) | arrive(uniform) | seq(acc=atomic)", "halving(32) | arrive(launch) | seq(acc=atomic)",
        not_guaranteed}},
      {"ao", {"arrive(uniform) | seq(acc=atomic)", "arrive(launch) | seq(acc=atomic)", not_guaranteed}},
      {"spa",
       {"tile(64,2) | halving(64) | arrive(uniform) | seq(acc=atomic)",
        "tile(64,2) | halving(64) | arrive(launch) | seq(acc=atomic)", not_guaranteed}},
      {"sptr",
       {"tile(64,2) | halving(64) | strided(64,from=zero) | halving(64)",
        "tile(64,2) | halving(64) | strided(64,from=zero) | halving(64)", any_device}},
      {"sprg", {"tile(64,2) | halving(64) | seq(from=zero)", "tile(64,2) | halving(64) | seq(from=zero)", any_device}},
      {"tprc", {"tile(64,2) | halving(64) | seq(from=zero)", "tile(64,2) | halving(64) | seq(from=zero)", any_device}},
      {"tprc_neumaier",
       {"tile(64,2) | halving(64) | seq(acc=neumaier)", "tile(64,2) | halving(64) | seq(acc=neumaier)", any_device}},
      {"cub", {kCub, kCub, run_to_run}},
      {"thrust", {kThrust, kThrust, run_to_run}},
      {"cub_warp", {"strided(32) | adjacent(32)", "strided(32) | adjacent(32)", any_device}},
      {"cub_block", {"strided(256) | adjacent(32) | seq", "strided(256) | adjacent(32) | seq", any_device}},
      {"cub_block_raking",
       {"strided(256) | cub_rake(256) | adjacent(32)", "strided(256) | cub_rake(256) | adjacent(32)", any_device}},
      {"cub_block_raking_commutative",
       {"strided(256) | cub_rake(256,commutative_only) | adjacent(32)",
        "strided(256) | cub_rake(256,commutative_only) | adjacent(32)", any_device}},
      {"cg",
       {"strided(32,from=zero) | halving(32) | halving(32)", "strided(32,from=zero) | halving(32) | halving(32)",
        any_device}},
      {"nccl_ring", {"rotate(0,last) | seq", "rotate(0,last) | seq", run_to_run}},
      {"nccl_tree", {"double_tree(8)", "double_tree(8)", run_to_run}},
      {"mpi_recursive_doubling", {"power_of_two | pairwise", "power_of_two | pairwise", any_device}},
      {"mpi_rabenseifner", {"power_of_two | pairwise", "power_of_two | pairwise", any_device}},
      {"ompi_ring", {"rotate(0) | seq", "rotate(0) | seq", run_to_run}},
      {"mpi_binomial", {"rotate(0) | rank_tree(binomial)", "rotate(0) | rank_tree(binomial)", run_to_run}},
      {"ompi_binary", {"rotate(0) | rank_tree", "rotate(0) | rank_tree", run_to_run}},
      {"ompi_chain", {"rotate(0) | reverse | seq", "rotate(0) | reverse | seq", run_to_run}},
      {"ompi_linear", {"reverse | seq", "reverse | seq", any_device}},
      {"ompi_in_order", {"rank_tree(in_order)", "rank_tree(in_order)", any_device}},
      {"openmp",
       {"chunks(8) | arrive(uniform) | seq(from=zero)", "chunks(8) | arrive(launch) | seq(from=zero)", not_guaranteed}},
      {"openmp_llvm",
       {"chunks(8) | adjacent(8) | seq(from=zero)", "chunks(8) | adjacent(8) | seq(from=zero)", run_to_run}},
  };
  return expected;
}

}  // namespace

TEST_CASE("every stage describes itself") {
  std::set<std::string_view> names;
  for (const Stage* stage : stages()) {
    CAPTURE(stage->name);
    CHECK(!stage->name.empty());
    CHECK(names.insert(stage->name).second);
    CHECK(!stage->summary.empty());
    CHECK(!stage->source.empty());
    CHECK((stage->describe != nullptr));
    CHECK((stage->fixed_form == nullptr) == (stage->guarantee != Guarantee::not_guaranteed));
    check_parameters(stage->parameters);
  }
}

TEST_CASE("a stage has the kinds of steps that it says, whatever the number of partial sums and the format") {
  for (const std::string& pipeline : product_pipelines()) {
    const Order order = parse_order(pipeline);
    for (const StageCall& call : order.stages()) {
      CAPTURE(pipeline);
      CAPTURE(call.stage->name);
      const auto kinds = [&](std::size_t m, Format format) {
        std::vector<std::size_t> found;
        for (const Step& step : describe(call, m, format)) found.push_back(step.is.index());
        return found;
      };
      const bool moves = kinds(1, Format::fp64) == std::vector<std::size_t>{Step{steps::Move{}}.is.index()};
      CHECK((moves || changes_format(call)) != call.stage->reduces);
      for (const std::size_t m : {2u, 37u, 20'000u})
        for (const FormatInfo& f : kFormats) CHECK(kinds(m, f.format) == kinds(1, Format::fp64));
      if (is_random(call)) CHECK((call.stage->fixed_form != nullptr));
    }
  }
}

TEST_CASE("every stage of design.md is listed, and every listed one is tried") {
  const std::set<std::string_view> designed{
      "shuffle",   "arrive",  "reverse",  "rotate",   "sort",  "perm",     "seq",      "chunks",       "strided",
      "tile",      "halving", "adjacent", "pairwise", "numpy", "cub_tile", "cub_rake", "power_of_two", "double_tree",
      "rank_tree", "polars",  "tree",     "lanes",    "round", "in",       "queue",    "fused"};
  std::set<std::string_view> listed;
  for (const Stage* stage : stages()) listed.insert(stage->name);
  CHECK(listed == designed);
  // perm needs a file: evaluator_test.cpp tries it; orders of several formats are those of mixed_orders_test.cpp,
  // units, which have formats of their own, those of fused_stage_test.cpp.
  std::set<std::string_view> tried{"perm", "round", "in", "fused"};
  for (const std::string& pipeline : product_pipelines()) {
    const Order order = parse_order(pipeline);
    for (const StageCall& call : order.stages()) tried.insert(call.stage->name);
  }
  CHECK(tried == listed);
}

TEST_CASE("every named order describes itself and is the one of design.md") {
  std::set<std::string_view> names;
  for (const NamedOrder& named : named_orders()) {
    CAPTURE(named.name);
    CHECK(names.insert(named.name).second);
    CHECK(!named.summary.empty());
    CHECK(!named.source.empty());
    check_parameters(named.parameters);
    const auto expected = expected_orders().find(named.name);
    REQUIRE(expected != expected_orders().end());
    const Order order = parse_order(named.name);
    CHECK(order.name() == named.name);
    CHECK(order.expression() == expected->second.expression);
    CHECK(order.fixed_form().expression() == expected->second.fixed_form);
    CHECK(order.guarantee() == expected->second.guarantee);
    CHECK(order.random() == (order.guarantee() == Guarantee::not_guaranteed));
  }
  CHECK(names.size() == expected_orders().size());
}

TEST_CASE("a named order shares its name with a stage only where it is that stage") {
  for (const NamedOrder& named : named_orders())
    for (const Stage* stage : stages())
      if (stage->name == named.name) CHECK(named.expression == named.name);
}

TEST_CASE("the default expression of a named order pastes back to the same order") {
  for (const NamedOrder& named : named_orders()) {
    const std::string text = default_expression(named);
    CAPTURE(text);
    CHECK(parse_order(text).expression() == text);
    CHECK(parse_order(text).expression() == parse_order(named.name).expression());
  }
}

TEST_CASE("a fixed form has nothing random in it, and is its own fixed form") {
  for (const std::string& pipeline : product_pipelines()) {
    CAPTURE(pipeline);
    const Order fixed = parse_order(pipeline).fixed_form();
    CHECK(!fixed.random());
    CHECK(fixed.first_random() == fixed.stages().size());
    CHECK(fixed.fixed_form().expression() == fixed.expression());
    fixed.check(100, true, Format::fp64);
  }
}

TEST_CASE("an order is as reproducible as its weakest stage") {
  CHECK(parse_order("seq").guarantee() == Guarantee::any_device);
  CHECK(parse_order("chunks(4) | seq").guarantee() == Guarantee::run_to_run);
  CHECK(parse_order("chunks(4) | shuffle | seq").guarantee() == Guarantee::not_guaranteed);
  CHECK(parse_order("tree").guarantee() == Guarantee::not_guaranteed);
  CHECK(parse_order("arrive(launch) | seq").guarantee() == Guarantee::any_device);
  CHECK(parse_order("arrive | seq", "launch").guarantee() == Guarantee::any_device);
  CHECK(parse_order("openmp", "launch").guarantee() == Guarantee::run_to_run);
  CHECK(parse_order("thrust | shuffle | seq").guarantee() == Guarantee::not_guaranteed);
  CHECK(name_of(Guarantee::any_device) == "any_device");
  CHECK(name_of(Guarantee::run_to_run) == "run_to_run");
  CHECK(name_of(Guarantee::not_guaranteed) == "not_guaranteed");
}

TEST_CASE("the first random stage is the first that differs between samples") {
  CHECK(parse_order("seq").first_random() == 1);
  CHECK(parse_order("shuffle | seq").first_random() == 0);
  CHECK(parse_order("halving(32) | arrive(launch) | tree").first_random() == 2);
  CHECK(parse_order("warp").first_random() == 1);
  CHECK(parse_order("warp").random());
  CHECK(!parse_order("warp", "launch").random());
}

TEST_CASE("a signature shows parameters with their defaults and choices") {
  const auto stage = [](std::string_view name) {
    for (const Stage* candidate : stages())
      if (candidate->name == name) return signature(name, candidate->parameters);
    return std::string();
  };
  CHECK(stage("tile") == "tile(b,items,[grid],[acc=plain|kahan|neumaier|atomic|fma])");
  CHECK(stage("seq") == "seq([k],[acc=plain|kahan|neumaier|atomic|fma],[from=first|zero],[rest=add|keep])");
  CHECK(stage("halving") == "halving(k,[to=1],[rest=add|keep])");
  CHECK(stage("sort") == "sort(key=asc|desc|abs_asc|abs_desc)");
  CHECK(stage("numpy") == "numpy");
  for (const NamedOrder& named : named_orders()) {
    if (named.name == "spa") CHECK(signature(named.name, named.parameters) == "spa(b=64,items=2,[grid])");
    if (named.name == "cub")
      CHECK(signature(named.name, named.parameters) == "cub(blocks=5280,[load=aligned|striped])");
    if (named.name == "simd") CHECK(signature(named.name, named.parameters) == "simd(w=8)");
  }
}

TEST_CASE("a signature lists at most 16 choices") {
  const std::vector<std::string_view> choices(17, "a");
  const auto signature_with = [&](std::size_t count, std::string_view default_text) {
    const Parameter parameter{.name = "unit",
                              .kind = ParameterKind::choice,
                              .default_text = default_text,
                              .choices = std::span(choices).first(count)};
    return signature("matmul", {&parameter, 1});
  };
  CHECK(signature_with(16, "-") == "matmul([unit=a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a])");
  CHECK(signature_with(17, "-") == "matmul([unit])");
  CHECK(signature_with(17, "") == "matmul(unit)");
  CHECK(signature_with(17, "a") == "matmul([unit=a])");
}

TEST_CASE("an arrival model fitted to other thread blocks, or to a grid of another size, draws a warning") {
  const auto warnings = [](const char* order, const char* arrival, std::size_t n) {
    return parse_order(order, arrival).warnings(n, Format::fp64);
  };
  using Lines = std::vector<std::string>;
  CHECK(warnings("spa", "v100_b64", 1'000'000) == Lines{});
  CHECK(warnings("spa", "uniform", 10'000) == Lines{});
  CHECK(warnings("ao", "slots(1280,0.2)", 10'000) == Lines{});  // the user's own numbers
  CHECK(warnings("spa(128)", "v100_b64", 1'000'000) ==
        Lines{"v100_b64 was fitted to thread blocks of 64 threads; here thread blocks of 128 threads arrive, so its "
              "spread is a guess"});
  CHECK(warnings("warp", "v100_b64", 1'000'000) ==
        Lines{"v100_b64 was fitted to thread blocks of 64 threads; here no thread blocks arrive, so its spread is a "
              "guess"});
  CHECK(warnings("spa", "v100_b64", 10'000) ==
        Lines{"v100_b64 was fitted to a grid of 7813 thread blocks; here 79 arrive, so its spread is a guess"});
  // Within a tenth of 7813 thread blocks of 128 terms.
  CHECK(warnings("spa", "v100_b64", 128 * 8594).empty());
  CHECK(!warnings("spa", "v100_b64", 128 * 8595).empty());
  CHECK(warnings("spa", "v100_b64", 128 * 7032).empty());
  CHECK(!warnings("spa", "v100_b64", 128 * 7031).empty());
  CHECK(warnings("arrive(v100_b64) | halving(8) | arrive(v100_b64) | seq", "", 1000).size() == 2);
}
