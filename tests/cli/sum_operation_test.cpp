// `sum` of an operation: all outputs by one fixed order, files in and out, refusals.
#include <doctest/doctest.h>

#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/refusals.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

void write_array(const std::string& path, Format format, const Shape& shape, const std::vector<double>& numbers) {
  Terms terms(format, numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) terms.set(i, numbers[i]);
  std::ofstream(path, std::ios::binary) << npy_bytes(format, shape, terms.bytes());
}

const Line kUnitSum{"sum",    "--op",  "sum(axis=1)", "--input",        "a.npy",   "--with",          "b.npy",
                    "--self", "c.npy", "--format",    "fp16:fp32:fp32", "--order", "fused(v100_fp16)"};

/// Two rows of four products: one that an accumulator of 23 bits cuts, one that it holds.
void write_factors() {
  write_array("a.npy", Format::fp16, {2, 4}, {1, 1, 1, 1, 2, 3, 4, 5});
  write_array("b.npy", Format::fp16, {2, 4}, {1024, 0x1p-14, 0x1p-14, 0x1p-14, 1, 1, 1, 1});
  write_array("c.npy", Format::fp32, {2}, {0x1p-13, 0.5});
}

}  // namespace

TEST_CASE("sum of an operation has every output, from starts in the format of the sums") {
  const TemporaryFolder folder;
  write_factors();
  const auto json = json_of(kUnitSum + Line{"--npy", "out.npy"});
  REQUIRE(!json.is_null());
  CHECK(json["command"] == "sum");
  CHECK(json["outputs"] == 2);
  const FusedUnit& unit = *find_fused_unit("v100_fp16");
  const std::vector<Factors> first{{1, 1024}, {1, 0x1p-14}, {1, 0x1p-14}, {1, 0x1p-14}};
  const double expected = fused_sum(unit, Format::fp32, first, 0x1p-13).sum;
  CHECK(expected == 1024.0 + 0x1p-13);  // 2^-14 is cut
  CHECK(json["results"][0]["result"] == expected);
  CHECK(json["results"][1]["result"] == 14.5);
  CHECK(json["results"][1]["error_ulp"] == 0.0);
  CHECK(json["not_nearest"] == 1);
  CHECK(json["farthest"] == 0);
  const Tensor out = read_tensor("out.npy", std::nullopt);
  CHECK(out.shape == Shape{2});
  CHECK(out.terms.format() == Format::fp32);
  CHECK(out.terms.view().left(0) == expected);
  const Outcome text = run(kUnitSum);
  CHECK(has(text.out, "1 of 2 outputs are not the exact sum rounded to nearest"));
}

TEST_CASE("results that are not finite are counted, and the largest error is one of a finite result") {
  const TemporaryFolder folder;
  write_array("a.npy", Format::fp16, {3, 2}, {60000, 60000, 1, 2, 0, 0});
  write_array("b.npy", Format::fp16, {3, 2}, {1, 1, 1, 1, 1, 1});
  const Line line{"sum",   "--op",     "sum(axis=1)", "--input", "a.npy", "--with",
                  "b.npy", "--format", "fp16",        "--order", "seq"};
  CHECK(has(run(line).out, "1 of 3 outputs are infinite or NaN."));
  const auto json = json_of(line);
  CHECK(json["nonfinite"] == 1);
  CHECK(json["max_error_ulp"] == 0.0);
}

TEST_CASE("numbers of self that are rounded on reading are counted") {
  const TemporaryFolder folder;
  write_factors();
  write_array("c.npy", Format::fp64, {2}, {0.1, 0.5});
  CHECK(json_of(kUnitSum)["inexact_conversions"] == 1);
}

TEST_CASE("sum of an operation is the launch order of its sample") {
  const TemporaryFolder folder;
  for (const Line& what : {Line{"--op", "sum(axis=0)", "--shape", "30x20", "--order", "pairwise"},
                           Line{"--op", "index_add", "--shape", "40x30", "--arrival", "launch"},
                           Line{"--op", "cumsum", "--shape", "3000", "--lookback", "fixed(1)"}}) {
    CHECK(run(Line{"sum", "--npy", "sum.npy", "--quiet"} + what).status == kDone);
    CHECK(run(Line{"sample", "--samples", "1", "--npy", "run.npy", "--quiet"} + what).status == kDone);
    const Tensor sum = read_tensor("sum.npy", std::nullopt);
    const Tensor sample = read_tensor("run.npy", std::nullopt);
    CHECK(sum.terms.hash() == sample.terms.hash());
    CHECK(sum.shape == Shape(sample.shape.begin() + 1, sample.shape.end()));
  }
}

TEST_CASE("sum of an operation whose order is drawn, and .npy of one sum, are refused") {
  const TemporaryFolder folder;
  refuses_with({"sum", "--op", "index_add", "--shape", "40x30"},
               "index_add: its order is random, so there is no single result; give --arrival launch");
  refuses_with(
      {"sum", "--op", "sum(axis=1)", "--shape", "4x50", "--order", "random"},
      "sum(axis=1), order shuffle | seq: its order is random, so there is no single result; give a fixed --order");
  refuses_with({"sum", "--op", "cumsum", "--shape", "200000"}, "give --lookback 'fixed(1)'");
  refuses_with({"sum", "--n", "10", "--order", "seq", "--npy", "never.npy"}, "needs an operation; add --op NAME");
}
