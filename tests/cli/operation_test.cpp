// Operations with many outputs from the command line: files in, files out, refusals, and numbers that are not finite.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/refusals.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

template <class T>
void write_npy(const std::string& path, Format format, const Shape& shape, const std::vector<T>& numbers) {
  const auto bytes = std::as_bytes(std::span(numbers));
  std::ofstream(path, std::ios::binary) << npy_bytes(format, shape, bytes);
}

void write_text(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

const Line kIndexAdd{"--op", "index_add", "--shape", "40x30"};

}  // namespace

TEST_CASE("an operation on files gives what its arrays say") {
  const TemporaryFolder folder;
  // Two outputs: 1e8 and three contributions to output 0, which order changes; one to output 1.
  write_npy<float>("src.npy", Format::fp32, {20}, [] {
    std::vector<float> x(20, 0.0F);
    x[0] = 1;
    x[1] = -1e8F;
    x[19] = 3;
    return x;
  }());
  std::string index = "0\n0\n";
  for (int i = 0; i < 17; ++i) index += "1\n";
  write_text("i.txt", index + "0\n");
  write_npy<float>("self.npy", Format::fp32, {2}, {1e8F, 5});
  const Line inputs{"--input", "src.npy", "--index", "i.txt", "--self", "self.npy"};
  const auto json = json_of(Line{"sample", "--op", "index_add", "--samples", "50"} + inputs);
  REQUIRE(!json.is_null());
  CHECK(json["outputs"] == 2);
  CHECK(json["contributions"] == 20);
  CHECK(json["units"] == 1);
  CHECK(json["can_vary"] == 0.0);  // one thread block
  CHECK(run(Line{"sample", "--op", "scatter_add", "--samples", "5", "--npy", "out.npy", "--quiet"} + inputs).status ==
        kDone);
  const Tensor out = read_tensor("out.npy", std::nullopt);
  CHECK(out.shape == Shape{1, 2});       // an operation that cannot vary is evaluated once
  CHECK(out.terms.view().left(0) == 3);  // (1e8 + 1) - 1e8 + 3
  CHECK(out.terms.view().left(1) == 5);
}

