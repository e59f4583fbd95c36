// Commands that a program calls with arrays in place of files, and whose reports it takes.
#include "cli/given_array.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <vector>

#include "cli/command.hpp"
#include "cli/report_on.hpp"
#include "orderlab/error.hpp"
#include "program.hpp"

namespace orderlab::cli {

namespace {

template <class T>
GivenArray array_in(const std::vector<T>& numbers, std::optional<Format> format, Shape shape = {}) {
  const auto* const first = reinterpret_cast<const std::byte*>(numbers.data());
  if (shape.empty()) shape = {numbers.size()};
  return {format, std::move(shape), std::shared_ptr<const std::byte>(first, [](const std::byte*) {})};
}

/// A command line of texts and arrays.
struct CalledCommand {
  explicit CalledCommand(const std::string& name) : command(find_command(name)), line(command->flags) {}

  void give(const std::string& flag, const std::string& text) { line.give(*line.find_flag(flag), {text}); }
  void give(const std::string& flag, GivenArray array) { line.give(*line.find_flag(flag), std::move(array)); }

  /// The report; also counts how often progress was told.
  std::shared_ptr<const Report> run() {
    std::ostringstream out;
    std::ostringstream err;
    Session session{.out = out, .err = err};
    std::shared_ptr<const Report> taken;
    session.caller.takes = [&](std::shared_ptr<const Report> report) { taken = std::move(report); };
    session.caller.follows = [&](const std::string&, const study::Progress&) { ++told; };
    line.name_files(session.files);
    command->run(line, session);
    return taken;
  }

  const Command* command;
  CommandLine line;
  int told = 0;
};

}  // namespace

TEST_CASE("an array gives the report of its file") {
  const TemporaryFolder folder;
  const std::vector<float> x{0.1F, 2, -3.5F, 1e-9F, 7};
  const std::string bytes = npy_bytes(Format::fp32, {5}, std::as_bytes(std::span(x)));
  std::ofstream("x.npy", std::ios::binary) << bytes;
  CalledCommand called("sample");
  called.give("--input", array_in(x, Format::fp32));
  called.line.give(*called.line.find_flag("--order"), {"random", "pairwise"});
  const auto report = called.run();
  const Line line{"sample", "--input", "x.npy", "--order", "random", "--order", "pairwise"};
  CHECK(report->json() == run(line + Line{"--json", "-"}).out);
  CHECK(report->csv() == run(line + Line{"--csv", "-"}).out);
  CHECK(report->text({80, false}) == run(line).out);
  CHECK(report->as<study::SampleFinding>()->orders.size() == 2);
  CHECK(report->as<study::EnumerateFinding>() == nullptr);
  CHECK(!report->charts().empty());
  CHECK(report->html().find("<html") != std::string::npos);
  CHECK(called.told > 0);
}

TEST_CASE("arrays of results, indices and outputs are taken") {
  const std::vector<double> x{1, 2, 3, 4};
  const std::vector<std::int64_t> index{0, 0, 1, 1};
  const std::vector<double> actual{3, 7};
  CalledCommand called("check");
  called.give("--op", "index_add");
  called.give("--input", array_in(x, Format::fp64));
  called.give("--index", array_in(index, std::nullopt));
  called.give("--actual", array_in(actual, Format::fp64));
  CHECK(called.run()->json().find("\"verdict\": \"explained\"") != std::string::npos);

  CalledCommand sums("check");
  const std::vector<double> values{10, 11};
  sums.give("--input", array_in(x, Format::fp64));
  sums.give("--values", array_in(values, Format::fp64));
  sums.give("--order", "random");
  CHECK(sums.run()->json().find("\"verdict\": \"impossible\"") != std::string::npos);
}

TEST_CASE("an array of other numbers is refused, and says how to convert it") {
  const std::vector<std::int64_t> whole{1, 2};
  const std::vector<double> real{1, 2};
  CalledCommand terms("sum");
  terms.give("--input", array_in(whole, std::nullopt));
  terms.give("--order", "seq");
  CHECK_THROWS_WITH_AS(terms.run(),
                       "--input an array: holds integers, not float16, float32 or float64; convert it with "
                       ".astype(np.float64)",
                       Error);
  CalledCommand places("sample");
  places.give("--op", "index_add");
  places.give("--input", array_in(real, Format::fp64));
  places.give("--index", array_in(real, Format::fp64));
  CHECK_THROWS_WITH_AS(places.run(),
                       "--index an array: holds fp64 numbers, not integers; convert it with .astype(np.int64)", Error);
  CalledCommand narrow("check");
  const std::vector<double> third{1.0 / 3};
  narrow.give("--input", array_in(real, Format::fp64));
  narrow.give("--format", "fp32");
  narrow.give("--order", "random");
  narrow.give("--values", array_in(third, Format::fp64));
  CHECK_THROWS_AS(narrow.run(), Error);
}

}  // namespace orderlab::cli
