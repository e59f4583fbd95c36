#include "orderlab/study/infer_model.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "inference/drawn_model.hpp"
#include "orderlab/error.hpp"
#include "show/infer_model.hpp"

namespace orderlab::study {

namespace {

using testing::DrawnModel;

std::vector<Prompt> drawn_prompts(std::size_t count) {
  std::vector<Prompt> prompts;
  for (std::size_t i = 0; i < count; ++i) {
    Prompt prompt{"prompt " + std::to_string(i + 1), {}};
    for (std::size_t t = 0; t < 3 + i % 4; ++t)
      prompt.tokens.push_back(static_cast<std::uint32_t>((7 * i + 5 * t) % 32));
    prompts.push_back(std::move(prompt));
  }
  return prompts;
}

ModelInferRequest request_of(std::string_view first, const std::vector<std::string>& others, std::uint64_t tokens) {
  ModelInferRequest request{.settings = changed_settings({}, first), .tokens = tokens};
  for (const std::string& changes : others) request.against.push_back(changed_settings(request.settings, changes));
  return request;
}

constexpr const char* kCoarse = "split_k=2,partials=bf16";

}  // namespace

TEST_CASE("runs whose reductions are all the same have equal bits") {
  const DrawnModel drawn(1);
  const ModelInferFinding finding = infer(drawn.model(), drawn_prompts(5), request_of("batch=1", {"batch=8"}, 6));
  REQUIRE(finding.comparisons.size() == 1);
  const ModelComparison& comparison = finding.comparisons[0];
  CHECK(comparison.changes == "batch=8");
  CHECK(comparison.reductions.empty());
  CHECK(comparison.difference.tokens == 30);
  CHECK(comparison.difference.equal == 30);
  CHECK(comparison.difference.flips == 0);
  CHECK(comparison.difference.mean_abs == 0);
  CHECK(comparison.diverged() == 0);
  CHECK(finding.tokens == 30);
  CHECK(finding.margins.size() == 30);
  CHECK(conclusions_of(finding)[0].find("bit-identical") != std::string::npos);
}

TEST_CASE("the first flip is that of a run of its own") {
  const DrawnModel drawn(2);
  const std::vector<Prompt> prompts = drawn_prompts(40);
  ModelInferRequest request = request_of("batch=1", {kCoarse}, 20);
  const ModelInferFinding one = infer(drawn.model(), prompts, request);
  std::swap(request.settings, request.against[0]);
  const ModelInferFinding other = infer(drawn.model(), prompts, request);
  std::size_t diverged = 0;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    const std::vector<std::uint32_t>& a = one.answers[i].tokens;
    const std::vector<std::uint32_t>& b = other.answers[i].tokens;
    std::size_t same = 0;
    while (same < a.size() && a[same] == b[same]) ++same;
    const auto flip = one.comparisons[0].answers[i].flip;
    CAPTURE(i);
    CHECK(flip.has_value() == (same < a.size()));
    if (flip) CHECK(*flip == same + 1);
    diverged += std::size_t{flip.has_value()};
  }
  CHECK(diverged > 0);
  CHECK(diverged < prompts.size());
  CHECK(one.comparisons[0].diverged() == diverged);
}

TEST_CASE("findings do not depend on threads") {
  const DrawnModel drawn(3);
  ModelInferRequest request = request_of("tp=2", {"all_reduce=ring,split_kv=2", kCoarse}, 5);
  request.keep_logits = true;
  request.threads = 1;
  const ModelInferFinding one = infer(drawn.model(), drawn_prompts(9), request);
  request.threads = 3;
  const ModelInferFinding three = infer(drawn.model(), drawn_prompts(9), request);
  CHECK(to_json(one) == to_json(three));
  CHECK(one.logits == three.logits);
  CHECK(one.logits.size() == 9 * 5 * 32);
}

