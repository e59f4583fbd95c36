// Orders read with names of one's own: stages, named orders, arrival models and named arrivals beside the built-in ones
// or instead of them. Long, as each kind of name has its own mistakes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "order/pipelines.hpp"
#include "order/resolve.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

const Stage& built_in(std::string_view name) {
  const auto all = stages();
  return **std::find_if(all.begin(), all.end(), [name](const Stage* stage) { return stage->name == name; });
}

Stage renamed(std::string_view stage, std::string_view name) {
  Stage copy = built_in(stage);
  copy.name = name;
  copy.summary = "mirrors the partial sums";
  return copy;
}

const Stage& backwards() {
  static const Stage stage = renamed("reverse", "backwards");
  return stage;
}

constexpr Parameter kCount[] = {{.name = "k", .kind = ParameterKind::count, .default_text = "4"}};
constexpr Parameter kReal[] = {{.name = "s", .kind = ParameterKind::real, .default_text = "0.5"}};
constexpr Parameter kOptional[] = {{.name = "g", .kind = ParameterKind::count, .default_text = "-"}};
constexpr Parameter kModel[] = {{.name = "model", .kind = ParameterKind::arrival, .default_text = "launch"}};
constexpr std::string_view kFates[] = {"plain", "lost"};
constexpr Parameter kFate[] = {
    {.name = "acc", .kind = ParameterKind::choice, .default_text = "plain", .choices = kFates}};
constexpr Parameter kAligned[] = {{.name = "aligned", .kind = ParameterKind::count, .default_text = "2"}};

constexpr NamedOrder kRuns{"runs", kCount, "backwards | seq(k) | arrive | seq", "glacial runs, last first", "own"};
constexpr NamedOrder kNested{"nested", kCount, "runs(k) | seq", "runs, and a name in a name", "own"};

void check_nothing(const Arguments&, std::size_t) {}

void draw_from_the_end(const Arguments& arguments, const RandomStream&, std::span<std::uint32_t> order) {
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::uint32_t>(order.size() - 1 - k);
  if (arguments.count(0) < order.size()) std::swap(order[0], order[arguments.count(0)]);
}

constexpr Parameter kSwapped[] = {{.name = "swapped", .kind = ParameterKind::count, .default_text = "0"}};
constexpr ArrivalModel kFromTheEnd{.name = "from_the_end",
                                   .summary = "last first",
                                   .source = "own",
                                   .parameters = kSwapped,
                                   .random = true,
                                   .check = check_nothing,
                                   .draw = draw_from_the_end};
constexpr NamedArrival kMachine{"machine", "from_the_end(1)", "a machine", "own", 128, 100};

Vocabulary extended() {
  Vocabulary vocabulary = built_in_vocabulary();
  vocabulary.stages.push_back(&backwards());
  vocabulary.named_orders.push_back(&kRuns);
  vocabulary.named_orders.push_back(&kNested);
  vocabulary.arrival_models.push_back(&kFromTheEnd);
  vocabulary.named_arrivals.push_back(&kMachine);
  return vocabulary;
}

/// A vocabulary without any built-in name but `seq`.
Vocabulary small() { return {{&backwards(), &built_in("seq"), &built_in("arrive")}, {}, {&kFromTheEnd}, {}}; }

std::string canonical(const Vocabulary& vocabulary, std::string_view text, std::string_view arrival = {}) {
  return parse_order(text, arrival, vocabulary).expression();
}

std::string problem(const Vocabulary& vocabulary, std::string_view text, std::string_view arrival = {}) {
  try {
    parse_order(text, arrival, vocabulary);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "";
}

/// The problem of an order that is the only one of its vocabulary's own.
std::string problem_of(const NamedOrder& order, std::string_view text) {
  Vocabulary vocabulary = extended();
  vocabulary.named_orders.push_back(&order);
  return problem(vocabulary, text);
}

std::uint64_t sum_of(const Order& order, std::uint64_t sample = 0) {
  static const std::vector<double> terms{1e16, 3.14, -1e16, 2.72, 0.58, 1e8, -3, 0.1, 7};
  const auto evaluator = Evaluator::make(order, view_of(terms.data(), terms.size()), {}, 1);
  return evaluator->evaluate(sample, *evaluator->make_scratch()).bits;
}

}  // namespace

