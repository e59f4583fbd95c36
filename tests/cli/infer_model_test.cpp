// The command infer with a model: its documents, exit statuses, and what it refuses.
#include <doctest/doctest.h>

#include <string>

#include "cli/program.hpp"
#include "cli/refusals.hpp"
#include "config/json.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

void write_prompts() { TemporaryFolder::write("p.txt", "def open(\nimport os\nThe function returns\n"); }

}  // namespace

TEST_CASE("infer runs a model with two settings, and says how many tokens flip and why") {
  const TemporaryFolder folder;
  write_prompts();
  const Outcome one =
      run({"infer", "tiny", "--prompts", "p.txt", "--tokens", "5", "--against", "split_k=4,partials=bf16", "--json",
           "run.json", "--csv", "run.csv", "--html", "run.html", "--logits", "l.npy"});
  CHECK(one.status == kDone);
  CHECK(has(one.out, "tiny: llama, 476288 weights; 3 prompts, 15 tokens of answers"));
  CHECK(has(one.out, "products: 4 splits, partial sums in bf16 in place of 1 split"));
  CHECK(has(one.out, "The only reduction that differs is products"));
  CHECK(has(one.out, "Not known: which tiles and splits cuBLAS chooses"));
  const Json document = Json::parse(TemporaryFolder::read("run.json"));
  CHECK(document["tokens"].count() == 15);
  CHECK(document["answers"].size() == 3);
  CHECK(document["comparisons"][0]["difference"]["tokens"].count() == 15);
  CHECK(TemporaryFolder::read("run.csv").starts_with("run,answer,flip\n"));
  CHECK(has(TemporaryFolder::read("run.html"), "Answers that are still the same"));
  CHECK(TemporaryFolder::read("l.npy").size() == 128 + 15 * 256 * 4);
}

TEST_CASE("infer compares further batches with the first") {
  const TemporaryFolder folder;
  write_prompts();
  const Outcome one = run({"infer", "tiny", "--prompts", "p.txt", "--tokens", "2", "--batch", "1,8,300"});
  CHECK(one.status == kDone);
  CHECK(has(one.out, "batch=8: all logits are bit-identical"));
  CHECK(has(one.out, "batch=300: all logits are bit-identical"));
}

TEST_CASE("infer refuses a model with flags of answers, and answers with flags of a model") {
  const TemporaryFolder folder;
  write_prompts();
  refuses_with({"infer", "tiny"}, "nothing to compare with: give two batch sizes, --batch 1,8");
  refuses_with({"infer", "tiny", "--set", "split_k=4,split_order=arrival"}, "give their number, --runs 10");
  refuses_with({"infer", "tiny", "--neighbours", "1,8"}, "--neighbours: batch sizes are drawn in drawn runs");
  refuses_with({"infer", "tiny", "--neighbours", "1,0", "--runs", "2"}, "--neighbours 0: must be at least 1");
  refuses_with({"infer", "tiny", "--neighbours", "8,8", "--runs", "2"}, "--runs 2: nothing is drawn in them");
  refuses_with({"infer", "tiny", "--set", "split_k=4,partials=bf16", "--against", "split_order=arrival"},
               "a run of --against adds splits in turn");
  refuses_with({"infer", "tiny", "--batch", "1,8", "--noise", "0.1"}, "--noise 0.1: is about the answers of a server");
  refuses_with({"infer", "--logprobs", "a.jsonl", "--tokens", "3", "--noise", "1"},
               "--tokens 3: is about a model that runs here");
  refuses_with({"infer", "tiny", "--batch", "1,x"}, "batch");
  refuses_with({"infer", "tiny", "--batch", "1,1"}, "both runs have the same settings");
  refuses_with({"infer", "tiny", "--against", "serving=vlm"}, "did you mean vllm");
  refuses_with({"infer", "tiny", "--against", "format=fp16"}, "both runs must have one format");
  refuses_with({"infer", "tiny", "--against", "tp=3"}, "tp=3: does not divide the model's 4 heads");
  refuses_with({"infer", "tiny", "--batch", "1,8", "--tokens", "500"}, "128 positions; shorten the prompt");
  refuses_with({"infer", "nowhere", "--batch", "1,8"}, "no prompts: give --prompts FILE");
  refuses_with({"infer", "nowhere", "--batch", "1,8", "--prompts", "p.txt"}, "nowhere: no such folder");
}
