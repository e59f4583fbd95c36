// Sampling: the counts depend on seed and range alone, however many threads take them, however the range is split and
// wherever it is stopped. Longer than most files: comparing counts as text and the plans to try serve all cases.
#include "orderlab/sample.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <map>
#include <stop_token>
#include <string>
#include <thread>

#include "core/stop.hpp"
#include "order/pipelines.hpp"
#include "order/trouble.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// Everything that counts say, as text; doubles by their bits.
std::string text_of(const ResultCounts& counts) {
  std::string text;
  const auto say = [&](std::uint64_t x) { text += std::to_string(x) + " "; };
  const auto say_double = [&](double x) { say(std::bit_cast<std::uint64_t>(x)); };
  for (const std::uint64_t x : {counts.samples(), counts.infinities(), counts.minus_infinities(), counts.nans()})
    say(x);
  text += counts.binned() ? "bins " : "list ";
  if (counts.binned()) {
    text += std::to_string(counts.bin_exponent()) + " ";
    for (const Weighted& bin : counts.bins().values) {
      say_double(bin.value);
      say_double(bin.weight);
    }
  } else {
    for (const Weighted& result : counts.results().values) {
      say_double(result.value);
      say_double(result.weight);
    }
  }
  text += "moments " + counts.sum().value().decimal(60) + " " + counts.sum_of_squares().value().decimal(60) + " ";
  if (const auto range = counts.heights()) text += std::to_string(range->min) + ".." + std::to_string(range->max);
  if (const auto range = counts.running_bounds()) {
    say_double(range->min);
    say_double(range->max);
  }
  say_double(counts.probabilistic_bound().value_or(-1));
  say_double(counts.extra());
  return text + (counts.plain() ? "plain" : "not plain");
}

struct Sampled {
  Sampled(const std::string& pipeline, const Formats& formats, Trouble trouble, std::size_t n,
          std::uint64_t max_distinct)
      : terms(formats.terms, troublesome_numbers(n, formats.terms, trouble, n)),
        evaluator(Evaluator::make(parse_order(pipeline), terms.view(), formats, 9)),
        frame(CountingFrame::make(exact_sum(terms.view()), formats.result, max_distinct)) {}

  ResultCounts take(std::uint64_t begin, std::uint64_t end, int threads = 1) const {
    return sample(*evaluator, frame, {.begin = begin, .end = end, .threads = threads});
  }

  TypedTerms terms;
  std::unique_ptr<const Evaluator> evaluator;
  CountingFrame frame;
};

/// Lists and bins, heights that depend on the draw, results of all kinds.
std::vector<Sampled> all_sampled() {
  std::vector<Sampled> all;
  for (const std::uint64_t max_distinct : {4u, 1u << 20}) {
    all.emplace_back("random", Formats(), Trouble::near_one, 40, max_distinct);
    all.emplace_back("random_tree", parse_formats("fp32"), Trouble::near_one, 33, max_distinct);
    all.emplace_back("warp", parse_formats("fp16:fp32:bf16"), Trouble::wide, 100, max_distinct);
    all.emplace_back("ao", parse_formats("fp16"), Trouble::wide, 12, max_distinct);
    all.emplace_back("shuffle | seq(acc=kahan)", parse_formats("fp32"), Trouble::special, 20, max_distinct);
  }
  return all;
}

/// Chunks of one sample at first, and of so many after a quick round.
constexpr std::uint64_t kSecondChunk = 16;

/// The result of sample i is i. Sample 8 asks to stop once as many samples as such a chunk has are done of those after
/// its own chunk, or two seconds have passed.
class StoppingEvaluator final : public Evaluator {
 public:
  StoppingEvaluator(const TermView& terms, std::stop_source& stop)
      : Evaluator(compile(parse_order("random"), terms.n, {}), terms, 1), stop_(stop) {}

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Scratch>(); }

  Evaluation evaluate(std::uint64_t i, Scratch&) const override {
    using namespace std::chrono_literals;
    if (i == 8) {
      const auto end = std::chrono::steady_clock::now() + 2s;
      while (later_ < kSecondChunk && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(100us);
      std::this_thread::sleep_for(2ms);
      overtaken_ = later_ >= kSecondChunk;
      stop_.request_stop();
    }
    if (i >= 8 + kSecondChunk) ++later_;
    Evaluation e;
    e.value = static_cast<double>(i);
    e.bits = std::bit_cast<std::uint64_t>(e.value);
    return e;
  }

  SummationTree tree(std::uint64_t) const override { return SummationTree(1); }

  std::optional<std::uint64_t> constant_height() const override { return {}; }
  std::vector<double> random_inputs() const override { return {}; }
  RunningError fixed_error() const override { return {}; }
  SummationTree tail_tree() const override { return SummationTree(1); }
  Evaluation evaluate_arranged(std::span<const std::uint32_t>, Scratch&) const override { return {}; }

  bool overtaken() const { return overtaken_; }

 private:
  std::stop_source& stop_;
  mutable std::atomic<std::uint64_t> later_ = 0;
  mutable std::atomic<bool> overtaken_ = false;
};

}  // namespace

