#include "orderlab/study/probe.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"

using namespace orderlab;
using study::ProbeFinding;
using study::ProbeRequest;

namespace {

// Adds in the order that `choose` has for a setting.
template <class Choose>
BoxMaker chosen_box(Choose choose) {
  BoxMaker maker{"chosen", false, nullptr};
  maker.make = [choose](const BoxSetting& setting) {
    const std::string order = choose(setting);
    return function_box("chosen",
                        [order](const TermView& terms) {
                          const Formats formats{terms.format, terms.format, terms.format};
                          const auto evaluator = Evaluator::make(parse_order(order), terms, formats, 1);
                          return evaluator->evaluate(0, *evaluator->make_scratch()).value;
                        })
        .make(setting);
  };
  return maker;
}

ProbeFinding found(const ProbeRequest& request) {
  auto finding = study::probe(request);
  REQUIRE(finding.has_value());
  return std::move(*finding);
}

}  // namespace

TEST_CASE("one order for all sizes") {
  const ProbeFinding finding = found(
      {.box = chosen_box([](const BoxSetting&) { return "strided(8) | adjacent(8)"; }), .n = 64, .sizes = {65, 200}});
  CHECK(finding.verdict == ProbeVerdict::named);
  CHECK(finding.settings.size() == 3);
  CHECK(finding.order == "strided(8) | adjacent(8)");  // numpy has the tree of the first size too
}

TEST_CASE("a name that holds for n alone gives way to one that holds for others") {
  const auto in_lanes = [](const BoxSetting&) { return "strided(8) | adjacent(8)"; };
  const ProbeFinding finding = found({.box = chosen_box(in_lanes), .n = 64});
  CHECK(finding.order == "strided(8) | adjacent(8)");
  REQUIRE(finding.other_sizes.size() == 2);
  for (const study::OtherSize& other : finding.other_sizes) CHECK(other.holds);
  const ProbeFinding changes = found(
      {.box = chosen_box([](const BoxSetting& setting) { return setting.n == 64 ? "pairwise" : "reverse | seq"; }),
       .n = 64});
  CHECK(changes.verdict == ProbeVerdict::named);
  for (const study::OtherSize& other : changes.other_sizes) CHECK_FALSE(other.holds);
}

TEST_CASE("orders that depend on n, alignment and threads") {
  const auto verdict = [](ProbeRequest request, auto choose) {
    request.box = chosen_box(choose);
    return found(request).verdict;
  };
  CHECK(verdict({.n = 40, .sizes = {41}}, [](const BoxSetting& setting) {
          return setting.n == 40 ? "seq" : "pairwise";
        }) == ProbeVerdict::depends_on_n);
  CHECK(verdict({.n = 40, .offsets = {0, 1, 2}}, [](const BoxSetting& setting) {
          return setting.offset % 2 == 0 ? "seq" : "rotate(1) | seq";
        }) == ProbeVerdict::depends_on_alignment);
  CHECK(verdict({.n = 40, .offsets = {0, 1, 2}}, [](const BoxSetting&) { return "seq"; }) == ProbeVerdict::named);
  CHECK(verdict({.n = 40, .threads = {1, 2}}, [](const BoxSetting& setting) {
          return "chunks(" + std::to_string(setting.threads) + ") | seq";
        }) == ProbeVerdict::depends_on_threads);
}