TEST_CASE("samples, all outputs and their table are written as asked, and equal for any number of threads") {
  const TemporaryFolder folder;
  const Line line = Line{"sample", "--samples", "7", "--arrival", "jitter(3)", "--quiet"} + kIndexAdd;
  CHECK(run(line + Line{"--npy", "a.npy", "--csv", "a.csv", "--json", "a.json", "--threads", "1"}).status == kDone);
  CHECK(run(line + Line{"--npy", "b.npy", "--csv", "b.csv", "--json", "b.json", "--threads", "3"}).status == kDone);
  const Tensor all = read_tensor("a.npy", std::nullopt);
  CHECK(all.shape == Shape{7, 40, 30});
  const auto text = [](const char* path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  for (const char* kind : {"npy", "csv", "json"})
    CHECK(text((std::string("a.") + kind).c_str()) == text((std::string("b.") + kind).c_str()));
  const std::string csv = text("a.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 1200);
  CHECK(csv.starts_with("output,index,varies,exact,baseline,launch,least,greatest,different,samples,max_error_ulp\n"));
  // What was sampled is explained; the whole array of another operation is not.
  write_npy<float>("one.npy", Format::fp32, {40, 30}, [&] {
    std::vector<float> first(1200);
    for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<float>(all.terms.view().left(i));
    return first;
  }());
  CHECK(run(Line{"check", "--actual", "one.npy", "--quiet"} + kIndexAdd).status == kDone);
  const Outcome other = run(Line{"check", "--actual", "one.npy", "--seed", "2"} + kIndexAdd);
  CHECK(other.status == kExitNo);
  CHECK(has(other.out, "Impossible: "));
}

TEST_CASE("numbers that are not finite are counted, judged and break nothing") {
  const TemporaryFolder folder;
  write_npy<double>("src.npy", Format::fp64, {6},
                    {1, std::numeric_limits<double>::infinity(), 2, std::nan(""), -0.0, 4});
  write_text("i.txt", "0\n1\n1\n2\n3\n0\n");
  write_npy<double>("self.npy", Format::fp64, {4}, {0, 1, 1, -0.0});
  const Line line{"--op",  "scatter_add", "--input",  "src.npy",  "--index",
                  "i.txt", "--self",      "self.npy", "--format", "fp64"};
  const auto json = json_of(Line{"sample", "--samples", "4"} + line);
  REQUIRE(!json.is_null());
  CHECK(json["nonfinite_exact"] == 2);
  CHECK(json["vc"]["max"] == 0.25);  // -0 of self + (0 + -0) is +0, by launch order -0
  CHECK(json["vc_by_value"]["max"] == 0.0);
  write_npy<double>("actual.npy", Format::fp64, {4}, {5, std::numeric_limits<double>::infinity(), std::nan(""), -0.0});
  CHECK(run(Line{"check", "--actual", "actual.npy", "--quiet"} + line).status == kDone);
  write_npy<double>("wrong.npy", Format::fp64, {4}, {5, 3, std::nan(""), -0.0});
  CHECK(run(Line{"check", "--actual", "wrong.npy", "--quiet"} + line).status == kExitNo);
}

TEST_CASE("a named order that cannot give a result is not every order, and samples are not what a model assumes") {
  const TemporaryFolder folder;
  write_npy<float>("src.npy", Format::fp32, {1, 4}, {1e8F, 1, -1e8F, 1});
  write_npy<float>("other.npy", Format::fp32, {1}, {2});
  const Outcome named =
      run({"check", "--op", "sum(axis=1)", "--order", "sequential", "--input", "src.npy", "--actual", "other.npy"});
  CHECK(named.status == kExitNo);
  CHECK(has(named.out, "Impossible: the order "));
  std::string text = named.out;
  std::replace(text.begin(), text.end(), '\n', ' ');
  CHECK(has(text, "Suspect another order, a bug, or a race."));
  CHECK(has(text, "every arrival order of the order named by --order"));
  CHECK(!has(named.out, "no order gives"));

  // 20 thread blocks are too many to enumerate. The exact sum is 9.8113, the bound of every order 0.006.
  std::vector<float> terms(20 * 512);
  std::string index;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    terms[i] = 1.0F / static_cast<float>(i + 1);
    index += "0\n";
  }
  write_npy<float>("many.npy", Format::fp32, {terms.size()}, terms);
  write_text("i.txt", index);
  write_npy<float>("off.npy", Format::fp32, {1}, {9.8133F});
  const Outcome sampled = run({"check", "--op", "scatter_add", "--input", "many.npy", "--index", "i.txt", "--actual",
                               "off.npy", "--samples", "8000"});
  CHECK(has(sampled.out, "1 result outside all samples and inside the bound of every order: "));
  CHECK(!has(sampled.out, "possible only if"));
  CHECK(has(sampled.out, "changes that it cannot prove wrong"));
}

TEST_CASE("what only the model excludes is said and counted, and an error if asked for") {
  const TemporaryFolder folder;
  // One thread block: its threads arrive in program order, so the model has one result. (1e8 + 1) - 1e8 is 0 in fp32.
  std::vector<float> terms(20, 0.0F);
  terms[0] = 1e8F;
  terms[1] = 1;
  terms[2] = -1e8F;
  write_npy<float>("src.npy", Format::fp32, {20}, terms);
  std::string index;
  for (int i = 0; i < 20; ++i) index += "0\n";
  write_text("i.txt", index);
  write_npy<float>("self.npy", Format::fp32, {1}, {1});
  write_npy<float>("model.npy", Format::fp32, {1}, {0});
  write_npy<float>("other.npy", Format::fp32, {1}, {2});
  write_npy<float>("wrong.npy", Format::fp32, {1}, {1000});
  const Line line{"--op", "index_add", "--input", "src.npy", "--index", "i.txt", "--self", "self.npy"};
  const auto checked = [&](const char* actual, const Line& more) {
    return run(Line{"check", "--actual", actual} + line + more);
  };
  CHECK(checked("model.npy", {"--strict"}).status == kDone);
  const Outcome other = checked("other.npy", {});
  CHECK(other.status == kDone);
  CHECK(has(other.out, "outside the model"));
  CHECK(has(other.out, "1 result possible only if an assumption of the model fails:"));
  CHECK(has(other.out, "Outside the model: 1 of 1 output;"));
  CHECK(checked("other.npy", {"--strict"}).status == kExitNo);
  CHECK(checked("wrong.npy", {}).status == kExitNo);
  const auto json = json_of(Line{"check", "--actual", "other.npy", "--ftz", "no"} + line);
  REQUIRE(!json.is_null());
  CHECK(json["verdict"] == "outside the model");
  CHECK(json["explained"] == 0);
  CHECK(json["outside_model"] == 1);
  CHECK(json["config"]["ftz"] == "no");
  CHECK(json["config"]["arrival"].is_null());
}

TEST_CASE("16-bit sums that overflow in some orders only have inf among their results") {
  const TemporaryFolder folder;
  // 60000 + 60000 is inf in fp16, 60000 - 60000 first is not; units are the terms.
  write_npy<float>("src.npy", Format::fp32, {1, 3}, {60000, 60000, -60000});
  const Line line{"enumerate", "--op", "sum(axis=1)", "--input", "src.npy", "--format", "fp16", "--order", "ao"};
  const Outcome outcome = run(line + Line{"--csv", "-"});
  CHECK(outcome.status == kDone);
  CHECK(has(outcome.out, "inf"));
  CHECK(has(outcome.out, ",60000,"));
}

TEST_CASE("enumerate writes every result of every output as a row of CSV") {
  const TemporaryFolder folder;
  CHECK(run(Line{"enumerate", "--csv", "all.csv"} + kIndexAdd).status == kDone);
  std::ifstream file("all.csv");
  std::string titles;
  std::getline(file, titles);
  CHECK(titles == "output,index,bits,value,probability,error_ulp");
}

TEST_CASE("explain, enumerate and tolerance answer in JSON") {
  const auto explained = json_of(Line{"explain"} + kIndexAdd);
  REQUIRE(!explained.is_null());
  CHECK(explained["launch"]["kernel"] == "indexFuncLargeIndex");
  CHECK(explained["launch"]["grid"] == 10);
  const auto all = json_of(Line{"enumerate"} + kIndexAdd);
  REQUIRE(!all.is_null());
  CHECK(all["not_enumerated"] == 0);
  const auto sampled = json_of(Line{"sample", "--samples", "3"} + kIndexAdd);
  CHECK(sampled["vc"]["exact_expectation"] == all["vc"]["exact_expectation"]);
  const auto tolerance = json_of(Line{"tolerance", "--coverage", "0.9", "--quiet"} + kIndexAdd);
  REQUIRE(!tolerance.is_null());
  CHECK(tolerance["tolerance"].size() == 5);
}

TEST_CASE("every command of an operation reads recorded arrival orders") {
  const TemporaryFolder folder;
  write_text("reversed.csv", "2,1,0\n");  // always in reverse
  const Line traced{"--arrival", "trace('reversed.csv')"};
  const Line few{"--op", "index_add", "--shape", "18x20"};
  const Line three = few + Line{"--samples", "3"};
  const auto sampled = json_of(Line{"sample", "--npy", "runs.npy"} + three + traced);
  REQUIRE(!sampled.is_null());
  CHECK(sampled["units"] == 3);
  CHECK(sampled["config"]["arrival"].text().starts_with("trace('xxh3:"));
  CHECK(sampled["distinct"] == 1);
  CHECK(sampled["vc_of_order"]["mean"].number() > 0);  // not the result of launch order
  const auto ways = json_of(Line{"alternatives"} + three + traced);
  REQUIRE(!ways.is_null());
  CHECK(ways["config"]["arrival"] == sampled["config"]["arrival"]);
  CHECK(ways["alternatives"][0]["results"] == 1);
  const auto limit = json_of(Line{"tolerance", "--coverage", "0.5", "--against", "run", "--quiet"} + few + traced);
  REQUIRE(!limit.is_null());
  CHECK(limit["config"]["arrival"] == sampled["config"]["arrival"]);
  CHECK(limit["tolerance"]["atol"] == 0.0);  // runs do not differ
  const Tensor runs = read_tensor("runs.npy", std::nullopt);
  write_npy<float>("run.npy", Format::fp32, {18, 20}, [&] {
    std::vector<float> first(360);
    for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<float>(runs.terms.view().left(i));
    return first;
  }());
  const auto checked = json_of(Line{"check", "--actual", "run.npy"} + few + traced);
  REQUIRE(!checked.is_null());
  CHECK(checked["config"]["arrival"] == sampled["config"]["arrival"]);
  CHECK(checked["verdict"] == "explained");
  for (const char* command : {"sample", "alternatives", "tolerance"})
    refuses(Line{command} + few + traced + Line{"--json", "./reversed.csv"});
  refuses(Line{"check", "--actual", "run.npy"} + few + traced + Line{"--json", "reversed.csv"});
}

TEST_CASE("operations refuse what they cannot do in one line, and write nothing") {
  const TemporaryFolder folder;
  write_npy<float>("src.npy", Format::fp32, {3}, {1, 2, 3});
  write_text("i.txt", "0\n-4\n1\n");
  write_text("real.txt", "0\n0.5\n1\n");
  const Line sample = Line{"sample"} + kIndexAdd;
  refuses_with({"sample", "--op", "index_ad", "--shape", "4x4"}, "did you mean index_add?");
  refuses_with({"sample", "--op", "index_add"}, "no inputs: give --shape AxB to generate them, or --input FILE");
  refuses_with({"sample", "--op", "index_add", "--shape", "0x4"}, "--shape 0x4: ");
  refuses_with({"sample", "--op", "index_add", "--shape", "50000x50000"}, "--shape 50000x50000: ");
  refuses_with(sample + Line{"--ratio", "1.5"}, "--ratio 1.5: must be a number above 0 and at most 1");
  refuses_with(sample + Line{"--gpu", "h10"}, "did you mean h100 or h100_pcie?");
  refuses_with(sample + Line{"--arrival", "trace(nowhere.csv)"}, "nowhere.csv");
  refuses_with(sample + Line{"--baseline", "exat"}, "did you mean exact?");
  refuses_with(sample + Line{"--order", "ao"}, "leave it out (--arrival orders units");
  refuses_with(sample + Line{"--range", "0:5"}, "--range 0:5: is about sums of one output");
  refuses_with(sample + Line{"--index", "i.txt"}, "--index i.txt: needs a file as --input");
  refuses_with(sample + Line{"--n", "4"}, "--n 4: is a shape of one dimension; leave --n or --shape out");
  refuses_with(sample + Line{"--with", "src.npy"}, "--with src.npy: index_add takes none; leave it out");
  refuses_with(sample + Line{"--max-distinct", "9"},
               "--max-distinct 9: is about sums of one output; leave it out with --op");
  refuses_with({"sample", "--op", "index_add", "--n", "1e12"}, "more than 2^31 - 1 elements");
  refuses_with({"sample", "--op", "cumsum", "--n", "9", "--ratio", "0.5"},
               "--ratio 0.5: applies to an index; cumsum takes none");
  refuses_with({"sample", "--op", "index_add", "--input", "src.npy", "--index", "i.txt", "--ratio", "0.5"},
               "--ratio 0.5: is about generated inputs, but they come from files; leave it out");
  refuses_with({"sample", "--op", "scatter_reduce(prod)", "--shape", "40", "--baseline", "deterministic"},
               "has no deterministic form of its own");
  refuses_with({"sample", "--op", "scatter_add", "--input", "src.npy", "--index", "i.txt"},
               "scatter_add: index -4 at position 1 is negative");
  refuses_with({"sample", "--op", "scatter_add", "--input", "src.npy", "--index", "real.txt"}, "real.txt:2");
  refuses_with({"sample", "--op", "scatter_add", "--input", "src.npy", "--index", "src.npy"}, ".astype(np.int64)");
  refuses_with({"sample", "--op", "sum(axis=1)", "--input", "src.npy", "--order", "ao"}, "there is no dimension 1");
  refuses_with({"sample", "--op", "sum(axis=0)", "--input", "src.npy"}, "no order: give --order NAME");
  refuses_with({"sample", "--op", "bincount(2)", "--shape", "40", "--self", "src.npy"}, "--self src.npy: ");
  refuses_with({"sample", "--op", "matmul(3,3)"}, "matmul: k is missing");
  refuses_with({"sample", "--shape", "3x3", "--n", "4", "--order", "ao"}, "name one with --op, such as index_add");
  refuses_with({"sample", "--npy", "never.npy", "--n", "4", "--order", "ao"}, "add --op NAME");
  refuses_with({"check", "--op", "index_add", "--shape", "40x30"}, "no array to check: give --actual FILE");
  refuses_with({"check", "--op", "index_add", "--shape", "40x30", "--actual", "src.npy"},
               "the array to check is 3; index_add gives 40x30");
  refuses_with({"check", "--actual", "src.npy", "--n", "4", "--order", "ao", "--value", "1"}, "add --op NAME");
  refuses_with({"enumerate", "--op", "index_add", "--shape", "40x30", "--baseline", "run"}, "is not a fixed result");
  refuses_with({"tolerance", "--op", "index_add", "--shape", "40x30", "--samples", "5"}, "too few for coverage");
  refuses_with({"explain", "--n", "5"}, "no operation: give --op NAME");
  refuses_with({"fit", "--op", "index_add", "i.txt"}, "i.txt:1: the columns must have titles");
  refuses_with({"fit", "i.txt", "--split", "5"}, "add --op NAME");
}
