// A sum, its order and some results, as metrics see them.
#pragma once

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/field_paths.hpp"
#include "order/trouble.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/sample.hpp"

namespace orderlab::testing {

/// Everything that a Measurement refers to.
class Measured {
 public:
  Measured(Format format, const std::vector<double>& terms, std::string_view order,
           std::uint64_t max_distinct = std::uint64_t{1} << 20)
      : Measured({format, format, format}, terms, order, max_distinct) {}

  Measured(const Formats& formats, const std::vector<double>& terms, std::string_view order,
           std::uint64_t max_distinct = std::uint64_t{1} << 20)
      : terms_(formats.terms, terms),
        evaluator_(Evaluator::make(parse_order(order), terms_.view(), formats, 1)),
        exact_(exact_sum(terms_.view())),
        sum_abs_(exact_sum_abs(terms_.view())),
        counts_(CountingFrame::make(exact_, formats.result, max_distinct)) {
    const auto fixed = Evaluator::make(evaluator_->order().fixed_form(), terms_.view(), formats, 1);
    set_baseline(fixed->evaluate(0, *fixed->make_scratch()).value);
  }

  void draw(std::uint64_t samples) {
    counts_.merge(sample(*evaluator_, counts_.frame(), {.end = samples, .threads = 1}));
  }

  /// Results as if they had been drawn.
  void add(const std::vector<double>& results) {
    for (const double result : results) {
      Evaluation e;
      e.bits = round_to_bits(counts_.frame().format, result);
      e.value = result;
      counts_.add(e, 1.0, 1.0);
    }
  }

  void set_baseline(double value) { baseline_ = value; }

  Measurement measurement() const {
    Measurement m(*evaluator_, counts_, exact_, sum_abs_);
    m.baseline_name = "fixed";
    m.baseline = baseline_;
    m.samples_asked = counts_.samples();
    m.terms = terms_.view();
    return m;
  }

  /// The same of all orders.
  Measurement measurement(const Distribution& all) const {
    Measurement m(*evaluator_, all, exact_, sum_abs_);
    m.baseline_name = "fixed";
    m.baseline = baseline_;
    return m;
  }

  const Evaluator& evaluator() const { return *evaluator_; }
  const ResultCounts& counts() const { return counts_; }
  const ExactValue& exact() const { return exact_; }
  const ExactValue& sum_abs() const { return sum_abs_; }
  TermView view() const { return terms_.view(); }

  /// All metrics; `path` of names to a number.
  std::optional<double> number(std::initializer_list<std::string_view> path) const {
    return number_at(measure_all(measurement()), path);
  }

 private:
  TypedTerms terms_;
  std::unique_ptr<const Evaluator> evaluator_;
  ExactValue exact_;
  ExactValue sum_abs_;
  ResultCounts counts_;
  double baseline_ = 0;
};

/// The number at `path` has the bits of `expected`.
inline void check_number(const Measured& measured, std::initializer_list<std::string_view> path, double expected) {
  std::string name;
  for (const std::string_view part : path) name += "/" + std::string(part);
  CAPTURE(name);
  const auto number = measured.number(path);
  REQUIRE(number.has_value());
  CAPTURE(*number);
  CHECK(std::bit_cast<std::uint64_t>(*number) == std::bit_cast<std::uint64_t>(expected));
}

inline void check_null(const Measured& measured, std::initializer_list<std::string_view> path) {
  std::string name;
  for (const std::string_view part : path) name += "/" + std::string(part);
  CAPTURE(name);
  const auto value = value_at(measure_all(measured.measurement()), path);
  REQUIRE(value.has_value());
  CHECK(std::holds_alternative<std::monostate>(*value));
}

}  // namespace orderlab::testing