TEST_CASE("the built-in vocabulary has what the lists have, and is the default") {
  const Vocabulary& all = built_in_vocabulary();
  CHECK(std::equal(all.stages.begin(), all.stages.end(), stages().begin(), stages().end()));
  CHECK(std::equal(all.arrival_models.begin(), all.arrival_models.end(), arrival_models().begin(),
                   arrival_models().end()));
  const auto same = [](const auto* pointer, const auto& entry) { return pointer == &entry; };
  CHECK(
      std::equal(all.named_orders.begin(), all.named_orders.end(), named_orders().begin(), named_orders().end(), same));
  CHECK(std::equal(all.named_arrivals.begin(), all.named_arrivals.end(), named_arrivals().begin(),
                   named_arrivals().end(), same));
  for (const std::string& text : product_pipelines()) {
    CHECK(parse_order(text).expression() == canonical(all, text));
    CHECK(canonical(extended(), text) == canonical(all, text));
  }
  CHECK(parse_order("warp", {}, extended()).name() == "warp");
}

TEST_CASE("a stage of one's own is read, written and added as any other") {
  const Order own = parse_order("backwards | seq", {}, extended());
  CHECK(own.expression() == "backwards | seq");
  CHECK(own.stages()[0].stage == &backwards());
  CHECK(sum_of(own) == sum_of(parse_order("reverse | seq")));
  CHECK(sum_of(own) != sum_of(parse_order("seq")));
  CHECK(problem(built_in_vocabulary(), "backwards | seq").find("no such stage or named order") != std::string::npos);
}

TEST_CASE("a named order of one's own may use one's own stages and names, with parameters") {
  const Order runs = parse_order("runs(3)", {}, extended());
  CHECK(runs.name() == "runs");
  CHECK(runs.expression() == "backwards | seq(3) | arrive(uniform) | seq");
  CHECK(canonical(extended(), "runs", "launch") == "backwards | seq(4) | arrive(launch) | seq");
  CHECK(canonical(extended(), "nested(2)") == "backwards | seq(2) | arrive(uniform) | seq | seq");
  CHECK(canonical(extended(), "runs | seq") == "backwards | seq(4) | arrive(uniform) | seq | seq");
  CHECK(takes_arrival("nested", extended()));
  CHECK(!takes_arrival("backwards | seq", extended()));
  CHECK_THROWS_AS(takes_arrival("nested"), Error);
  CHECK(default_expression(kNested, extended()) == "backwards | seq(4) | arrive(uniform) | seq | seq");
  CHECK_THROWS_AS(default_expression(kNested), Error);
  for (std::uint64_t sample = 0; sample < 5; ++sample)
    CHECK(sum_of(runs, sample) == sum_of(parse_order("reverse | seq(3) | arrive | seq"), sample));
}

TEST_CASE("an arrival model of one's own stands wherever an arrival model may") {
  CHECK(canonical(extended(), "arrive(from_the_end) | seq") == "arrive(from_the_end) | seq");
  CHECK(canonical(extended(), "arrive(from_the_end(3)) | seq") == "arrive(from_the_end(3)) | seq");
  CHECK(canonical(extended(), "warp", "from_the_end(3)") == "halving(32) | arrive(from_the_end(3)) | seq(acc=atomic)");
  CHECK(canonical(extended(), "runs", "machine") == "backwards | seq(4) | arrive(from_the_end(1)) | seq");
  CHECK(sum_of(parse_order("arrive(from_the_end) | seq", {}, extended())) == sum_of(parse_order("reverse | seq")));
  CHECK(parse_order("arrive(from_the_end) | seq", {}, extended()).fixed_form().expression() == "arrive(launch) | seq");
  const ArrivalCall machine = parse_arrival("machine", {}, extended());
  CHECK(machine.model == &kFromTheEnd);
  CHECK(machine.named == &kMachine);
  const auto warnings = parse_order("arrive(machine) | seq", {}, extended()).warnings(100, Format::fp64);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].starts_with("machine was fitted to thread blocks of 128 threads"));
}

TEST_CASE("an order outlives the vocabulary that it was read with") {
  const Order order = [] { return parse_order("runs(2)", "machine", extended()); }();
  CHECK(order.expression() == "backwards | seq(2) | arrive(from_the_end(1)) | seq");
  CHECK(order.warnings(100, Format::fp64).size() == 1);
  CHECK(sum_of(order) == sum_of(parse_order("runs(2)", "machine", extended())));
}

