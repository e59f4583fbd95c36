// What people write for a result, and what they leave unsaid: digits, means, arrivals, flushing.
#include <doctest/doctest.h>

#include <bit>
#include <string>

#include "cli/program.hpp"
#include "orderlab/format.hpp"

using namespace orderlab::cli;
using orderlab::Json;

namespace {

Json judged(const Line& arguments, int status) {
  const Outcome outcome = run(Line{"check"} + arguments + Line{"--json", "-", "--quiet"});
  CAPTURE(outcome.err);
  CHECK(outcome.status == status);
  return Json::parse(outcome.out);
}

// 1e4 terms, whose sequential sum is 4984.31201171875 in fp32.
const Line kUniform{"--n", "1e4", "--dist", "uniform(0,1)", "--format", "fp32"};

std::string suggested(const Json& answer, const std::string& kind) {
  for (const Json& one : answer["suggestions"])
    if (one["kind"] == kind) return one["option"].is_null() ? one["what"].text() : one["option"].text();
  return "";
}

}  // namespace

TEST_CASE("a printed sum is explained by the sum that prints so") {
  const Json three =
      judged({"--n", "10", "--dist", "constant(0.3)", "--format", "fp32", "--order", "sequential", "--value", "3.0000"},
             kDone);
  CHECK(three["values"][0]["digits"] == 5);
  CHECK(three["values"][0]["numbers"] == 419);
  CHECK(judged(kUniform + Line{"--order", "sequential", "--value", "4984.31"}, kDone)["values"][0]["digits"] == 6);
  CHECK(judged({"--n", "1e5", "--format", "fp32", "--order", "sequential", "--value", "499614"},
               kDone)["values"][0]["digits"] == 6);
  // Hex floats and bits are exact, and so is a decimal with all digits
  for (const char* value : {"0x1.3785p12", "bits:0x459bc280", "4984.31250"})
    CHECK(judged(kUniform + Line{"--order", "sequential", "--value", value}, kExitNo)["values"][0]["digits"].is_null());
  // What is explained exactly is not read by its digits
  CHECK(judged(kUniform + Line{"--order", "sequential", "--value", "4984.31201"}, kDone)["values"][0]["digits"]
            .is_null());
  const Json far = judged(kUniform + Line{"--order", "sequential", "--value", "4984.32"}, kExitNo);
  CHECK(far["values"][0]["verdict"] == "impossible");
  CHECK(far["values"][0]["digits"] == 6);
}

TEST_CASE("printed results of samples and of a file are judged by what they leave open") {
  const TemporaryFolder folder;
  TemporaryFolder::write("runs.txt", "4984.31\n4984.31 4984.307\n");
  const Json answer = judged(kUniform + Line{"--order", "random", "--values", "runs.txt"}, kDone);
  CHECK(answer["values"].size() == 2);
  CHECK(answer["values"][1]["given"] == 2);
  CHECK(judged(kUniform + Line{"--order", "random", "--value", "4984.5"}, kExitNo)["values"][0]["verdict"] ==
        "unlikely");
}

TEST_CASE("a mean is explained by a sum that has it") {
  CHECK(judged(kUniform + Line{"--order", "sequential", "--value", "mean:0.498431"}, kDone)["config"]["means"] ==
        "fp32");
  judged(kUniform + Line{"--order", "sequential", "--value", "mean:0.4984"}, kDone);
  judged(kUniform + Line{"--order", "sequential", "--value", "mean:0.498441"}, kExitNo);
  const Outcome mixed =
      run(Line{"check"} + kUniform + Line{"--order", "sequential", "--value", "mean:0.4984", "--value", "4984"});
  CHECK(mixed.status == kFailed);
  CHECK(has(mixed.err, "give either means or sums"));
}

TEST_CASE("what would give a value is named, and whether chance would") {
  const auto of = [](const std::string& value) {
    return judged({"--n", "1e4", "--dist", "uniform(0,1)", "--order", "sequential", "--value", value}, kExitNo);
  };
  CHECK(suggested(of("4984.31201"), "format") == "--format fp32");
  CHECK(suggested(of("0.49843"), "mean") == "--value mean:0.49843");
  const TemporaryFolder folder;
  std::string terms;
  float others = 0;
  for (int i = 0; i < 20; ++i) {
    const float term = 1.0F + 0.37F * static_cast<float>(i * i);
    terms += std::to_string(term) + "\n";
    if (i != 7) others += std::stof(std::to_string(term));
  }
  TemporaryFolder::write("x.txt", terms);
  const Json dropped =
      judged({"--input", "x.txt", "--format", "fp32", "--order", "sequential", "--value",
              "bits:" + orderlab::bits_text(orderlab::Format::fp32, std::bit_cast<std::uint32_t>(others))},
             kExitNo);
  CHECK(suggested(dropped, "term_missing") == "leaving out x[7] gives it");
  const Json narrow =
      judged({"--n", "1000", "--format", "fp32", "--order", "sequential", "--value", "bits:0x45000000"}, kExitNo);
  CHECK(suggested(narrow, "format").empty());  // bits are of one format
  const Outcome pattern = run({"check", "--n", "10", "--order", "random", "--value", "bits:0x459bc276"});
  CHECK(pattern.status == kFailed);
  CHECK(has(pattern.err, "or --format fp32 for a pattern of fp32"));
}