TEST_CASE("each reduction that differs is changed alone, and left out alone") {
  const DrawnModel drawn(4);
  const ModelInferFinding finding =
      infer(drawn.model(), drawn_prompts(8), request_of("batch=1", {"split_k=2,partials=bf16,split_kv=2"}, 8));
  const ModelComparison& comparison = finding.comparisons[0];
  REQUIRE(comparison.reductions.size() == 2);
  CHECK(comparison.reductions[0].name == "products");
  CHECK(comparison.reductions[1].name == "attention");
  // With two of them, one alone is all but the other.
  const LogitDifference& alone = comparison.reductions[0].alone;
  const LogitDifference& without = comparison.reductions[1].without;
  CHECK(alone.mean_abs == without.mean_abs);
  CHECK(alone.equal == without.equal);
  CHECK(alone.mean_abs > 0);
  const ModelInferFinding single = infer(drawn.model(), drawn_prompts(8), request_of("batch=1", {kCoarse}, 8));
  CHECK(single.comparisons[0].difference.mean_abs == alone.mean_abs);
  CHECK(single.comparisons[0].reductions.size() == 1);
  CHECK(single.comparisons[0].reductions[0].alone.tokens == 0);
}

TEST_CASE("a run that draws one batch is the run of that batch") {
  const DrawnModel drawn(7);
  // Two splits have one sum in either order, so that the batch alone decides.
  ModelInferRequest request =
      request_of("tp=4,all_reduce=ring,batch=1,split_k=2,split_order=arrival", {"batch=3"}, 6);
  request.runs = 2;
  request.neighbours = {3};
  const ModelInferFinding finding = infer(drawn.model(), drawn_prompts(7), request);
  const LogitDifference& other = finding.comparisons[0].difference;
  const LogitDifference& runs = finding.drawn->difference;
  CHECK(other.mean_abs > 0);
  CHECK(runs.tokens == 2 * other.tokens);
  CHECK(runs.equal == 2 * other.equal);
  CHECK(runs.flips == 2 * other.flips);
  CHECK(runs.mean_abs == other.mean_abs);
  for (const DrawnAnswer& answer : finding.drawn->answers) CHECK(answer.distinct == 1);
  request.neighbours = {1};
  CHECK(infer(drawn.model(), drawn_prompts(7), request).drawn->difference.equal == runs.tokens);
}

TEST_CASE("known answers are not computed again, and parts add up to the whole") {
  const DrawnModel drawn(8);
  const std::vector<Prompt> prompts = drawn_prompts(11);
  ModelInferRequest request = request_of("tp=4,all_reduce=ring", {"split_k=2,partials=bf16,split_kv=2"}, 5);
  request.runs = 3;
  request.neighbours = {1, 3};
  const std::string expected = to_json(infer(drawn.model(), prompts, request));
  AnswerRecords records;
  std::size_t computed = 0;
  records.done = [&](const AnswerRecord& record) {
    ++computed;
    records.known.emplace(record.number, answer_record(record_text(record)));
  };
  request.parts = 3;
  for (request.part = 1; request.part <= 3; ++request.part) {
    const ModelInferFinding part = infer(drawn.model(), prompts, request, AnswerRecords{{}, records.done});
    CHECK(part.asked == part.answers.size());
    CHECK_FALSE(part.partial());
  }
  CHECK(computed == 11);
  request.part = request.parts = 1;
  CHECK(to_json(infer(drawn.model(), prompts, request, records)) == expected);
  CHECK(computed == 11);
  const ModelInferFinding question =
      infer_question_from(Json::parse(question_json(infer_question(drawn.model(), prompts, request)).dump()));
  CHECK(to_json(*infer_finding(question, records.known)) == expected);
  CHECK(record_config(question) == record_config(infer_question(drawn.model(), prompts, request)));
  records.known.at(3).runs.pop_back();
  CHECK(to_json(infer(drawn.model(), prompts, request, records)) == expected);
  CHECK(computed == 12);
}

TEST_CASE("a run that is stopped has the prompts that it finished") {
  const DrawnModel drawn(5);
  const std::vector<Prompt> prompts = drawn_prompts(600);
  const ModelInferRequest request = request_of("batch=1", {kCoarse}, 2);
  std::stop_source stop;
  Watch watch{.stop = stop.get_token()};
  watch.advances = [&](const Progress& progress) {
    if (progress.fraction > 0.6) stop.request_stop();
  };
  const ModelInferFinding part = infer(drawn.model(), prompts, request, {}, watch);
  CHECK(part.partial());
  REQUIRE(part.answers.size() == 256);
  CHECK(part.margins.size() == part.tokens);
  const ModelInferFinding first = infer(drawn.model(), {prompts.begin(), prompts.begin() + 256}, request);
  CHECK(part.comparisons[0].difference.mean_abs == first.comparisons[0].difference.mean_abs);
  stop.request_stop();
  CHECK_THROWS_AS(infer(drawn.model(), prompts, request, {}, Watch{.stop = stop.get_token()}), Stopped);
}

