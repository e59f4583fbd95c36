// Errors of the study: about fields of requests, never about flags.
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "orderlab/error.hpp"
#include "orderlab/study/check.hpp"
#include "orderlab/study/enumerate.hpp"
#include "orderlab/study/fit.hpp"
#include "orderlab/study/sample.hpp"
#include "orderlab/study/tolerance.hpp"
#include "orderlab/study/worst.hpp"

using namespace orderlab;

namespace {

// The message, "" where there was no Error.
std::string said(ErrorKind kind, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a wrong request is refused with the name of its field, and no flag") {
  const study::Input given = study::given_input({1, 2, 3});
  const study::Input large = study::generated_input({.n = 1000});
  const Order random = parse_order("random");
  const Order seq = parse_order("seq");
  const std::pair<const char*, std::function<void()>> wrong[] = {
      {"no order: give one or more in `orders`", [&] { study::sample(given, {.orders = {}}); }},
      {"`samples` 0: ", [&] { study::sample(given, {.orders = {random}, .samples = 0}); }},
      {"`range` 5:3: must be A:B with 0 <= A < B <= 10",
       [&] {
         study::sample(given, {.orders = {random}, .samples = 10, .range = {{5, 3}}});
       }},
      {"`baseline` shuffle | seq: is random", [&] { study::sample(given, {.orders = {random}, .baseline = random}); }},
      {"`max_distinct` 1: ", [&] { study::enumerate(given, {.order = random, .max_distinct = 1}); }},
      {"order shuffle | seq: is random and has no one sum", [&] { study::sum(given, {.order = random}); }},
      {"no result to check: give one or more in `results`", [&] { study::check(given, {.order = random}); }},
      {"`samples` 10: too few to judge 1 result at confidence 0.999; at least 2000",
       [&] { study::check(large, {.order = random, .results = {5000}, .samples = 10}); }},
      {"`confidence` 0.9999999999: needs ",
       [&] { study::check(large, {.order = random, .results = {5000}, .confidence = 0.9999999999}); }},
      {"`samples` 5: too few for coverage 0.999 with confidence 0.95, which takes at least 2995",
       [&] { study::tolerance(large, {.order = random, .samples = 5}); }},
      {"`inputs` 5: too few", [&] { study::tolerance(large, {.order = random, .new_inputs = true, .inputs = 5}); }},
      {"`inputs` 5: is the number of `new_inputs`", [&] { study::tolerance(large, {.order = random, .inputs = 5}); }},
      {"`outputs` 2: needs `new_inputs`", [&] { study::tolerance(large, {.order = random, .outputs = 2}); }},
      {"`new_inputs` are drawn from a distribution",
       [&] { study::tolerance(given, {.order = random, .new_inputs = true}); }},
      {"order seq: is fixed", [&] { study::worst(given, {.order = seq}); }},
      {"`evaluations` and `seconds`: both limit the search",
       [&] { study::worst(given, {.order = random, .evaluations = 5, .seconds = 1}); }},
      {"`formats` fp32: but the terms are fp64",
       [] { study::given_input(Terms(Format::fp64, 3), parse_formats("fp32")); }},
  };
  for (const auto& [begin, work] : wrong) {
    CAPTURE(begin);
    const std::string text = said(ErrorKind::usage, work);
    CAPTURE(text);
    CHECK(text.starts_with(begin));
    CHECK(text.find("--") == std::string::npos);
  }
}

TEST_CASE("what does not fit into memory is refused before it is made") {
  const std::string terms = said(ErrorKind::unsupported, [] { study::generated_input({.n = std::size_t{1} << 50}); });
  CHECK(terms.find("fewer terms, a narrower `formats` or fewer `threads` need less") != std::string::npos);
  const std::string subsets = said(ErrorKind::unsupported, [] {
    study::enumerate(study::generated_input({.n = 16}), {.order = parse_order("random"), .memory_bytes = 1000});
  });
  CHECK(subsets.find("allow more by `memory_bytes`") != std::string::npos);
}

TEST_CASE("a recording without rows is no recording") {
  CHECK(said(ErrorKind::input, [] { study::fit(Rows{}); }).starts_with("a recording without rows"));
}
