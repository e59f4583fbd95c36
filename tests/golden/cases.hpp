// What the golden file covers: every named order, every stage in several uses, every arrival model, every format.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "orderlab/order.hpp"

namespace orderlab::testing {

/// Numbers of terms: one, two, an odd warp, and some that no group size divides.
inline constexpr std::array<std::size_t, 6> kGoldenCounts{1, 2, 33, 1000, 4133, 20011};

/// Models that every order with an arrival is drawn with, beside its own.
inline constexpr std::array kGoldenArrivals{"launch",
                                            "jitter(3)",
                                            "jitter(500)",
                                            "drift(2,90)",
                                            "slots(100,0.2)",
                                            "slots(7,1.5,1)",
                                            "slots(64,0)",
                                            "slots(2048,0.645,0.1)",
                                            "v100_b64",
                                            "batches(2,90,12.5,0.3)",
                                            "batches(2,90,12.5,0.3,0.1)",
                                            "passes(64,5,20)",
                                            "steady(drift(2,90),0.3)"};

/// Expressions that no named order stands for.
inline constexpr std::array kGoldenExpressions{
    "seq(7) | seq",
    "seq(8,from=zero) | seq(16) | seq",
    "seq(100) | shuffle | seq",
    "seq(acc=kahan)",
    "seq(acc=neumaier)",
    "seq(acc=atomic)",
    "reverse | seq",
    "rotate(5) | seq",
    "sort(abs_asc) | seq",
    "sort(desc) | halving(16) | seq",
    "chunks(5) | seq",
    "chunks(17,from=zero) | shuffle | pairwise",
    "strided(1) | seq",
    "strided(3) | seq",
    "strided(8,from=zero) | adjacent(8)",
    "strided(16,acc=kahan) | halving(16)",
    "strided(128) | halving(32) | halving(4)",
    "tile(256,4) | halving(256) | seq",
    "tile(32,1,3) | halving(32) | seq",
    "tile(128,3,5) | halving(128) | shuffle | seq",
    "tile(64,4,acc=neumaier) | adjacent(64) | seq",
    "halving(2) | seq",
    "halving(4) | halving(4) | seq",
    "halving(8) | shuffle | halving(8) | seq",
    "halving(32) | seq",
    "halving(1024) | seq",
    "halving(32) | shuffle | tree",
    "adjacent(2) | seq",
    "adjacent(32) | seq",
    "adjacent(256) | pairwise(8)",
    "pairwise(128)",
    "pairwise(8,from=zero)",
    "shuffle | pairwise(8)",
    "shuffle | numpy",
    "shuffle | strided(8) | halving(8)",
    "shuffle | seq(acc=kahan)",
    "shuffle | seq(acc=neumaier)",
    "shuffle | seq(from=zero)",
    "shuffle | halving(32) | shuffle | seq",
    "tree",
};

/// Those of sums of products alone.
inline constexpr std::array kGoldenProductExpressions{"seq(acc=fma)",
                                                      "seq(acc=fma,from=zero)",
                                                      "strided(8,acc=fma) | halving(8)",
                                                      "tile(64,2,acc=fma) | halving(64) | arrive | seq(acc=atomic)",
                                                      "shuffle | seq(acc=fma)",
                                                      "halving(32) | seq"};

/// Those of units, for fp16 products added in fp32.
inline constexpr std::array kGoldenUnitExpressions{
    "fused(h100_fp16)", "fused(v100_fp16,run=64) | arrive | seq(acc=atomic)", "shuffle | fused(8,F=24)"};

struct GoldenOrder {
  std::string expression;
  std::string arrival;  ///< arrival model of its bare `arrive`; empty: its own
};

inline std::vector<GoldenOrder> golden_orders() {
  std::vector<GoldenOrder> orders;
  for (const NamedOrder& named : named_orders()) {
    orders.push_back({std::string(named.name), ""});
    if (!takes_arrival(named.name)) continue;
    for (const char* arrival : kGoldenArrivals) orders.push_back({std::string(named.name), arrival});
  }
  for (const char* expression : kGoldenExpressions) orders.push_back({expression, ""});
  return orders;
}

}  // namespace orderlab::testing
