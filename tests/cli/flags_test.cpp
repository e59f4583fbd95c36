#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/input_flags.hpp"
#include "cli/program.hpp"
#include "config/axis.hpp"
#include "core/text.hpp"
#include "orderlab/counts.hpp"
#include "orderlab/error.hpp"
#include "orderlab/fit.hpp"
#include "orderlab/sample.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

const Flag& flag_of(std::string_view command_name, std::string_view name) {
  for (const Command* command : commands())
    if (command->name == command_name)
      for (const Flag* flag : command->flags)
        if (flag->long_name() == name) return *flag;
  throw std::logic_error("no such flag");
}

std::uint64_t fallback_count(std::string_view command, std::string_view name) {
  return parse_count(name, flag_of(command, name).fallback);
}

}  // namespace

TEST_CASE("every flag is a whole description, and its default is a value of its kind") {
  for (const Command* command : commands()) {
    std::set<std::string_view> names;
    for (const Flag* flag : command->flags) {
      CAPTURE(command->name);
      CAPTURE(flag->name);
      CHECK(names.insert(flag->long_name()).second);
      CHECK(!flag->help.empty());
      CHECK(flag->positional() == !flag->long_name().starts_with("--"));
      CHECK((flag->kind == FlagKind::word) == !flag->words.empty());
      CHECK((flag->kind == FlagKind::toggle) <= (flag->value.empty() && flag->fallback.empty()));
      CHECK((flag->positional() || flag->kind == FlagKind::toggle || !flag->value.empty()));
      if (flag->fallback.empty()) continue;
      if (flag->kind == FlagKind::count) CHECK(read_count(flag->fallback).value.has_value());
      if (flag->kind == FlagKind::fraction) CHECK_NOTHROW(parse_fraction(flag->name, flag->fallback));
      if (flag->kind == FlagKind::word)
        CHECK(std::find(flag->words.begin(), flag->words.end(), flag->fallback) != flag->words.end());
    }
  }
}

TEST_CASE("a default that the library has too is the library's") {
  CHECK(fallback_count("sample", "--max-distinct") == CountingFrame{}.max_distinct);
  CHECK(fallback_count("enumerate", "--max-distinct") == CountingFrame{}.max_distinct);
  CHECK(fallback_count("fit", "--inputs") == PredictOptions{}.inputs);
  CHECK(fallback_count("fit", "--samples") == PredictOptions{}.samples);
  CHECK(flag_of("fit", "--dist").fallback == PredictOptions{}.distribution);
  CHECK(axes::kMaxDistinct.default_text == std::to_string(CountingFrame{}.max_distinct));
}

TEST_CASE("what is no stream cannot be -") {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"fit", "-"},
                                             {"sweep", "-", "--db", "s"},
                                             {"sweep", "c.toml", "--db", "-"},
                                             {"export", "-", "--csv", "-"}}) {
    CAPTURE(arguments);
    const Outcome outcome = run(arguments);
    CHECK(outcome.status == kFailed);
    CHECK(outcome.err.find(" -: is neither standard input nor output here") != std::string::npos);
  }
}

TEST_CASE("a command line has what was typed, else the defaults") {
  static constexpr std::string_view kWords[] = {"red", "green", "blue"};
  static constexpr Flag kCount{.name = "--count", .kind = FlagKind::count, .fallback = "2^3", .help = "a count"};
  static constexpr Flag kList{.name = "--list", .help = "texts", .repeats = true};
  static constexpr Flag kWord{
      .name = "-w,--word", .kind = FlagKind::word, .fallback = "red", .help = "", .words = kWords};
  static constexpr std::array kFlags{&kCount, &kList, &kWord};
  CommandLine line(kFlags);
  CHECK(line.count(kCount) == 8);
  CHECK(line.texts(kList).empty());
  CHECK(line.word(kWord) == "red");
  CHECK((!line.has(kCount) && line.takes(kCount) && !line.takes(kN) && !line.has(kN)));
  CHECK_THROWS_AS(line.text(kN), std::logic_error);
  line.give(kCount, {"1e3"});
  line.give(kList, {"a", "b"});
  line.give(kWord, {"pink"});
  CHECK((line.has(kCount) && line.count(kCount, 1, 1000) == 1000));
  CHECK(line.texts(kList) == std::vector<std::string>{"a", "b"});
  CHECK_THROWS_WITH_AS(line.count(kCount, 0, 999), "--count 1e3: must be at most 999", Error);
  CHECK_THROWS_WITH_AS(line.word(kWord), "--word pink: must be red, green or blue", Error);
}