TEST_CASE("where answers are kept, a stop loses few of them, however many runs there are") {
  const DrawnModel drawn(9);
  ModelInferRequest request = request_of("split_k=4,split_order=arrival", {}, 20);
  request.runs = 60;
  std::stop_source stop;
  Watch watch{.stop = stop.get_token()};
  watch.advances = [&](const Progress& progress) {
    if (progress.fraction > 0.4) stop.request_stop();
  };
  AnswerRecords records;
  std::size_t kept = 0;
  records.done = [&](const AnswerRecord&) { ++kept; };
  CHECK(infer(drawn.model(), drawn_prompts(40), request, records, watch).answers.size() == kept);
  CHECK(kept >= 10);
  CHECK(kept < 40);
}

TEST_CASE("requests that cannot be answered are refused") {
  const DrawnModel drawn(6);
  const auto message = [&](const std::vector<Prompt>& prompts, const ModelInferRequest& request) {
    try {
      infer(drawn.model(), prompts, request);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::vector<Prompt> good = drawn_prompts(2);
  CHECK(message(good, request_of("batch=1", {"batch=1"}, 4)).find("same settings") != std::string::npos);
  CHECK(message(good, request_of("batch=1", {"format=fp16"}, 4)).find("one format") != std::string::npos);
  CHECK(message(good, request_of("batch=1", {}, 4)).find("nothing to compare") != std::string::npos);
  CHECK(message(good, request_of("batch=1", {"batch=2"}, 62)).find("64 positions") != std::string::npos);
  ModelInferRequest parts = request_of("batch=1", {"batch=2"}, 4);
  for (parts.parts = 3; parts.part <= 3; ++parts.part)
    CHECK(message(good, parts) == "3 parts: there are only 2 prompts; give no more parts than these");
  CHECK(message({{"a", {32}}}, request_of("batch=1", {"batch=2"}, 4)) == "a: token 32 is not one of the 32 of drawn");
  CHECK(message({{"a", {}}}, request_of("batch=1", {"batch=2"}, 4)) == "a: has no tokens");
  CHECK(message({}, request_of("batch=1", {"batch=2"}, 4)) == "no prompts");
}

TEST_CASE("what is drawn must be drawn in some run, and a run that draws must draw something") {
  const DrawnModel drawn(6);
  const auto refused = [&](ModelInferRequest request, std::uint64_t runs, std::vector<std::uint64_t> batches) {
    request.runs = runs;
    request.neighbours = std::move(batches);
    try {
      infer(drawn.model(), drawn_prompts(2), request);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  const ModelInferRequest turn = request_of("split_k=2", {}, 2);
  const ModelInferRequest arrival = request_of("split_k=2,split_order=arrival", {}, 2);
  for (const std::vector<std::uint64_t>& batches : {std::vector<std::uint64_t>{}, {4}, {8, 8}})
    CHECK(has(refused(turn, 3, batches), "--runs 3: nothing is drawn in them"));
  CHECK(refused(turn, 3, {4, 8}).empty());
  CHECK(refused(arrival, 3, {}).empty());
  CHECK(refused(arrival, 3, {4}).empty());
  CHECK(has(refused(turn, 0, {4, 8}), "--neighbours: batch sizes are drawn in drawn runs"));
  CHECK(has(refused(arrival, 0, {}), "split_order=arrival: splits arrive in drawn runs"));
  const ModelInferRequest against = request_of("split_k=2", {"split_order=arrival"}, 2);
  CHECK(has(refused(against, 0, {}), "split_order=arrival: a run of --against adds splits in turn"));
  CHECK(has(refused(against, 3, {4, 8}), "split_order=arrival: a run of --against adds splits in turn"));
  const ModelInferRequest other = request_of("split_k=4,split_order=arrival", {"split_k=2"}, 2);
  CHECK(refused(other, 2, {}).empty());
  ModelInferRequest described = other;
  described.runs = 2;
  const ModelComparison comparison = infer_question(drawn.model(), drawn_prompts(2), described).comparisons.at(0);
  CHECK(comparison.reductions.at(0).first == "4 splits, partial sums in fp32");  // not as they arrive
  CHECK(comparison.reductions.at(0).other == "2 splits, partial sums in fp32");
}

}  // namespace orderlab::study
