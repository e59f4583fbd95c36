// Tables of options: what a flag says of a member of a request holds on the command line and in the library.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "core/text.hpp"
#include "crosscheck/crosscheck_options.hpp"
#include "crosscheck/verify_options.hpp"
#include "orderlab/error.hpp"
#include "study/alternatives_options.hpp"
#include "study/arrivals_options.hpp"
#include "study/check_options.hpp"
#include "study/compare_options.hpp"
#include "study/fit_options.hpp"
#include "study/infer_options.hpp"
#include "study/probe_options.hpp"
#include "study/sample_options.hpp"
#include "study/solve_options.hpp"
#include "study/tolerance_options.hpp"
#include "study/train_options.hpp"
#include "study/worst_options.hpp"

using namespace orderlab;
using namespace orderlab::study;

namespace {

enum class Beans : std::uint8_t { arabica, robusta };

struct Brewing {
  std::uint64_t cups = 4;
  std::optional<double> strength = {};
  bool milk = false;
  Beans beans = Beans::arabica;
  std::string name = "pot";
};

constexpr std::string_view kBeans[] = {"arabica", "robusta"};
constexpr Flag kCups{
    .key = "cups_to_brew", .kind = FlagKind::count, .value = "COUNT", .help = "cups", .low = 1, .high = 1e6};
constexpr Flag kStrength{
    .key = "strength", .value = "X", .help = "strength", .low = 0, .high = 1, .above_low = true, .below_high = true};
constexpr Flag kMilk{.key = "milk", .kind = FlagKind::toggle, .help = "with milk"};
constexpr Flag kBean{.key = "bean", .kind = FlagKind::word, .value = "BEAN", .help = "bean", .words = kBeans};
constexpr Flag kName{.key = "name", .value = "NAME", .help = "name"};
constexpr Flag kOther{.key = "other", .help = "no option"};
constexpr Option kBrewingRows[] = {option<&Brewing::cups>(kCups), option<&Brewing::strength>(kStrength),
                                   option<&Brewing::milk>(kMilk), option<&Brewing::beans>(kBean),
                                   option<&Brewing::name>(kName)};
constexpr OptionsOf<Brewing> kBrewingOptions{kBrewingRows};
constexpr const Options* kBrewingTables[] = {&kBrewingOptions};
constexpr std::array<const Flag*, 6> kBrewingFlags{&kCups, &kStrength, &kMilk, &kBean, &kName, &kOther};

std::string refusal(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// A number outside a bound, as it is typed.
std::string beyond(const Flag& flag, double bound, double step) {
  return flag.kind == FlagKind::count ? std::to_string(static_cast<std::uint64_t>(bound + step))
                                      : shortest(bound + step);
}

template <class T>
void check_table(const OptionsOf<T>& options, T request) {
  CHECK_NOTHROW(options.check(request));
  for (const Option& option : options.rows) {
    const Flag flag = flag_of(option);
    CAPTURE(flag.key);
    const std::string made = option.text(flag, &request);
    if (!flag.fallback.empty()) {  // a default that the flag says is the request's
      option.take(flag, &request, std::string(flag.fallback));
      CHECK(option.text(flag, &request) == made);
    }
    if (!made.empty()) {
      option.take(flag, &request, made);
      CHECK(option.text(flag, &request) == made);
    }
    Flag boundless = flag;
    boundless.low = -std::numeric_limits<double>::infinity();
    boundless.high = std::numeric_limits<double>::infinity();
    const bool counts = flag.kind == FlagKind::count;
    const auto refused = [&](const std::string& text) {
      T wrong = request;
      CHECK_THROWS_AS(option.take(flag, &wrong, text), Error);
      CHECK(option.text(flag, &wrong) == made);  // what is refused changes nothing
      option.take(boundless, &wrong, text);
      CHECK_THROWS_AS(options.check(wrong), RequestError);
    };
    const auto accepted = [&](double bound) {
      T right = request;
      CHECK_NOTHROW(option.take(flag, &right, beyond(flag, bound, 0)));
      CHECK_NOTHROW(options.check(right));
    };
    if (flag.kind == FlagKind::fraction) continue;
    if (std::isfinite(flag.low) && (flag.low > 0 || !counts)) refused(beyond(flag, flag.low, counts ? -1 : -0.5));
    if (std::isfinite(flag.low) && !counts) flag.above_low ? refused(beyond(flag, flag.low, 0)) : accepted(flag.low);
    if (std::isfinite(flag.low) && counts) accepted(flag.low);
    if (!std::isfinite(flag.high)) continue;
    refused(beyond(flag, flag.high, 1));
    flag.below_high ? refused(beyond(flag, flag.high, 0)) : accepted(flag.high);
  }
}

}  // namespace

TEST_CASE("options of every request: defaults, bounds, what is written is read back") {
  const Order order = parse_order("seq");
  check_table(kSampleOptions, SampleRequest{});
  check_table(kSampleOperationOptions, OperationSampleRequest{});
  check_table(kEnumerateOptions, EnumerateRequest{.order = order});
  check_table(kEnumerateOperationOptions, OperationEnumerateRequest{});
  check_table(kWorstOptions, WorstRequest{.order = order});
  check_table(kToleranceOptions, ToleranceRequest{.order = order});
  check_table(kToleranceOperationOptions, OperationToleranceRequest{});
  check_table(kCheckOptions, CheckRequest{.order = order});
  check_table(kCheckAnyOptions, CheckAnyRequest{});
  check_table(kCheckOperationOptions, OperationCheckRequest{.actual = {{1}, Terms(Format::fp64, 1)}});
  check_table(kSolveOptions, SolveRequest{});
  check_table(kSystemOptions, SystemSource{});
  check_table(kTrainOptions, TrainRequest{});
  check_table(kGraphOptions, Communities{});
  check_table(kAlternativesOptions, AlternativesRequest{});
  check_table(kCompareOptions, CompareRequest{});
  check_table(kCrosscheckOptions, CrossCheckRequest{});
  check_table(kArrivalsOptions, ArrivalsRequest{});
  check_table(kFitOptions, FitRequest{});
  check_table(kInferOptions, InferRequest{});
  check_table(kFitOperationOptions, OperationFitRequest{});
  check_table(kProbeOptions, ProbeRequest{});
  check_table(kVerifyOptions, VerifyOptions{});
}

TEST_CASE("every option of a command is one of its flags") {
  std::size_t tables = 0;
  for (const cli::Command* command : cli::commands())
    for (const Options* options : command->options) {
      ++tables;
      for (const Option& option : options->rows) {
        CAPTURE(command->name);
        CAPTURE(option.flag->key);
        const auto& flags = command->flags;
        CHECK(std::find(flags.begin(), flags.end(), option.flag) != flags.end());
      }
    }
  CHECK(tables >= 20);
}

TEST_CASE("bounds that commands promise") {
  const auto high = [](const Options& options, std::string_view key) -> double {
    for (const Option& option : options.rows)
      if (option.flag->key == key) return flag_of(option).high;
    return NAN;
  };
  CHECK(high(kSampleOptions, "samples") == 0x1p48);
  CHECK(high(kSampleOperationOptions, "samples") == 1e7);
  CHECK(high(kAlternativesOptions, "samples") == 1e7);
  CHECK(high(kSolveOptions, "samples") == 1e6);
  CHECK(high(kFitOptions, "inputs") == 1e6);
  CHECK(high(kFitOperationOptions, "inputs") == 1000);
  CHECK(high(kFitOperationOptions, "samples") == 1e5);
  CHECK(high(kCheckOptions, "samples") == 0x1p47);
  CHECK(high(kToleranceOptions, "outputs") == 1e9);
}

TEST_CASE("a default that help shows is that of every request of the command; help says the others") {
  for (const cli::Command* command : cli::commands())
    for (const Flag* flag : command->flags) {
      const std::string shown = default_text(*flag, command->options);
      for (const Options* options : command->options)
        for (const Option& option : options->rows) {
          if (option.flag != flag || flag->required) continue;
          const std::string own = option.text(*flag, options->fresh());
          CAPTURE(command->name);
          CAPTURE(flag->key);
          CHECK((own == shown || flag->help.find(own) != std::string_view::npos || !flag->fallback.empty()));
        }
    }
}

TEST_CASE("one row reads, shows, bounds and names an option") {
  cli::CommandLine line(kBrewingFlags, kBrewingTables);
  CHECK(line.text(kCups) == "4");
  CHECK(line.text(kStrength).empty());
  CHECK(line.text(kBean) == "arabica");
  CHECK(kCups.long_name() == "--cups-to-brew");
  line.give(kCups, {"2^10"});
  line.give(kStrength, {"0.25"});
  line.give(kMilk, std::vector<std::string>());
  line.give(kBean, {"robusta"});
  line.give(kOther, {"tea"});
  Brewing request;
  take(line, kBrewingOptions, request);
  CHECK(request.cups == 1024);
  CHECK(request.strength == 0.25);
  CHECK(request.milk);
  CHECK(request.beans == Beans::robusta);
  CHECK(request.name == "pot");
  kBrewingOptions.check(request);

  const auto typed = [](const Flag& flag, const std::string& text) {
    cli::CommandLine wrong(kBrewingFlags, kBrewingTables);
    wrong.give(flag, {text});
    return refusal([&] {
      Brewing taken;
      take(wrong, kBrewingOptions, taken);
    });
  };
  CHECK(typed(kCups, "0") == "--cups-to-brew 0: must be from 1 to 10^6");
  CHECK(typed(kCups, "many") == "--cups-to-brew many: is not a count such as 1000, 1e6, 1_000_000 or 2^20");
  CHECK(typed(kStrength, "1") == "--strength 1: must be between 0 and 1, both excluded");
  CHECK(typed(kStrength, "strong") == "--strength strong: is not a number");
  CHECK(typed(kBean, "tea") == "--bean tea: must be arabica or robusta");

  request.cups = 0;
  CHECK(refusal([&] { kBrewingOptions.check(request); }) == "`cups_to_brew` 0: must be from 1 to 10^6");
  request.cups = 1;
  request.strength = NAN;
  CHECK(refusal([&] { kBrewingOptions.check(request); }) == "`strength` nan: must be between 0 and 1, both excluded");
}

TEST_CASE("bounds in words") {
  const auto words = [](Flag flag, double number) { return problem_with(flag, number); };
  CHECK(words({.key = "k", .help = "h", .low = 1}, 0) == "must be at least 1");
  CHECK(words({.key = "k", .help = "h", .low = 0, .high = 4096}, 4097) == "must be at most 4096");
  CHECK(words({.key = "k", .help = "h", .low = 2, .high = 0x1p48}, 1) == "must be from 2 to 2^48");
  CHECK(words({.key = "k", .help = "h", .low = 1, .high = 12345}, 0) == "must be from 1 to 12345");
  CHECK(words({.key = "k", .help = "h", .low = 0, .above_low = true}, 0) == "must be above 0");
  CHECK(words({.key = "k", .help = "h", .low = 0, .high = 1, .must_be = "a share"}, 2) == "must be a share");
  CHECK(words({.key = "k", .kind = FlagKind::fraction, .help = "h"}, 1) == "must lie between 0 and 1, both excluded");
  CHECK(words({.key = "k", .help = "h"}, NAN) == "must be a number");
  CHECK(words({.key = "k", .help = "h"}, 7).empty());
}