TEST_CASE("counts are the same for every number of threads") {
  for (const Sampled& sampled : all_sampled()) {
    const std::string one = text_of(sampled.take(0, 3000));
    for (const int threads : {2, 7, 0}) {
      CAPTURE(threads);
      CHECK(text_of(sampled.take(0, 3000, threads)) == one);
    }
  }
}

TEST_CASE("counts are those of evaluating one sample after the other") {
  for (const Sampled& sampled : all_sampled()) {
    std::map<std::uint64_t, std::uint64_t> results;
    for (std::uint64_t i = 20; i < 300; ++i) ++results[evaluate_once(*sampled.evaluator, i).bits];
    const ResultCounts counts = sampled.take(20, 300, 2);
    CHECK(counts.samples() == 280);
    REQUIRE(counts.binned() == (results.size() > sampled.frame.max_distinct));
    if (counts.binned()) continue;
    std::map<std::uint64_t, std::uint64_t> counted;
    for (const Weighted& r : counts.results().values)
      counted[bits_of(sampled.frame.format, r.value)] = static_cast<std::uint64_t>(r.weight);
    CHECK(counted == results);
  }
}

TEST_CASE("any split into ranges, merged in any order, gives the counts of the whole") {
  constexpr std::uint64_t kEnd = 2000;
  for (const Sampled& sampled : all_sampled()) {
    const std::string whole = text_of(sampled.take(0, kEnd, 2));
    for (std::uint64_t trial = 0; trial < trials(10); ++trial) {
      CAPTURE(trial);
      IndexGenerator draw(RandomStream(trial, 1, 0), 0);
      std::vector<ResultCounts> parts;
      for (std::uint64_t begin = 0; begin < kEnd;) {
        const std::uint64_t end = begin + 1 + below(draw, std::min<std::uint64_t>(kEnd - begin, 1 + below(draw, kEnd)));
        parts.push_back(sampled.take(begin, end, 1 + static_cast<int>(below(draw, 3))));
        begin = end;
      }
      while (parts.size() > 1) {
        const std::size_t a = below(draw, parts.size());
        const std::size_t b = (a + 1 + below(draw, parts.size() - 1)) % parts.size();
        parts[a].merge(parts[b]);
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(b));
      }
      CHECK(text_of(parts.front()) == whole);
    }
  }
}

TEST_CASE("a stopped run holds exactly the samples from its begin to where it stopped") {
  for (const int threads : {1, 2, 7}) {
    CAPTURE(threads);
    for (const Sampled& sampled : all_sampled()) {
      constexpr std::uint64_t kBegin = 17;
      constexpr std::uint64_t kEnd = std::uint64_t{1} << 40;  // more than any test has time for
      std::stop_source stop;
      SampleOptions options{.begin = kBegin, .end = kEnd, .threads = threads, .stop = stop.get_token()};
      options.progress = [&](std::uint64_t done, std::uint64_t) {
        if (done >= 500) stop.request_stop();
      };
      const ResultCounts counts = sample(*sampled.evaluator, sampled.frame, options);
      REQUIRE(counts.samples() >= 500);
      REQUIRE(counts.samples() < kEnd - kBegin);
      CHECK(text_of(counts) == text_of(sampled.take(kBegin, kBegin + counts.samples(), 2)));
    }
  }
}

TEST_CASE("a stop that comes from another thread, in the middle of a round, leaves an unbroken range") {
  const Sampled sampled("random", parse_formats("fp32"), Trouble::near_one, 3000, 1u << 20);
  for (const int delay_ms : {0, 1, 5, 20, 60}) {
    CAPTURE(delay_ms);
    std::stop_source stop;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
      stop.request_stop();
    });
    const ResultCounts counts = sample(*sampled.evaluator, sampled.frame,
                                       {.end = std::uint64_t{1} << 40, .threads = 3, .stop = stop.get_token()});
    if (counts.samples() == 0) continue;
    CHECK(text_of(counts) == text_of(sampled.take(0, counts.samples())));
  }
}

TEST_CASE("a chunk that is complete does not count when one before it was stopped") {
  // Round 1 is samples 0 and 1, a chunk each; if it was quick, the chunks of round 2 are longer. Sample 8 waits for a
  // later chunk to be complete and stops before sample 9, so its own chunk is not.
  const double term[] = {1.0};
  for (int repetition = 0; repetition < 5; ++repetition) {
    std::stop_source stop;
    const StoppingEvaluator evaluator(view_of(term, 1), stop);
    const ResultCounts counts = sample(evaluator, CountingFrame(), {.threads = 2, .stop = stop.get_token()});
    const std::vector<Weighted> results = counts.results().values;
    CHECK(results.size() == counts.samples());
    for (std::size_t i = 0; i < results.size(); ++i)
      REQUIRE(std::bit_cast<std::uint64_t>(results[i].value) == std::bit_cast<std::uint64_t>(static_cast<double>(i)));
    if (evaluator.overtaken()) CHECK(counts.samples() <= 8);
  }
}