TEST_CASE("one thread that did all says nothing of threads") {
  const auto order_with = [](const char* order_of_much) {
    return chosen_box([order_of_much](const BoxSetting& setting) {
      return setting.threads > 1 && setting.n > 1000 ? order_of_much : "seq(from=zero)";
    });
  };
  const auto finding_of = [](BoxMaker box) { return found({.box = std::move(box), .n = 24, .threads = {1, 2, 4}}); };
  const ProbeFinding shared = finding_of(order_with("chunks(4) | seq"));
  CHECK(shared.verdict == ProbeVerdict::named);
  REQUIRE(shared.one_thread.has_value());
  CHECK_FALSE(shared.one_thread->holds);
  const ProbeFinding never = finding_of(order_with("seq(from=zero)"));
  REQUIRE(never.one_thread.has_value());
  CHECK(never.one_thread->holds);
  CHECK(never.one_thread->n == shared.one_thread->n);
  const ProbeFinding chunked = finding_of(chosen_box([](const BoxSetting&) { return "seq(256) | pairwise(8)"; }));
  CHECK(chunked.verdict == ProbeVerdict::named);
  REQUIRE(chunked.one_thread.has_value());
  CHECK_FALSE(chunked.one_thread->holds);  // one chunk has all terms of few
  const ProbeFinding tree = finding_of(chosen_box([](const BoxSetting&) { return "pairwise"; }));
  CHECK_FALSE(tree.one_thread.has_value());
  CHECK_FALSE(found({.box = order_with("seq(from=zero)"), .n = 24, .threads = {4}}).one_thread.has_value());
}

TEST_CASE("additions in another format are another order") {
  BoxMaker maker{"widens", false, nullptr};
  maker.make = [](const BoxSetting& setting) {
    const bool wide = setting.n > 50;
    return function_box("widens",
                        [wide](const TermView& terms) {
                          double sum = 0;
                          for (std::size_t i = 0; i < terms.n; ++i)
                            sum = wide ? sum + terms.left(i) : static_cast<float>(sum + terms.left(i));
                          return static_cast<double>(static_cast<float>(sum));
                        })
        .make(setting);
  };
  CHECK(found({.box = maker, .n = 40, .sizes = {41}}).verdict == ProbeVerdict::named);
  CHECK(found({.box = maker, .n = 40, .sizes = {60}}).verdict == ProbeVerdict::depends_on_n);
}

TEST_CASE("every setting is compared with the expected order") {
  const auto choose = [](const BoxSetting& setting) { return setting.n == 40 ? "pairwise" : "seq"; };
  const ProbeFinding finding = found({.box = chosen_box(choose), .n = 40, .sizes = {41}, .expected = "pairwise"});
  CHECK_FALSE(finding.as_expected());
  CHECK(finding.settings[0].as_expected == true);
  CHECK(finding.settings[1].as_expected == false);
  CHECK(finding.settings[1].differs.has_value());
}

TEST_CASE("progress has a beginning and an end for every stage, and stops are obeyed") {
  int open = 0;
  std::vector<std::string> stages;
  study::Watch watch;
  watch.begins = [&](const std::string& stage) {
    CHECK(open++ == 0);
    stages.push_back(stage);
  };
  watch.advances = [&](const study::Progress& progress) {
    CHECK(open == 1);
    CHECK(progress.done <= progress.total);
  };
  watch.ends = [&] { CHECK(open-- == 1); };
  const ProbeRequest request{.box = chosen_box([](const BoxSetting&) { return "halving(16) | strided(3) | seq"; }),
                             .n = 96};
  CHECK(study::probe(request, watch).has_value());
  CHECK(open == 0);
  CHECK(stages.size() > 3);

  std::stop_source stop;
  stop.request_stop();
  watch.stop = stop.get_token();
  CHECK_FALSE(study::probe(request, watch).has_value());
  CHECK(open == 0);
}

TEST_CASE("a stop between settings keeps those that are done") {
  std::stop_source stop;
  study::Watch watch;
  watch.stop = stop.get_token();
  const ProbeRequest request{.box = chosen_box([&](const BoxSetting& setting) {
                               if (setting.n == 20) stop.request_stop();
                               return "seq";
                             }),
                             .n = 10,
                             .sizes = {20, 30}};
  const auto finding = study::probe(request, watch);
  REQUIRE(finding.has_value());
  CHECK(finding->partial);
  CHECK(finding->settings.size() == 1);
}

TEST_CASE("requests that make no sense") {
  const BoxMaker box = chosen_box([](const BoxSetting&) { return "seq"; });
  CHECK_THROWS_AS(study::probe({.box = box, .n = 0}), Error);
  CHECK_THROWS_AS(study::probe({.box = box, .repeats = 1}), Error);
  CHECK_THROWS_AS(study::probe({.box = box, .expected = "sqe"}), Error);
}
