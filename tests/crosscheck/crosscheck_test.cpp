// Cross-checks of kernels whose sums are known: the verdicts, where they point, and what they do not depend on.
#include "orderlab/crosscheck.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

namespace orderlab {
namespace {

constexpr LaunchShape kShapes[] = {{64}, {128, 1, 2}};

std::string in_turn(const LaunchShape&, std::size_t) { return "seq"; }
std::string backwards(const LaunchShape&, std::size_t) { return "reverse | seq"; }
std::string arriving(const LaunchShape&, std::size_t) { return "arrive | seq(from=zero)"; }

constexpr KernelInfo kInTurn{.name = "in_turn", .formats = kWide, .shapes = kShapes, .claim = in_turn};
constexpr KernelInfo kBackwards{.name = "backwards", .formats = kWide, .shapes = kShapes, .claim = backwards};
constexpr KernelInfo kArriving{
    .name = "arriving", .formats = kWide, .shapes = kShapes, .unit = ArrivalUnit::thread, .claim = arriving};

template <class T>
KernelRun sum_in(const KernelJob& job, std::span<const std::uint32_t> order, T sum) {
  const T* const x = static_cast<const T*>(job.terms.x);
  KernelRun run{.shape = job.shape};
  run.returned.resize(order.size());
  for (const std::uint32_t i : order) {
    run.returned[i] = bits_of(sum);
    sum += x[i];
  }
  run.bits = bits_of(sum);
  return run;
}

// The terms added in turn, or backwards, as two atomic kernels would report it.
KernelRun summed(const KernelJob& job, bool forwards) {
  std::vector<std::uint32_t> order(job.terms.n);
  std::iota(order.begin(), order.end(), 0U);
  if (!forwards) order = {order.rbegin(), order.rend()};
  KernelRun run = job.terms.format == Format::fp32 ? sum_in<float>(job, order, 0) : sum_in<double>(job, order, 0);
  run.arrival = order;
  if (!job.record) run.returned.clear();
  return run;
}

KernelRun forwards(const KernelJob& job) { return summed(job, true); }

CrossCheckOptions options() {
  return {.sizes = {1, 2, 3, 100, 1000}, .formats = {Format::fp64, Format::fp32, Format::bf16}, .seeds = 5};
}

CrossChecks check(const KernelInfo& kernel, const std::function<KernelRun(const KernelJob&)>& run,
                  const CrossCheckOptions& what = options()) {
  const Executor executor{"host", &kernel, run};
  return crosscheck({&executor, 1}, what);
}

TEST_CASE("a kernel that does what it claims is bit-identical, in every format it has") {
  const CrossChecks checks = check(kInTurn, forwards);
  REQUIRE(checks.rows.size() == 2);  // it has no bf16
  for (const CrossCheckRow& row : checks.rows) {
    CHECK(row.cases == 50);  // 5 sizes, 2 launch shapes, 5 seeds
    CHECK(row.mismatches == 0);
    CHECK(!row.first);
  }
  CHECK(!checks.partial);
}

TEST_CASE("a wrong claim is found, and told by the first case that shows it") {
  const CrossChecks checks = check(kBackwards, forwards);
  CHECK(checks.mismatches() > 0);
  const std::optional<Mismatch>& first = checks.rows[0].first;
  REQUIRE(first.has_value());
  CHECK(first->n > 2);  // two terms have one order
  CHECK(first->expected != first->got);
  CHECK(first->problem.empty());
  CHECK(first->claim == "reverse | seq");
}

TEST_CASE(
    "float atomics are compared with the order in which they were done, and with the one that their values give") {
  for (const bool forward : {true, false}) {
    const CrossChecks checks = check(kArriving, [&](const KernelJob& job) { return summed(job, forward); });
    for (const CrossCheckRow& row : checks.rows) {
      CHECK(row.mismatches == 0);
      CHECK(row.replays == row.cases);
    }
  }
}

TEST_CASE("a device that records no arrivals is checked by what its atomics returned") {
  const auto run = [](const KernelJob& job) {
    KernelRun told = summed(job, false);
    told.arrival.clear();
    return told;
  };
  const Executor gpu{.device = "cuda", .kernel = &kArriving, .run = run, .tells_arrival = false};
  for (const CrossCheckRow& row : crosscheck({&gpu, 1}, options()).rows) {
    CHECK(row.mismatches == 0);
    CHECK(row.replays == row.cases);
  }
}

TEST_CASE("a claim that leaves the order open needs a unit of arrival") {
  KernelInfo kernel = kArriving;
  kernel.unit = ArrivalUnit::none;
  CHECK_THROWS_WITH_AS(check(kernel, forwards), doctest::Contains("set KernelInfo::unit"), Error);
}

TEST_CASE("kernels without any of the formats are no success") {
  CHECK_THROWS_AS(check(kInTurn, forwards, {.sizes = {3}, .formats = {Format::fp16}}), Error);
}

TEST_CASE("an arrival order other than the one that was done is found") {
  const CrossChecks checks = check(kArriving, [](const KernelJob& job) {
    KernelRun run = summed(job, true);
    run.arrival = summed(job, false).arrival;
    return run;
  });
  CHECK(checks.mismatches() > 0);
}

TEST_CASE("a returned value that no order explains is found") {
  const CrossChecks checks = check(kArriving, [](const KernelJob& job) {
    KernelRun run = summed(job, true);
    if (!run.returned.empty()) run.returned.back() ^= 1;
    return run;
  });
  for (const CrossCheckRow& row : checks.rows) CHECK(row.mismatches == row.cases);
  CHECK(!checks.rows[0].first->problem.empty());
}

TEST_CASE("atomics that do not cover the partial sums are found") {
  const CrossChecks checks = check(kArriving, [](const KernelJob& job) {
    KernelRun run = summed(job, true);
    run.arrival.back() = 0;
    run.returned.clear();
    return run;
  });
  for (const CrossCheckRow& row : checks.rows) CHECK(row.mismatches == 40);  // all but the sums of one term
}

TEST_CASE("a kernel that fails is a mismatch, and the other cases run on") {
  const CrossChecks checks = check(kInTurn, [](const KernelJob& job) {
    if (job.terms.n == 100) throw Error(ErrorKind::device, "a race");
    return forwards(job);
  });
  for (const CrossCheckRow& row : checks.rows) {
    CHECK(row.cases == 50);  // 5 sizes, 2 launch shapes, 5 seeds
    CHECK(row.mismatches == 10);
    CHECK(row.first->problem == "a race");
  }
}

TEST_CASE("every launch shape is run at every size: one broken shape of six is found at each, whatever the seed") {
  static constexpr LaunchShape kSix[] = {{32}, {64}, {96}, {128}, {160}, {192}};
  KernelInfo kernel = kInTurn;
  kernel.shapes = kSix;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const std::size_t n : {2U, 100U}) {
      const CrossChecks checks = check(kernel,
                                       [](const KernelJob& job) {
                                         KernelRun run = forwards(job);
                                         if (job.shape.threads == 160) run.bits ^= 1;
                                         return run;
                                       },
                                       {.sizes = {n}, .formats = {Format::fp32}, .seed = seed, .seeds = 1});
      const CrossCheckRow& row = checks.rows[0];
      CHECK(row.cases == 6);
      CHECK(row.mismatches == 1);
      REQUIRE(row.shapes.size() == 6);
      for (std::size_t i = 0; i < 6; ++i) {
        CHECK(row.shapes[i].cases == 1);
        CHECK(row.shapes[i].mismatches == (i == 4 ? 1 : 0));
      }
      CHECK(row.sizes.at(n).cases == 6);
      CHECK(row.sizes.at(n).mismatches == 1);
    }
}

TEST_CASE("the first mismatch of each kind is kept, with the number of that kind") {
  const CrossChecks checks = check(kInTurn, [](const KernelJob& job) {
    if (job.terms.n == 1000) throw Error(ErrorKind::device, "a race");
    return summed(job, job.terms.n == 3);
  });
  const CrossCheckRow& row = checks.rows[0];
  REQUIRE(row.kinds.size() == 2);
  CHECK(row.kinds[0].kind == MismatchKind::another_order);
  CHECK(row.kinds[0].first.n == 100);
  CHECK(row.kinds[1].kind == MismatchKind::fault);
  CHECK(row.kinds[1].first.n == 1000);
  CHECK(row.kinds[1].count == 10);
  CHECK(row.kinds[0].count + row.kinds[1].count == row.mismatches);
  const std::string text = differences(row);
  CHECK(text.find("a race") != std::string::npos);
  CHECK(text.find("another order (inside the range of 256 random orders") != std::string::npos);
  CHECK(text.find("at 2 of 5 sizes: 100, 1000") != std::string::npos);
  CHECK(text.find(" step") != std::string::npos);  // from one number of the format to the next
  CHECK(text.find(" ulp ") == std::string::npos);  // which is a unit of errors
}

TEST_CASE("the report does not depend on threads") {
  CrossCheckOptions one = options();
  one.threads = 1;
  CrossCheckOptions many = options();
  many.threads = 7;
  const auto a = check(kBackwards, forwards, one);
  const auto b = check(kBackwards, forwards, many);
  for (std::size_t row = 0; row < a.rows.size(); ++row) {
    CHECK(a.rows[row].mismatches == b.rows[row].mismatches);
    CHECK(a.rows[row].first->n == b.rows[row].first->n);
    CHECK(a.rows[row].first->seed == b.rows[row].first->seed);
    CHECK(a.rows[row].first->got == b.rows[row].first->got);
  }
}

TEST_CASE("the model agrees with itself: trees against pipelines") {
  const std::vector<const KernelInfo*> kernels{&kInTurn, &kBackwards, &kArriving};
  const CrossChecks checks = crosscheck(model_executors(kernels), options());
  CHECK(checks.rows.size() == 6);
  CHECK(checks.mismatches() == 0);
}

TEST_CASE("a claim may be written with a vocabulary of one's own") {
  static constexpr NamedOrder own{"own_order", {}, "reverse | seq", "", ""};
  constexpr KernelInfo claims_own{.name = "own",
                                  .formats = kWide,
                                  .shapes = kShapes,
                                  .products = true,
                                  .claim = [](const LaunchShape&, std::size_t) -> std::string { return "own_order"; }};
  const KernelInfo* const kernel = &claims_own;
  CrossCheckOptions own_names = options();
  CHECK_THROWS_AS(crosscheck(model_executors({&kernel, 1}), own_names), Error);
  own_names.vocabulary.named_orders.push_back(&own);
  std::vector<Executor> executors = model_executors({&kernel, 1}, own_names.vocabulary);
  executors[0].contraction = Contraction::never;
  const CrossChecks checks = crosscheck(executors, own_names);
  CHECK(checks.mismatches() == 0);
  CHECK(checks.rows.size() == 2);
  CHECK(checks.warnings.size() == 1);  // it rounds products, which nvcc would fuse
}

TEST_CASE("a lost term is told apart from another order, but for losses too small to tell") {
  const CrossChecks checks = check(kInTurn, [](const KernelJob& job) {
    KernelRun run = forwards(job);
    if (job.terms.n < 3) return run;
    KernelJob fewer = job;
    --fewer.terms.n;
    run.bits = forwards(fewer).bits;
    return run;
  });
  const std::string text = differences(checks.rows[1]);
  CAPTURE(text);
  CHECK(text.find("in all 2 launch shapes") != std::string::npos);
  CHECK(text.find("outside every order's bound: a term lost or counted twice") != std::string::npos);
  CHECK(text.find("no order of these 3 terms gives these bits; without term 2 it fits") != std::string::npos);
  CHECK(text.find("17.6879654, 5.57 below") != std::string::npos);  // too far for steps
  CHECK(text.find("a term lost that is too small to tell") != std::string::npos);
}

TEST_CASE("16-bit products that this run did not fuse and nvcc does are warned about, plain terms are not") {
  KernelInfo kernel = kInTurn;
  kernel.formats = kEveryFormat;
  const auto warnings = [&](Format format) {
    const Executor executor{.device = "host",
                            .kernel = &kernel,
                            .run = [](const KernelJob&) { return KernelRun{}; },
                            .contraction = Contraction::wide};
    return crosscheck({&executor, 1}, {.sizes = {2}, .formats = {format}, .seeds = 1}).warnings;
  };
  CHECK(warnings(Format::fp16).empty());
  kernel.products = true;
  CHECK(warnings(Format::fp32).empty());
  REQUIRE(warnings(Format::fp16).size() == 1);
  CHECK(warnings(Format::fp16)[0].find("in_turn: this run fused no 16-bit products") == 0);
  kernel.uncontracted = true;
  CHECK(warnings(Format::fp16).empty());
}

TEST_CASE("no sizes and a size of 0 are refused") {
  CHECK_THROWS_AS(check(kInTurn, forwards, {.sizes = {}, .formats = {Format::fp64}}), Error);
  CHECK_THROWS_AS(check(kInTurn, forwards, {.sizes = {1, 0}, .formats = {Format::fp64}}), Error);
}

}  // namespace
}  // namespace orderlab