TEST_CASE("a vocabulary without the built-in names has its own only") {
  CHECK(canonical(small(), "backwards | seq") == "backwards | seq");
  CHECK(canonical(small(), "arrive | seq", "from_the_end") == "arrive(from_the_end) | seq");
  CHECK(problem(small(), "xyzzyplugh") ==
        "order 'xyzzyplugh': position 1: xyzzyplugh: no such stage or named order; known: backwards seq arrive");
  CHECK(problem(small(), "warp").find("known: backwards seq arrive") != std::string::npos);
  CHECK(problem(small(), "arrive | seq").find("uniform: no such arrival model; known: from_the_end") !=
        std::string::npos);
  CHECK(problem(small(), "seq", "from_the_end") ==
        "arrival from_the_end: order 'seq' has no `arrive`; leave out --arrival");
  CHECK(problem(Vocabulary{}, "seq").find("no such stage or named order") != std::string::npos);
}

TEST_CASE("an unknown name is answered with names of one's own") {
  const Vocabulary all = extended();
  CHECK(problem(all, "backward | seq").find("did you mean backwards?") != std::string::npos);
  CHECK(problem(all, "run(3)").find("did you mean runs?") != std::string::npos);
  CHECK(problem(all, "nestd").find("did you mean nested?") != std::string::npos);
  CHECK(problem(all, "mirrors | seq").find("did you mean backwards?") != std::string::npos);  // by its summary
  CHECK(problem(all, "glacial").find("did you mean runs?") != std::string::npos);
  CHECK(problem(all, "warp", "from_the_and").find("did you mean from_the_end?") != std::string::npos);
  CHECK(problem(all, "warp", "machin").find("did you mean machine?") != std::string::npos);
  const std::string known = problem(all, "xyzzyplugh");
  for (const char* name : {" shuffle ", " backwards ", " warp ", " runs ", " nested"}) {
    CAPTURE(name);
    CHECK(known.find(name) != std::string::npos);
  }
}

TEST_CASE("a name that occurs twice is refused by whatever reads with the vocabulary") {
  static const Stage tile = renamed("reverse", "tile");
  static const Stage warp_stage = renamed("reverse", "warp");
  static const NamedOrder tile_order{"tile", {}, "seq", "", ""};
  static const NamedOrder warp{"warp", {}, "seq", "", ""};
  static const NamedOrder pairwise{"pairwise", {}, "reverse | pairwise", "", ""};
  static const ArrivalModel launch = [] {
    ArrivalModel model = kFromTheEnd;
    model.name = "launch";
    return model;
  }();
  static const NamedArrival jitter{"jitter", "launch", "", "", 1, 1};
  static const NamedArrival v100_b64{"v100_b64", "launch", "", "", 1, 1};
  const auto clash = [](auto add) {
    Vocabulary vocabulary = built_in_vocabulary();
    add(vocabulary);
    const std::string found = problem(vocabulary, "seq");
    CHECK(problem(vocabulary, "warp", "uniform") == found);
    CHECK_THROWS_WITH_AS(takes_arrival("seq", vocabulary), found.c_str(), Error);
    CHECK_THROWS_WITH_AS(parse_arrival("uniform", {}, vocabulary), found.c_str(), Error);
    CHECK_THROWS_WITH_AS(default_expression(named_orders()[0], vocabulary), found.c_str(), Error);
    return found;
  };
  const auto text = [](const std::string& name, const std::string& one, const std::string& other) {
    return "vocabulary: the name " + name + " occurs twice, for " + one + " and for " + other +
           "; rename or remove one";
  };
  CHECK(clash([](Vocabulary& v) { v.stages.push_back(&tile); }) == text("tile", "a stage", "a stage"));
  CHECK(clash([](Vocabulary& v) { v.stages.push_back(&warp_stage); }) == text("warp", "a stage", "a named order"));
  CHECK(clash([](Vocabulary& v) { v.named_orders.push_back(&tile_order); }) ==
        text("tile", "a stage", "a named order"));
  CHECK(clash([](Vocabulary& v) { v.named_orders.push_back(&warp); }) ==
        text("warp", "a named order", "a named order"));
  CHECK(clash([](Vocabulary& v) { v.named_orders.push_back(&pairwise); }) ==
        text("pairwise", "a stage", "a named order"));
  CHECK(clash([](Vocabulary& v) { v.arrival_models.push_back(&launch); }) ==
        text("launch", "an arrival model", "an arrival model"));
  CHECK(clash([](Vocabulary& v) { v.named_arrivals.push_back(&jitter); }) ==
        text("jitter", "an arrival model", "a named arrival"));
  CHECK(clash([](Vocabulary& v) { v.named_arrivals.push_back(&v100_b64); }) ==
        text("v100_b64", "a named arrival", "a named arrival"));

  Vocabulary replaced = built_in_vocabulary();  // a built-in name gives way when it is taken out
  std::erase_if(replaced.named_orders, [](const NamedOrder* order) { return order->name == "warp"; });
  replaced.named_orders.push_back(&warp);
  CHECK(canonical(replaced, "warp") == "seq");
}

