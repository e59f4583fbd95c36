#include "sweep/published_points.hpp"

#include <doctest/doctest.h>

#include <string>

#include "orderlab/error.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

PublishedPoints published(const std::string& text) {
  const TemporaryFile file("p.csv", text);
  return read_published(file.path());
}

// What is complained about, without the folder.
std::string fault(const std::string& text) {
  const TemporaryFile file("p.csv", text);
  try {
    (void)read_published(file.path());
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    const std::string message = error.what();
    REQUIRE(message.starts_with(file.path()));
    return message.substr(file.path().size());
  }
  return "read";
}

}  // namespace

TEST_CASE("published points are read by the titles of their columns, and come back from a store's text") {
  const PublishedPoints points = published(
      "# Made up, for a test\r\nvc_mean,n,R,op,distinct_outputs,vermv_mean\r\n0.25,1e3,0.5,\"conv(1,2)\",7,1e-9\n"
      "\n# between\n, 20 ,,cumsum,,5.6e-7\n");
  CHECK(points.file == "p.csv");
  CHECK(points.source == "Made up, for a test");
  REQUIRE(points.rows.size() == 2);
  PublishedRow first;
  first.op = "conv(1,2)";
  first.n = 1000;
  first.ratio = 0.5;
  first.vc_mean = 0.25;
  first.vermv_mean = 1e-9;
  CHECK(points.rows[0] == first);
  CHECK(!points.rows[1].vc_mean);
  CHECK(!points.rows[1].ratio);
  CHECK(points.rows[1].n == 20);
  CHECK(published_in(published_text(points)) == points);
  CHECK(published_text({}).empty());
  CHECK(published_in("").empty());
}

TEST_CASE("a file that has no published points is refused with its line") {
  CHECK(fault("n,R,vc_men\n1,1,0\n") == ":1: vc_men: no such column; did you mean vc_mean?");
  CHECK(fault("n,R\n1,1\n") == ":1: has neither a column vc_mean nor vermv_mean");
  CHECK(fault("n,n,vc_mean\n1,1,0\n") == ":1: has two columns n");
  CHECK(fault("n,vc_mean\n1,0\n1,x\n") == ":3: vc_mean: 'x' is not a number");
  CHECK(fault("n,vc_mean\n1.5,0\n") == ":2: n: '1.5' is not a whole number");
  CHECK(fault("n,vc_mean\n1,1.5\n") == ":2: vc_mean: 1.5 must be from 0 to 1");
  CHECK(fault("n,vermv_mean\n1,-1\n") == ":2: vermv_mean: -1 must be at least 0");
  CHECK(fault("n,vc_mean\n1\n") == ":2: has 1 cell; the titles are 2");
  CHECK(fault("n,vc_mean\n") == ":1: has no row below the titles of its columns");
  CHECK(fault("") == ":1: has no line with the titles of its columns, such as n,R,vc_mean");
  CHECK_THROWS_AS(read_published("no/such.csv"), Error);
}
