#include "show/tolerance_lines.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "config/json.hpp"
#include "doubles.hpp"
#include "show/tolerance.hpp"
#include "show/tolerance_words.hpp"

using namespace orderlab;

namespace {

double read(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

// Whether the text has the part, wherever its lines were broken and its columns stand.
bool has_phrase(std::string text, const std::string& part) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), both_blank), text.end());
  return text.find(part) != std::string::npos;
}

study::ToleranceFinding report_of(const Deviation& limit, Format format = Format::fp32) {
  study::ToleranceFinding finding;
  finding.input.formats = {format, format, format};
  finding.limit = limit;
  finding.largest = limit;
  finding.draws = 9151;
  finding.rank = 5;
  return finding;
}

std::string line(const study::ToleranceFinding& finding, std::string_view framework) {
  for (const PasteLine& l : paste_lines(finding))
    if (l.framework == framework) return l.text;
  return "";
}

// The number between `before` and `after` in a line.
double number_in(const std::string& text, const std::string& before, const std::string& after) {
  const auto begin = text.find(before) + before.size();
  return read(text.substr(begin, text.find(after, begin) - begin));
}

}  // namespace

TEST_CASE("numbers are rounded up to the next decimal, and no further") {
  CHECK(rounded_up(0) == "0");
  CHECK(rounded_up(3) == "3");
  CHECK(rounded_up(1.234e-5) == "1.24e-05");
  CHECK(rounded_up(1.23e-5) == "1.23e-05");
  CHECK(rounded_up(9.991) == "10");
  CHECK(rounded_up(999.4, 3) == "1000");
  CHECK(rounded_up(0.1, 1) == "0.1");
  double value = 0x1.fp-1074;
  for (int i = 0; i < 3000; ++i) {
    CAPTURE(value);
    const double up = read(rounded_up(value));
    CHECK(up >= value);
    // One unit of the third digit is at most 1 % of the number; subnormals have fewer digits.
    if (value > 0x1p-1000) CHECK(up <= value * 1.0101);
    CHECK(read(rounded_up_rtol(value)) >= value);
    value *= 1.6180339887;
    if (value > 1e300) value = 1e-300 * static_cast<double>(i);
  }
}

TEST_CASE("rtol has room for the roundings of a comparison") {
  // 1.25e-5 is itself a decimal: without room it would stay, and rtol * |b| could round below |a - b|.
  CHECK(rounded_up(1.25e-5) == "1.25e-05");
  CHECK(rounded_up_rtol(1.25e-5) == "1.26e-05");
  CHECK(rounded_up_rtol(0) == "0");
}

TEST_CASE("doctest's Approx accepts what lies within the tolerance, and refuses what lies beyond") {
  for (const double rtol : {1e-7, 1.17e-6, 3.3e-4, 0.2}) {
    const std::string text = line(report_of({rtol * 500, rtol, rtol * 0x1p24}), "doctest");
    const double epsilon = number_in(text, ".epsilon(", ")");
    CHECK(text ==
          "CHECK(double(actual) == doctest::Approx(double(desired)).epsilon(" + rounded_up_rtol(rtol) + ").scale(0));");
    for (const double desired : {500.0, -0.37, 1e-30}) {
      const auto passes = [&](double actual) { return actual == doctest::Approx(desired).epsilon(epsilon).scale(0); };
      CHECK(passes(desired));
      CHECK(passes(desired * (1 + rtol)));
      CHECK(passes(desired * (1 - rtol)));
      // epsilon exceeds rtol by at most 1 %, and multiplies the larger of the two, at most 1 + rtol times desired.
      CHECK(!passes(desired * (1 + 1.02 * rtol * (1 + 2 * rtol))));
      CHECK(!passes(desired * (1 - 1.02 * rtol)));
    }
  }
}

TEST_CASE("a tolerance of 0 asks for equality, which a strict comparison could not") {
  const study::ToleranceFinding finding = report_of({0, 0, 0});
  CHECK(line(finding, "doctest") == "CHECK(std::fabs(double(actual) - double(desired)) <= 0);");
  CHECK(line(finding, "googletest") == "EXPECT_NEAR(actual, desired, 0);");
  CHECK(line(finding, "numpy") ==
        "np.testing.assert_allclose(np.float64(actual), np.float64(desired), rtol=0, atol=0)");
}

