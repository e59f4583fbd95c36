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

std::string default_of(std::string_view command, std::string_view name) {
  return default_text(flag_of(command, name), find_command(command)->options);
}

std::uint64_t default_count(std::string_view command, std::string_view name) {
  return parse_count(name, default_of(command, name));
}

}  // namespace

TEST_CASE("every flag is a whole description, and its default is a value of its kind") {
  for (const Command* command : commands()) {
    std::set<std::string> names;
    for (const Flag* flag : command->flags) {
      CAPTURE(command->name);
      CAPTURE(flag->key);
      CHECK(names.insert(flag->long_name()).second);
      CHECK(!flag->help.empty());
      CHECK(flag->positional == !flag->long_name().starts_with("--"));
      CHECK((flag->kind == FlagKind::word) == !flag->words.empty());
      CHECK((flag->kind == FlagKind::toggle) <= flag->value.empty());
      CHECK((flag->positional || flag->kind == FlagKind::toggle || !flag->value.empty()));
      const std::string fallback = default_text(*flag, command->options);
      CHECK((flag->kind == FlagKind::toggle) <= fallback.empty());
      if (fallback.empty()) continue;
      if (flag->kind == FlagKind::count) CHECK(read_count(fallback).value.has_value());
      if (flag->kind == FlagKind::fraction) CHECK_NOTHROW(parse_fraction(flag->key, fallback));
      if (flag->kind == FlagKind::word)
        CHECK(std::find(flag->words.begin(), flag->words.end(), fallback) != flag->words.end());
    }
  }
}

TEST_CASE("a default that the library has too is the library's") {
  CHECK(default_count("sample", "--max-distinct") == CountingFrame{}.max_distinct);
  CHECK(default_count("enumerate", "--max-distinct") == CountingFrame{}.max_distinct);
  const auto fit_says = [](std::string_view flag, std::uint64_t count) {
    return flag_of("fit", flag).help.find("default: " + std::to_string(count)) != std::string_view::npos;
  };
  CHECK(fit_says("--inputs", PredictOptions{}.inputs));
  CHECK(fit_says("--samples", PredictOptions{}.samples));
  CHECK(default_of("fit", "--dist") == PredictOptions{}.distribution);
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
  static constexpr Flag kCount{
      .key = "count", .kind = FlagKind::count, .fallback = "2^3", .help = "a count", .high = 1000};
  static constexpr Flag kList{.key = "list", .help = "texts", .repeats = true};
  static constexpr Flag kWord{
      .key = "word", .letter = 'w', .kind = FlagKind::word, .fallback = "red", .help = "", .words = kWords};
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
  CHECK((line.has(kCount) && line.count(kCount) == 1000));
  CHECK(line.texts(kList) == std::vector<std::string>{"a", "b"});
  line.give(kCount, {"1001"});
  CHECK_THROWS_WITH_AS(line.count(kCount), "--count 1001: must be at most 1000", Error);
  CHECK_THROWS_WITH_AS(line.word(kWord), "--word pink: must be red, green or blue", Error);
}
