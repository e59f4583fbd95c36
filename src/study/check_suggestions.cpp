#include "study/check_suggestions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

#include "orderlab/error.hpp"
#include "orderlab/format.hpp"
#include "study/watched_stage.hpp"
#include "terms/given_results.hpp"

namespace orderlab::study {

namespace {

constexpr double kTriedConfidence = 0.9;       // 20 samples of a random order: a hint, no verdict
constexpr std::uint64_t kMostTermsTried = 1 << 20;  // with more, trying takes longer than the check
constexpr std::size_t kMostTriedTerms = 64;    // sums of a fixed order without one term
constexpr double kMostByChance = 0.2;          // a match of a single sum that says no less is left out
constexpr double kWider = 10;                  // window beside the one that counts, for its density

class Suggester {
 public:
  Suggester(const Input& input, const CheckRequest& request, const CheckFinding& finding, const GivenResult& given,
            const Watch& watch)
      : input_(input), request_(request), finding_(finding), given_(given) {
    quiet_.stop = watch.stop;
  }

  std::vector<Suggestion> run() {
    if (input_.facts.n > kMostTermsTried) return {};
    if (!given_.exact && !given_.text.empty()) {
      try_mean();
      try_formats();
      try_accumulate();
    }
    if (!given_.exact) try_terms();
    return std::move(found_);
  }

 private:
  const Formats& formats() const { return input_.facts.formats; }

  /// How likely a result that has another cause is explained by sums over a range of `width`: it is thought to lie
  /// anywhere as near to the exact sum as it does.
  double by_chance(double width) const {
    const double off = std::fabs(input_.facts.exact.difference(value_of_bits(formats().result, given_.bits)));
    return off > 0 ? std::min(1.0, width / (2 * off)) : 1;
  }

