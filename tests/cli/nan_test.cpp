// A NaN is printed as nan, whatever its sign and payload, in text, CSV, JSON and pages.
#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <string>

#include "cli/program.hpp"
#include "core/text.hpp"
#include "page/number_words.hpp"
#include "show/csv_cell.hpp"
#include "show/input_json.hpp"
#include "show/input_text.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

template <class Bits>
std::string bytes_of(const std::vector<Bits>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Bits)};
}

bool has_other_nan(const std::string& text) {
  for (const char* wrong : {"-nan", "nan(", "-NaN", "+nan"})
    if (has(text, wrong)) return true;
  return false;
}

}  // namespace

TEST_CASE("every writer of a number writes nan for every NaN") {
  for (const std::uint64_t bits :
       {0x7ff8000000000000U, 0xfff8000000000000U, 0xfff8000000000123U, 0x7ff0000000000001U}) {
    const auto nan = std::bit_cast<double>(bits);
    CHECK(shortest(nan) == "nan");
    CHECK(number(nan) == "nan");
    CHECK(in_words(nan) == "nan");
    CHECK(csv_cell(Value(nan)) == "nan");
    CHECK(csv_cell(std::optional(nan)) == "nan");
    CHECK(json_number(nan).dump() == "\"nan\"");
  }
}

TEST_CASE("commands on NaN and infinities print nan") {
  const TemporaryFolder folder;
  TemporaryFolder::write("neg.f64", bytes_of<std::uint64_t>({0xfff8000000000001U, 0x3ff0000000000000U}));
  TemporaryFolder::write("neg.f32", bytes_of<std::uint32_t>({0xffc00001U, 0x3f800000U, 0xff800000U}));
  TemporaryFolder::write("inf.txt", "inf\n-inf\n1\n2\n");
  TemporaryFolder::write("up.txt", "1e308\n1e308\n-1e308\n-1e308\n1e308\n");
  for (const std::string file : {"neg.f64", "neg.f32", "inf.txt", "up.txt"})
    for (const Line& line : std::vector<Line>{{"sum", "--order", "seq"},
                                              {"sample", "--order", "random", "--samples", "20"},
                                              {"sample", "--order", "random", "--order", "seq", "--samples", "20"},
                                              {"enumerate", "--order", "random"},
                                              {"check", "--order", "random", "--value=-nan", "--value", "1"},
                                              {"tree", "--order", "pairwise"},
                                              {"explain"},
                                              {"alternatives"},
                                              {"worst", "--order", "random"},
                                              {"tolerance", "--order", "random", "--samples", "200"}})
      for (const Line& output : {Line{}, Line{"--json", "-"}, Line{"--csv", "-"}}) {
        const Outcome outcome = run(line + Line{"--input", file} + output);
        CAPTURE(line.front());
        CAPTURE(file);
        CHECK(!has_other_nan(outcome.out + outcome.err));
      }
  const Line overflows{"--op", "scatter_add", "--shape", "2000", "--ratio", "0.1", "--dist", "uniform(1e308,1.7e308)"};
  for (const char* command : {"sample", "enumerate", "explain", "alternatives"})
    for (const Line& output : {Line{}, Line{"--json", "-"}, Line{"--csv", "-"}}) {
      const Outcome outcome = run(Line{command} + overflows + output);
      CAPTURE(outcome.err);
      CHECK(outcome.status == kDone);
      CHECK(!has_other_nan(outcome.out + outcome.err));
    }
  CHECK(has(run(Line{"enumerate"} + overflows + Line{"--csv", "-"}).out, ",inf,1,nan\n"));  // inf - inf
  const std::string probed = run({"probe", "--command", "cat > /dev/null; printf '%s%s' - nan"}).out;
  CHECK(has(probed, "gave nan\n"));
  CHECK(!has_other_nan(probed));
}