TEST_CASE("a named order that cannot be expanded is told why, and where") {
  static const NamedOrder itself{"itself", {}, "seq | itself", "", ""};
  CHECK(problem_of(itself, "itself") ==
        "order 'itself': itself 'seq | itself': position 7: itself is part of its own expression");
  static const NamedOrder misspelt{"misspelt", {}, "backword | seq", "", ""};
  CHECK(problem_of(misspelt, "misspelt").find("backword: no such stage or named order; did you mean backwards?") !=
        std::string::npos);
  static const NamedOrder no_power{"no_power", kCount, "halving(k) | seq", "", ""};
  CHECK(problem_of(no_power, "no_power") == "");
  CHECK(problem_of(no_power, "no_power(0)") ==
        "order 'no_power(0)': no_power 'halving(k) | seq': position 9: halving: k k: must be at least 1");
  static const NamedOrder real{"real", kReal, "seq(s) | seq", "", ""};
  CHECK(problem_of(real, "real").find("seq: k s: is not a whole number") != std::string::npos);
  static const NamedOrder count{"count", kCount, "arrive(jitter(k)) | seq", "", ""};
  CHECK(problem_of(count, "count").find("jitter: s k: is not a real number") != std::string::npos);
  static const NamedOrder word{"word", kCount, "seq(acc=k)", "", ""};
  CHECK(problem_of(word, "word").find("seq: acc k: is not a choice") != std::string::npos);
  static const NamedOrder model{"model", kCount, "arrive(k) | seq", "", ""};
  CHECK(problem_of(model, "model").find("arrive: model k: is not an arrival model") != std::string::npos);
  static const NamedOrder file{"file", kCount, "perm(k) | seq", "", ""};
  CHECK(problem_of(file, "file").find("perm: file k: is not a file of whole numbers") != std::string::npos);
  static const NamedOrder chosen{"chosen", kFate, "seq(acc=acc)", "", ""};
  CHECK(problem_of(chosen, "chosen") == "");
  CHECK(problem_of(chosen, "chosen(lost)").find("seq: acc lost: no such choice") != std::string::npos);
  static const NamedOrder absent{"absent", kOptional, "halving(g) | seq", "", ""};
  CHECK(problem_of(absent, "absent(2)") == "");
  CHECK(problem_of(absent, "absent").find("halving: k g: has no value") != std::string::npos);
  static const NamedOrder handed_on{"handed_on", kOptional, "spa(grid=g)", "", ""};
  CHECK(problem_of(handed_on, "handed_on") == "");
  static const NamedOrder drawn{"drawn", kModel, "arrive(model) | seq", "", ""};
  CHECK(problem_of(drawn, "drawn(from_the_end(2))") == "");
}

TEST_CASE("a default is not a parameter of the named order around it") {
  static const NamedOrder blocks{"blocks", kAligned, "cub_tile(aligned) | seq", "", ""};  // cub_tile: load=aligned
  CHECK(problem_of(blocks, "blocks") == "");
  CHECK(problem_of(blocks, "blocks(3)") == "");
}

TEST_CASE("a named arrival that stands for itself is refused") {
  static const NamedArrival loop{"loop", "loop", "", "", 1, 1};
  Vocabulary vocabulary = extended();
  vocabulary.named_arrivals.push_back(&loop);
  CHECK(problem(vocabulary, "arrive(loop) | seq").find("loop is part of its own expression") != std::string::npos);
}

TEST_CASE("a stage of one's own takes the arrival model that is given to bare ones, and keeps its other defaults") {
  static constexpr Parameter kParameters[] = {
      {.name = "model", .kind = ParameterKind::arrival, .default_text = "launch"},
      {.name = "k", .kind = ParameterKind::count, .default_text = "7"}};
  static const Stage land = [] {
    Stage stage = renamed("arrive", "land");
    stage.parameters = kParameters;
    return stage;
  }();
  Vocabulary vocabulary = extended();
  vocabulary.stages.push_back(&land);
  CHECK(canonical(vocabulary, "land | seq") == "land(launch) | seq");
  CHECK(takes_arrival("land | seq", vocabulary));
  const Order given = parse_order("land | seq", "from_the_end(2)", vocabulary);
  CHECK(given.expression() == "land(from_the_end(2)) | seq");
  CHECK(given.stages()[0].arguments.count(1) == 7);
  CHECK(problem(vocabulary, "land(launch) | seq", "uniform") ==
        "arrival uniform: order 'land(launch) | seq' has its own arrival model; leave out --arrival, or write `land` "
        "without a model");
}