  /// What `make` returns; empty where it cannot be had, such as for want of memory, or in a format that the order
  /// excludes.
  template <class Make>
  static auto possible(const Make& make) -> decltype(make()) {
    try {
      return make();
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  /// The range of values that the candidate explains, where it explains this one: of its sums, of the digits, and a
  /// step.
  std::optional<double> match(const Input& candidate, const GivenResult& given) const {
    CheckRequest request = request_;
    request.results.clear();
    request.given = {given};
    request.confidence = kTriedConfidence;
    request.samples.reset();
    request.suggests = false;
    request.arrivals_known = true;  // no orders beside the samples
    const auto judged = possible([&] { return check(candidate, request, quiet_); });
    if (!judged || judged->result.verdict() != Verdict::explained) return std::nullopt;
    const Format format = candidate.facts.formats.result;
    const ValueVerdict& verdict = judged->result.values.front();
    const auto number = [&](std::int64_t key) { return value_of_bits(format, bits_of_key(format, key)); };
    double width = number(verdict.read.high + 1) - number(verdict.read.low);
    if (judged->all) {
      const auto& results = judged->all->results.values;
      width += results.back().value - results.front().value;
    } else if (const auto extremes = judged->samples->extremes()) {
      width += extremes->max - extremes->min;
    }
    return width;
  }

  void suggest(std::string_view kind, std::string what, std::string option, double by_chance) {
    if (by_chance > kMostByChance) return;
    found_.push_back({kind, std::move(what), std::move(option), given_.bits, {}, {}, by_chance});
  }

  /// The terms as they are, summed in other formats.
  Input summed_in(const Formats& other) const {
    const Terms& terms = input_.terms;
    const std::shared_ptr<const std::byte> numbers(std::shared_ptr<void>(), terms.bytes().data());
    Input same{Terms(terms.format(), terms.size(), numbers), input_.facts};
    same.facts.formats = other;
    return same;
  }

  void try_mean() {
    if (input_.facts.products) return;
    const ReadResult mean = read_result("mean:" + given_.text, formats(), input_.facts.n);
    if (!mean.result) return;
    Formats sums = formats();
    sums.result = sums.accumulate;
    if (const auto found = match(summed_in(sums), *mean.result))
      suggest("mean", "the mean of the terms", "--value mean:" + given_.text,
              by_chance(*found / static_cast<double>(input_.facts.n)));
  }

  void try_formats() {
    if (!request_.in_formats) return;
    std::vector<Formats> others;
    for (const FormatInfo& f : kFormats) {
      others.push_back({f.format, f.format, f.format});
      if (f.precision < info(Format::fp32).precision) others.push_back({f.format, Format::fp32, f.format});
    }
    for (const Formats& other : others) {
      if (other.terms == formats().terms && other.result == formats().result) continue;  // try_accumulate
      const ReadResult read = read_result(given_.text, other, input_.facts.n);
      const auto candidate = read.result ? possible([&] { return request_.in_formats(other, quiet_); }) : std::nullopt;
      if (!candidate) continue;
      if (const auto found = match(*candidate, *read.result))
        suggest("format", "a sum in " + to_string(other), "--format " + to_string(other), by_chance(*found));
    }
  }

  void try_accumulate() {
    if (input_.facts.products) return;
    for (const FormatInfo& f : kAccumulateFormats) {
      Formats other = formats();
      other.accumulate = f.format;
      if (other == formats()) continue;
      if (f.format == Format::fp80 && formats().accumulate != Format::fp64) continue;  // fp64 says as much
      const ReadResult read = read_result(given_.text, other, input_.facts.n);
      if (const auto found = read.result ? match(summed_in(other), *read.result) : std::nullopt)
        suggest("partial_sums", "partial sums in " + std::string(f.name), "--format " + to_string(other),
                by_chance(*found));
    }
  }

  /// Half of the range in which sums of this order lie about the exact one, and the error in the middle of it.
  struct Spread {
    double error = 0;
    double half = 0;
  };

  std::optional<Spread> spread() const {
    const ExactValue& exact = input_.facts.exact;
    double low = 0;
    double high = 0;
    if (finding_.all && !finding_.all->results.empty()) {
      low = exact.difference(finding_.all->results.values.front().value);
      high = exact.difference(finding_.all->results.values.back().value);
    } else if (const auto extremes = finding_.samples ? finding_.samples->extremes() : std::nullopt) {
      low = exact.difference(extremes->min);
      high = exact.difference(extremes->max);
    } else {
      return std::nullopt;
    }
    if (!std::isfinite(low) || !std::isfinite(high)) return std::nullopt;
    return Spread{(low + high) / 2, (high - low) / 2};
  }

  /// One term left out, or added twice: its value is what the result lacks.
  void try_terms() {
    const TermView terms = input_.terms.view();
    const Format format = formats().result;
    const double value = value_of_bits(format, given_.bits);
    const auto of_order = spread();
    if (!of_order || input_.facts.products || !input_.facts.exact.finite() || !std::isfinite(value) || terms.n < 2)
      return;
    const KeyInterval read = given_.read_widely(format);
    const auto number = [&](std::int64_t key) { return value_of_bits(format, bits_of_key(format, key)); };
    const double ulp = std::ldexp(1.0, input_.facts.exact.ulp_exponent(format));
    const double digits =
        std::isfinite(number(read.high) - number(read.low)) ? (number(read.high) - number(read.low)) / 2 : 0;
    // Without the term other partial sums are rounded: as far off as the sums of this order are.
    const double window = of_order->half + std::fabs(of_order->error) + digits + 2 * ulp;
    const double lacks = of_order->error - input_.facts.exact.difference(value);  // result of the order less the value
    for (const bool missing : {true, false}) {
      const double wanted = missing ? lacks : -lacks;
      std::vector<std::size_t> near;
      std::uint64_t wider = 0;
      for (std::size_t i = 0; i < terms.n; ++i) {
        const double off = std::fabs(terms.left(i) - wanted);
        if (off <= window && terms.left(i) != 0) near.push_back(i);
        if (off <= kWider * window) ++wider;
      }
      double by_chance = static_cast<double>(wider) / kWider;
      if (!request_.order.random()) {
        by_chance *= std::min(1.0, (digits + ulp) / window);
        if (near.size() > kMostTriedTerms) continue;
        std::erase_if(near, [&](std::size_t i) { return !gives(i, missing, read); });
      }
      if (near.empty()) continue;
      const std::string what = (missing ? "leaving out x[" : "adding x[") + std::to_string(near.front()) +
                               (missing ? "]" : "] twice") +
                               (request_.order.random() ? " puts it within the range of this order" : " gives it");
      found_.push_back(
          {missing ? "term_missing" : "term_twice", what, {}, given_.bits, near.front(), near.size(), by_chance});
    }
  }

  /// Whether the fixed order gives a number of `read` where term i is missing, or a zero; or there twice, or doubled.
  bool gives(std::size_t i, bool missing, const KeyInterval& read) const {
    const TermView terms = input_.terms.view();
    std::vector<double> changed;
    for (std::size_t k = 0; k < terms.n; ++k) changed.push_back(terms.left(k));
    const auto place = changed.begin() + static_cast<std::ptrdiff_t>(i);
    *place = missing ? 0 : 2 * *place;
    if (is_among(changed, read)) return true;
    if (missing) {
      changed.erase(place);
    } else {
      *place = terms.left(i);
      changed.insert(place, terms.left(i));
    }
    return is_among(changed, read);
  }

  bool is_among(const std::vector<double>& numbers, const KeyInterval& read) const {
    const auto bits = sum_of(numbers);
    return bits && read.holds(ordered_key(formats().result, *bits));
  }

  std::optional<std::uint64_t> sum_of(const std::vector<double>& numbers) const {
    Terms terms(formats().terms, numbers.size());
    for (std::size_t k = 0; k < numbers.size(); ++k) terms.set(k, numbers[k]);
    try {
      const auto evaluator = Evaluator::make(request_.order, terms.view(), formats(), request_.seed);
      return evaluator->evaluate(0, *evaluator->make_scratch()).bits;
    } catch (const Error&) {  // an order of exactly n terms
      return std::nullopt;
    }
  }

  const Input& input_;
  const CheckRequest& request_;
  const CheckFinding& finding_;
  const GivenResult& given_;
  Watch quiet_;
  std::vector<Suggestion> found_;
};

}  // namespace

std::vector<Suggestion> suggestions(const Input& input, const CheckRequest& request, const CheckFinding& finding,
                                    const GivenResult& given, const Watch& watch) {
  return in_stage(watch, "other explanations", [&] { return Suggester(input, request, finding, given, watch).run(); });
}

}  // namespace orderlab::study
