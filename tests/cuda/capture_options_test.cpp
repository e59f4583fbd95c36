// The command line of the capture program.
#include <doctest/doctest.h>

#include <vector>

#include "cuda/capture/options.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::cuda;

namespace {

CaptureOptions parse(const std::vector<const char*>& arguments) { return parse_capture_options(arguments); }

std::string complaint(const std::vector<const char*>& arguments) {
  try {
    parse(arguments);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("the capture program takes its options in any order") {
  const CaptureOptions options = parse({"--quick", "--out", "a.capture", "--kernel", "spa", "--tickets", "t.csv"});
  CHECK(options.quick);
  CHECK(options.out == "a.capture");
  CHECK(options.kernel == "spa");
  CHECK(options.tickets == "t.csv");
  CHECK(!options.bench);
  CHECK(!options.list);
  CHECK(!options.help);
  CHECK(parse({}).out.empty());
  CHECK(parse({"--bench"}).bench);
  CHECK(parse({"--list"}).list);
  CHECK(parse({"--help"}).help);
}

TEST_CASE("a wrong option of the capture program is told in one line") {
  CHECK(complaint({"--quikc"}) == "--quikc: no such option; did you mean --quick?");
  CHECK(complaint({"--out"}) == "--out: needs a value, --out FILE");
  CHECK(complaint({"--out", "--quick"}) == "--out: needs a value, --out FILE");
  CHECK(complaint({"--kernel", "a", "--kernel", "b"}) == "--kernel: given twice; once is enough");
  CHECK(complaint({"--bench", "--tickets", "t.csv"}).starts_with("--tickets: is part of a capture"));
}

TEST_CASE("the help names every option") {
  const std::string help = capture_help();
  for (const char* option : {"--out FILE", "--kernel NAME", "--quick", "--tickets FILE", "--bench", "--list", "--help"})
    CHECK(help.find(option) != std::string::npos);
}