TEST_CASE("without named arrivals frequencies are reported and decide nothing") {
  const TemporaryFolder folder;
  std::string ten;
  for (int i = 0; i < 10; ++i) ten += "bits:0x459bc276\n";
  TemporaryFolder::write("ten.txt", ten);
  const Line line = kUniform + Line{"--values", "ten.txt"};
  const Json unnamed = judged(line + Line{"--order", "openmp"}, kDone);
  CHECK(unnamed["frequencies_decide"] == false);
  CHECK(unnamed["joint"]["p"].number() < 0.001);
  const Outcome text = run(Line{"check"} + line + Line{"--order", "openmp"});
  CHECK(has(text.out, "are not"));
  CHECK(judged(line + Line{"--order", "openmp", "--arrival", "uniform"}, kExitNo)["verdict"] == "unlikely");
  CHECK(judged(line + Line{"--order", "chunks(8) | arrive(uniform) | seq(from=zero)"}, kExitNo)["verdict"] ==
        "unlikely");
}

TEST_CASE("arrivals in launch order, reversed or sorted are not called unlikely") {
  // Terms that rise over ten binades: sorted orders lie far outside uniform ones.
  const TemporaryFolder folder;
  std::string terms;
  for (int i = 0; i < 600; ++i) terms += std::to_string(1.0 + (i % 7) * 0.1) + "e" + std::to_string(i / 150 - 2) + "\n";
  TemporaryFolder::write("x.txt", terms);
  for (const char* order : {"seq", "reverse | seq", "sort(asc) | seq", "sort(abs_desc) | seq"}) {
    const std::string bits =
        json_of({"sum", "--input", "x.txt", "--format", "fp32", "--order", order})["results"][0]["bits"].text();
    CAPTURE(order);
    const Json answer =
        judged({"--input", "x.txt", "--format", "fp32", "--order", "random", "--value", "bits:" + bits}, kDone);
    CHECK(answer["verdict"] == "explained");
  }
}

TEST_CASE("where no addition can round every order is proved to give one sum") {
  const Json one = judged(
      {"--n", "2^14", "--dist", "constant(1)", "--format", "fp32", "--order", "random", "--value", "16385"}, kExitNo);
  CHECK(one["verdict"] == "impossible");
  CHECK(one["orders"].is_null());
  CHECK(judged({"--n", "2^14", "--dist", "constant(1)", "--format", "fp32", "--order", "random", "--value", "16384"},
               kDone)["method"] == "enumeration");
  // Whole numbers whose magnitudes add up to less than 2^24
  CHECK(judged({"--n", "20000", "--dist", "integers(1000)", "--format", "fp32", "--order", "warp", "--value", "3"},
               kExitNo)["verdict"] == "impossible");
}

TEST_CASE("subnormal numbers may be kept or flushed unless --ftz says which") {
  const TemporaryFolder folder;
  TemporaryFolder::write("x.txt", "0x1p-140\n0x1p-127\n0x1p-126\n");
  const Line line{"--input", "x.txt", "--format", "fp32", "--order"};
  for (const char* order : {"sequential", "ao", "random"}) {
    CAPTURE(order);
    const Line kept{order, "--value", "0x1.8004p-126"};
    const Line flushed{order, "--value", "0x1p-126"};
    judged(line + kept, kDone);
    judged(line + flushed, kDone);
    judged(line + kept + Line{"--ftz", "no"}, kDone);
    judged(line + kept + Line{"--ftz", "yes"}, kExitNo);
    judged(line + flushed + Line{"--ftz", "yes"}, kDone);
    judged(line + flushed + Line{"--ftz", "no"}, kExitNo);
    // 2^-140 flushed and 2^-127 kept: only of different additions
    const Line mixed{order, "--value", "0x1.8p-126"};
    const bool in_turn = std::string(order) == "sequential";
    judged(line + mixed, in_turn ? kExitNo : kDone);
    for (const char* all : {"no", "yes"})
      CHECK(judged(line + mixed + Line{"--ftz", all}, kExitNo)["verdict"] == "impossible");
    CHECK(judged(line + Line{order, "--value", "0x1.4p-126"}, kExitNo)["verdict"] == "impossible");
  }
}

TEST_CASE("each chunk of terms may keep subnormal numbers or flush them by itself") {
  const TemporaryFolder folder;
  TemporaryFolder::write("x.txt", "0x1p-127\n0x1p-128\n0x1.8p-127\n0x1p-129\n");
  const Line line{"--input", "x.txt", "--format", "fp32", "--order", "chunks(2) | seq", "--value"};
  judged(line + Line{"bits:0x00600000"}, kDone);  // 2^-127 + 2^-128 kept, the others flushed
  CHECK(judged(line + Line{"bits:0x00600000", "--ftz", "no"}, kExitNo)["verdict"] == "impossible");
  CHECK(judged(line + Line{"bits:0x00500000"}, kExitNo)["verdict"] == "impossible");
  const Outcome wide = run({"check", "--n", "3", "--order", "sequential", "--value", "1", "--ftz", "yes"});
  CHECK(wide.status == kFailed);
  CHECK(has(wide.err, "is about additions in fp32"));
}