TEST_CASE("lines compare in fp64, and casts only where the format is another") {
  CHECK(line(report_of({1e-5, 1e-8, 1}, Format::fp64), "numpy").starts_with("np.testing.assert_allclose(actual, "));
  CHECK(line(report_of({1e-5, 1e-8, 1}, Format::fp64), "torch").starts_with("torch.testing.assert_close(actual, "));
  CHECK(has_phrase(line(report_of({1e-5, 1e-8, 1}), "torch"),
                   "(actual.double(), desired.double(), rtol=1.01e-08, atol=0)"));
  CHECK(line(report_of({1.5e-5, 1e-8, 1}), "googletest") == "EXPECT_NEAR(actual, desired, 1.5e-05);");
}

TEST_CASE("where rtol means nothing the lines use atol, and the report says why") {
  study::ToleranceFinding zero = report_of({1.5e-5, kInfinity, kInfinity});
  zero.condition = kInfinity;
  CHECK(has_phrase(why_no_rtol(zero), "reference can be 0"));
  CHECK(has_phrase(why_no_ulp(zero), "no ulp"));
  CHECK(has_phrase(line(zero, "numpy"), "rtol=0, atol=1.5e-05"));
  CHECK(has_phrase(to_text(zero, {}), "rtol none: the reference can be 0"));
  const auto json = Json::parse(to_json(zero));
  CHECK(json["tolerance"]["rtol"]["value"].is_null());
  CHECK(json["tolerance"]["rtol"]["reason"] == "the reference can be 0");

  study::ToleranceFinding cancelled = report_of({1.5e-5, 2.5, 1e9});
  cancelled.condition = 1e10;
  CHECK(has_phrase(why_no_rtol(cancelled), "even a result of 0 would pass"));
  CHECK(has_phrase(line(cancelled, "torch"), "rtol=0, atol=1.5e-05"));

  study::ToleranceFinding ill = report_of({1.5e-5, 1e-3, 1e4});
  ill.condition = 101;
  CHECK(why_no_rtol(ill).empty());
  CHECK(has_phrase(line(ill, "numpy"), "rtol=0, atol=1.5e-05"));
  CHECK(has_phrase(to_text(ill, {}), "The lines use atol"));
  ill.condition = 100;
  CHECK(has_phrase(line(ill, "numpy"), "atol=0)"));
}

TEST_CASE("claims in the table are rounded up, observations to nearest") {
  study::ToleranceFinding finding = report_of({1.2341e-5, 1e-8, 1});
  finding.rms = 1.2341e-6;
  finding.largest_from_exact = 1.2341e-5;
  finding.bounds = {{"D1", 1.2341e-4, 1, true, ""}, {"D9", std::nullopt, 1, true, ""}};
  const std::string text = to_text(finding, {});
  CHECK(has_phrase(text, "tolerance 1.24e-05 1"));
  CHECK(has_phrase(text, "observed, largest 1.23e-05"));
  CHECK(has_phrase(text, "proven bound D1 0.000124 10"));
  CHECK(has_phrase(text, "proven bound D9 - -"));
}

TEST_CASE("without a finite tolerance there is no line") {
  study::ToleranceFinding finding = report_of({kInfinity, kInfinity, kInfinity});
  finding.nonfinite = 0.25;
  CHECK(!has_limit(finding));
  CHECK(paste_lines(finding).empty());
  CHECK(has_phrase(to_text(finding, {}), "none: 25 % of the results are inf or NaN"));
  const auto json = Json::parse(to_json(finding));
  CHECK(json["lines"].empty());
  for (const char* unit : {"rtol", "atol", "ulp"}) CHECK(json["tolerance"][unit]["value"].is_null());
  CHECK(has_phrase(to_csv(finding), "tolerance,atol,,0.999,0.95,\"no finite tolerance\""));
}

TEST_CASE("every number says how it was derived") {
  study::ToleranceFinding finding = report_of({1e-5, 1e-8, 1});
  CHECK(method_in_words(finding) == "order statistic: the 5th largest of 9151 independent orders");
  finding.against = Against::run;
  finding.inputs = 9151;
  finding.new_inputs = true;
  CHECK(has_phrase(method_in_words(finding), "pairs of orders, each on its own input"));
  CHECK(std::bit_cast<std::uint64_t>(stated_confidence(finding)) == std::bit_cast<std::uint64_t>(0.95));
  finding.new_inputs = false;
  finding.method = study::ToleranceMethod::enumerated;
  finding.orders = "40320";
  CHECK(method_in_words(finding) == "exact enumeration of 40320 orders");
  CHECK(stated_confidence(finding) >= 1);
  finding.method = study::ToleranceMethod::one_order;
  CHECK(has_phrase(to_text(finding, {}),
                   "holds for every run on this input, confidence 1 (the one result of a fixed order)"));
}
