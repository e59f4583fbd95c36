// Draws that several processes share: the finding is that of one process, and parts that do not fit are refused.
#include "orderlab/study/divided_draws.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "orderlab/study/check.hpp"
#include "orderlab/study/tolerance.hpp"
#include "show/check.hpp"
#include "show/tolerance.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

using Question = std::function<std::string(const study::Watch&)>;

study::Input terms_to_divide() {
  return study::generated_input({.n = 1000, .distribution = "uniform(0,1)", .formats = parse_formats("fp32")});
}

std::string divided_tolerance(const study::Watch& watch) {
  return to_json(study::tolerance(terms_to_divide(), {.order = parse_order("warp"), .samples = 4000}, watch));
}

std::string divided_check(const study::Watch& watch) {
  return to_json(study::check(terms_to_divide(), {.order = parse_order("random"), .results = {500.25}}, watch).value());
}

study::DrawnPart drawn_part(const Question& ask, const SampleRange& range) {
  const study::DividedDraws divided{.part = range};
  try {
    ask({.divided = &divided});
  } catch (const study::DrawnPart& drawn) {
    return drawn;
  }
  FAIL("nothing was drawn");
  return {};
}

std::optional<study::DrawRange> missing_draws(const Question& ask, const study::DividedDraws& divided) {
  try {
    ask({.divided = &divided});
  } catch (const study::DrawsMissing& draws) {
    return draws.range;
  }
  return std::nullopt;
}

/// The draws that `ask` needs first, as two parts.
study::DividedDraws two_parts(const Question& ask) {
  const study::DrawRange all = missing_draws(ask, {}).value();
  const auto [first, end] = all.draws;
  study::DividedDraws draws;
  for (const SampleRange& range : {SampleRange{first, first + 7}, SampleRange{first + 7, end}}) {
    const study::DrawnPart drawn = drawn_part(ask, range);
    CHECK(drawn.range.draws == range);
    CHECK(drawn.range.of == all.of);
    draws.made.emplace_back(drawn.range.draws, drawn.bytes);
  }
  return draws;
}

}  // namespace

TEST_CASE("draws in parts give the finding that one process gives") {
  for (const Question& ask : {Question(divided_tolerance), Question(divided_check)}) {
    const study::DividedDraws draws = two_parts(ask);
    CHECK(!missing_draws(ask, draws));
    CHECK(ask({.divided = &draws}) == ask({}));
  }
}

TEST_CASE("what is missing between parts is said, and a part of other draws or of another length is not taken") {
  const study::DividedDraws both = two_parts(divided_tolerance);
  CHECK(missing_draws(divided_tolerance, {.made = {both.made[0]}})->draws == both.made[1].first);
  CHECK(missing_draws(divided_tolerance, {.made = {both.made[1]}})->draws.first == both.made[0].first.first);

  study::DividedDraws swapped = both;
  std::swap(swapped.made[0].second, swapped.made[1].second);
  CHECK(message_of(ErrorKind::input, [&] { divided_tolerance({.divided = &swapped}); }) ==
        "a part of draws 0:7 has " + std::to_string(both.made[1].first.second - 7) + " of them");

  study::DividedDraws damaged = both;
  damaged.made[0].second.pop_back();
  CHECK_THROWS_AS(divided_tolerance({.divided = &damaged}), Error);

  const auto of = [](const char* order) {
    const Question ask = [&](const study::Watch& watch) {
      return to_json(study::tolerance(terms_to_divide(), {.order = parse_order(order), .samples = 4000}, watch));
    };
    return missing_draws(ask, {}).value().of;
  };
  CHECK(of("warp") == of("warp"));
  CHECK(of("warp") != of("spa"));
}