TEST_CASE("a run stopped before it starts counts nothing") {
  const Sampled sampled("random", Formats(), Trouble::near_one, 10, 8);
  std::stop_source stop;
  stop.request_stop();
  const ResultCounts counts = sample(*sampled.evaluator, sampled.frame, {.stop = stop.get_token()});
  CHECK(counts.samples() == 0);
  CHECK(counts.results().empty());
  CHECK_FALSE(counts.heights().has_value());
}

TEST_CASE("progress grows and ends at the total") {
  const Sampled sampled("random", Formats(), Trouble::near_one, 10, 8);
  for (const std::uint64_t total : {1u, 2u, 7u, 1000u, 100'000u}) {
    CAPTURE(total);
    for (const int threads : {1, 3}) {
      std::vector<std::uint64_t> calls;
      SampleOptions options{.begin = 5, .end = 5 + total, .threads = threads};
      options.progress = [&](std::uint64_t done, std::uint64_t of) {
        CHECK(of == total);
        calls.push_back(done);
      };
      CHECK(sample(*sampled.evaluator, sampled.frame, options).samples() == total);
      REQUIRE(!calls.empty());
      CHECK(calls.front() > 0);
      CHECK(std::adjacent_find(calls.begin(), calls.end(), std::greater_equal<>()) == calls.end());
      CHECK(calls.back() == total);
    }
  }
}

TEST_CASE("an empty range and one beyond 2^48 are usage errors") {
  const Sampled sampled("random", Formats(), Trouble::near_one, 10, 8);
  const std::uint64_t limit = RandomStream::kSampleLimit;
  const std::pair<std::uint64_t, std::uint64_t> wrong[] = {
      {0, 0}, {7, 7}, {8, 7}, {0, limit + 1}, {limit, limit + 1}, {0, ~std::uint64_t{0}}};
  for (const auto& [begin, end] : wrong) {
    CAPTURE(begin);
    CAPTURE(end);
    try {
      sampled.take(begin, end);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
    }
  }
  CHECK(sampled.take(limit - 3, limit).samples() == 3);
}

TEST_CASE("one term has one result") {
  for (const char* order : {"random", "random_tree", "warp", "ao", "pairwise"}) {
    CAPTURE(std::string(order));
    const double term[] = {-0.1};
    const auto evaluator = Evaluator::make(parse_order(order), view_of(term, 1), Formats(), 1);
    const auto counts = sample(*evaluator, CountingFrame::make(exact_sum(term), Format::fp64, 8), {.end = 100});
    REQUIRE(counts.results().size() == 1);
    CHECK(std::bit_cast<std::uint64_t>(counts.results().values[0].value) == std::bit_cast<std::uint64_t>(-0.1));
    CHECK(counts.results().values[0].weight == 100);
  }
}

TEST_CASE("a fixed order gives one result, that of its evaluation") {
  for (const NamedOrder& named : named_orders()) {
    CAPTURE(named.name);
    const Order order = parse_order(named.name).fixed_form();
    REQUIRE_FALSE(order.random());
    const TypedTerms terms(Format::fp32, troublesome_numbers(3, Format::fp32, Trouble::near_one, 700));
    const auto evaluator = Evaluator::make(order, terms.view(), parse_formats("fp32"), 1);
    const auto counts = sample(*evaluator, CountingFrame{.format = Format::fp32}, {.end = 50, .threads = 2});
    REQUIRE(counts.results().size() == 1);
    CHECK(bits_of(counts.frame().format, counts.results().values[0].value) == evaluate_once(*evaluator).bits);
    CHECK(counts.results().values[0].weight == 50);
  }
}

TEST_CASE("every named order samples troublesome terms in every format") {
  for (const NamedOrder& named : named_orders()) {
    CAPTURE(named.name);
    for (const Formats& formats : formats_to_try()) {
      const std::string format_text = to_string(formats);
      CAPTURE(format_text);
      for (const Trouble trouble : kTroubles) {
        for (const std::size_t n : {1u, 2u, 33u, 300u}) {
          CAPTURE(n);
          const Sampled sampled(std::string(named.name), formats, trouble, n, 8);
          const ResultCounts counts = sampled.take(0, 10);
          CHECK(counts.samples() == 10);
          if (n == 33) CHECK(text_of(counts) == text_of(sampled.take(0, 10, 2)));
        }
      }
    }
  }
}

TEST_CASE("a stop is seen inside a sample, which is then not counted, on any number of threads") {
  constexpr std::size_t kMany = std::size_t{1} << 18;  // more than between two stop points
  const Sampled sampled("random", Formats(), Trouble::near_one, kMany, 100);
  for (const int threads : {1, 2}) {
    std::stop_source source;
    source.request_stop();
    const std::stop_token token = source.get_token();
    const StopScope scope(token);  // of a caller; this call has no token
    CHECK_FALSE(unless_stopped([&] { return sampled.take(0, 4, threads); }));
  }
}
