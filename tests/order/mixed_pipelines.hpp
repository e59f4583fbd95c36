// Pipelines that round between stages or change the format of additions.
#pragma once

#include <string>

#include "reference/hard_inputs.hpp"

namespace orderlab::testing {

/// Valid for every n >= 1, for numbers as well as products, and in every format.
inline constexpr const char* kMixedPipelines[] = {
    "round(bf16) | in(bf16) | seq",
    "chunks(6) | round(bf16) | in(bf16) | seq",
    "chunks(6) | round(bf16) | in(bf16) | seq | round(fp16)",
    "seq(3) | round(fp16) | in(fp64) | pairwise",
    "round(fp32) | in(fp32,store=bf16) | seq(from=zero)",
    "strided(4) | round(bf16) | in(fp32,store=bf16) | halving(4)",
    "halving(8) | round(fp16) | in(fp16) | adjacent(3,rest=keep) | in(fp32) | numpy",
    "round(bf16) | in(bf16) | numpy | round(fp32) | in(fp32) | seq",
    "shuffle | chunks(3) | round(fp16) | in(fp16) | seq(acc=kahan)",
    "chunks(5) | round(bf16) | in(bf16) | arrive | seq",
    "chunks(5) | round(fp32) | in(fp32) | arrive | seq(acc=atomic)",
    "tile(4,2) | halving(4) | arrive | round(bf16) | in(bf16) | seq(acc=neumaier)",
    "shuffle | tree | round(fp16)",
    "seq(2) | round(bf16) | in(bf16) | shuffle | tree",
    "seq(4) | shuffle | round(fp16) | in(fp32) | sort(abs_desc) | seq(3) | shuffle | in(fp64,store=fp32) | tree",
    "halving(4) | round(bf16) | in(fp64) | cub_rake(5) | seq | round(bf16)",
};

/// One drawn at random, valid for every n and in every format; `fused`: its first stage may fuse products.
inline std::string random_mixed_pipeline(IndexGenerator& draw, bool fused) {
  const auto pick = [&](const auto& list) { return std::string(list[below(draw, std::size(list))]); };
  const char* const moving[] = {"reverse", "rotate(0)", "shuffle", "arrive", "sort(asc)", "sort(abs_desc)", "shuffle"};
  const char* const fusing[] = {"seq(3,acc=fma)", "strided(2,acc=fma,from=zero)", "chunks(3,acc=fma)"};
  const char* const reducing[] = {
      "seq(2)",           "seq(3,from=zero)",      "chunks(4)",      "strided(3)", "strided(2,from=zero)",
      "halving(8)",       "adjacent(3,rest=keep)", "tile(2,2)",      "lanes(2,2)", "lanes(4,2,to=2)",
      "seq(4,rest=keep)", "power_of_two",          "double_tree(2)", "cub_rake(5)"};
  const char* const compensated[] = {"seq(3,acc=kahan)", "chunks(2,acc=neumaier)", "seq(2,acc=atomic)",
                                     "strided(3,acc=atomic)"};
  const char* const ending[] = {"seq", "seq(from=zero)", "pairwise", "pairwise(3,from=zero)", "tree", "halving(2^20)"};
  const char* const careful[] = {"seq(acc=kahan)", "seq(acc=neumaier)", "seq(acc=atomic)", "pairwise(4,acc=kahan)",
                                 "numpy"};
  // What is rounded, and what adds it: numbers of the first are numbers of the second.
  const char* const formats[] = {"round(bf16) | in(bf16)", "round(fp16) | in(fp16)", "round(fp32) | in(fp32)",
                                 "round(bf16) | in(fp32)", "round(fp16) | in(fp32)", "round(fp64) | in(fp64)",
                                 "round(bf16) | in(fp64)", "round(fp32) | in(fp64)"};
  const char* const stored[] = {"round(bf16) | in(fp32,store=bf16)", "round(fp32) | in(fp32,store=bf16)",
                                "round(fp32) | in(fp32,store=fp16)", "round(fp16) | in(fp64,store=fp16)",
                                "round(fp64) | in(fp64,store=fp32)", "round(fp32) | in(fp64,store=bf16)"};
  std::string text;
  const auto append = [&](const std::string& stage) { text += (text.empty() ? "" : " | ") + stage; };
  bool stores = false;
  const auto stages = [&](std::uint64_t most) {
    for (std::uint64_t i = below(draw, most + 1); i > 0; --i) {
      if (chance(draw, 3)) append(pick(moving));
      append(!stores && chance(draw, 4) ? pick(compensated) : pick(reducing));
    }
  };
  if (fused) append(pick(fusing));
  stages(1);
  for (std::uint64_t i = 1 + below(draw, 2); i > 0; --i) {
    if (chance(draw, 4)) append(pick(moving));
    stores = chance(draw, 3);
    append(stores ? pick(stored) : pick(formats));
    stages(1);
  }
  if (chance(draw, 3)) append(pick(moving));
  append(!stores && chance(draw, 3) ? pick(careful) : pick(ending));
  if (chance(draw, 8)) append("round(bf16)");
  return text;
}

}  // namespace orderlab::testing
