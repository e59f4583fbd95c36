// The plan of a capture, and the terms of its runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "crosscheck/known_kernels.hpp"
#include "cuda/capture/plan.hpp"
#include "cuda/capture/runs.hpp"
#include "cuda/gpu_kernels.hpp"

using namespace orderlab;
using namespace orderlab::cuda;

namespace {

constexpr LaunchShape kShapes[] = {{64, 2}, {256, 2, 7}, {128}};

KernelInfo made_up(ArrivalUnit unit) {
  return {.name = "made_up",
          .formats = kEveryFormat,
          .shapes = kShapes,
          .unit = unit,
          .claim = [](const LaunchShape&, std::size_t) { return std::string("seq"); }};
}

constexpr ArrivalUnit kUnits[] = {ArrivalUnit::none, ArrivalUnit::thread, ArrivalUnit::warp, ArrivalUnit::thread_block};

// All that a capture file tells runs apart by.
std::string text_of(const PlannedRun& run) {
  return std::string(info(run.format).name) + " " + std::to_string(run.n) + " " + std::to_string(run.shape.threads) +
         "," + std::to_string(run.shape.items) + "," + std::to_string(run.shape.grid) + " " + to_string(run.input) +
         " " + std::to_string(run.repeat);
}

}  // namespace

TEST_CASE("every format is planned in every shape, and no run twice") {
  for (const ArrivalUnit unit : kUnits)
    for (const bool quick : {false, true}) {
      const KernelInfo kernel = made_up(unit);
      std::set<std::string> texts;
      std::set<std::pair<Format, unsigned>> covered;
      const std::vector<PlannedRun> plan = plan_of(kernel, quick);
      for (const PlannedRun& run : plan) {
        CHECK(run.n >= 1);
        CHECK(run.input.exact());
        texts.insert(text_of(run));
        covered.insert({run.format, run.shape.threads});
      }
      CHECK(texts.size() == plan.size());
      CHECK(covered.size() == std::size(kEveryFormat) * std::size(kShapes));
    }
}

TEST_CASE("a kernel without float atomics is run twice, one with them is recorded where that is small") {
  for (const PlannedRun& run : plan_of(made_up(ArrivalUnit::none), false)) CHECK(!run.record);
  const std::vector<PlannedRun> fixed = plan_of(made_up(ArrivalUnit::none), false);
  CHECK(std::ranges::any_of(fixed, [](const PlannedRun& run) { return run.repeat == 1; }));
  for (const ArrivalUnit unit : {ArrivalUnit::thread, ArrivalUnit::warp, ArrivalUnit::thread_block}) {
    const KernelInfo kernel = made_up(unit);
    std::size_t recorded = 0;
    std::size_t unrecorded_repeats = 0;
    for (const PlannedRun& run : plan_of(kernel, false)) {
      const std::size_t units = arriving_units(kernel, run.shape, run.n);
      CHECK(units <= kMostUnits);
      if (run.record) {
        CHECK(units <= kMostRecorded);
        ++recorded;
      } else if (run.repeat > 0) {
        ++unrecorded_repeats;
      } else {
        CHECK(units > kMostRecorded);
      }
    }
    CHECK(recorded > 100);
    CHECK(unrecorded_repeats == 5 * 4 * std::size(kEveryFormat));
  }
}

TEST_CASE("as many units arrive as the launch has with terms") {
  const KernelInfo threads = made_up(ArrivalUnit::thread);
  CHECK(arriving_units(made_up(ArrivalUnit::none), {64, 2}, 1000) == 0);
  CHECK(arriving_units(threads, {128}, 1000) == 1000);
  CHECK(arriving_units(threads, {64, 2, 1}, 1000) == 64);
  CHECK(arriving_units(threads, {64, 2, 1}, 10) == 10);
  CHECK(arriving_units(made_up(ArrivalUnit::warp), {128}, 65) == 3);
  CHECK(arriving_units(made_up(ArrivalUnit::thread_block), {64, 2}, 129) == 2);
}

TEST_CASE("the third input of every format is below its normal numbers") {
  for (const FormatInfo& format : kFormats) {
    const Dyadic input = capture_inputs(format.format)[2];
    TermStore store;
    const TermView terms = store.terms(input, format.format, 1000, false);
    std::size_t subnormal = 0;
    const double least_normal = std::bit_cast<double>(static_cast<std::uint64_t>(format.e_min + 1023) << 52);
    for (std::size_t i = 0; i < terms.n; ++i)
      if (terms.left(i) != 0 && std::fabs(terms.left(i)) < (format.format == Format::fp64 ? 0x1p-1022 : least_normal))
        ++subnormal;
    CAPTURE(format.name);
    CHECK(subnormal > 990);
  }
}

TEST_CASE("stored terms are those of dyadic, whatever number was asked for first") {
  const Dyadic input{11, -10, 7};
  for (const FormatInfo& format : kFormats) {
    TermStore store;
    const auto bytes = static_cast<std::size_t>(format.bits) / 8;
    static_cast<void>(store.terms(input, format.format, 3, true));
    const TermView terms = store.terms(input, format.format, 50, true);
    REQUIRE(terms.n == 50);
    REQUIRE(terms.products());
    for (std::size_t i = 0; i < terms.n; ++i) {
      std::uint64_t x = 0;
      std::uint64_t y = 0;
      std::memcpy(&x, static_cast<const std::byte*>(terms.x) + i * bytes, bytes);
      std::memcpy(&y, static_cast<const std::byte*>(terms.y) + i * bytes, bytes);
      CHECK(x == input.term_bits(format.format, kTermSeed, i));
      CHECK(y == input.term_bits(format.format, kFactorSeed, i));
    }
    CHECK(!store.terms(input, format.format, 3, false).products());
  }
}

TEST_CASE("runs of kernels with many outputs have arrays of their size, and few enough outputs to write down") {
  for (const KernelInfo* kernel : known_kernels()) {
    if (kernel->outputs == nullptr) continue;
    CAPTURE(kernel->name);
    std::size_t recorded = 0;
    for (const bool quick : {false, true}) {
      std::size_t outputs = 0;
      std::set<std::string> texts;
      const std::vector<PlannedRun> plan = plan_of(*kernel, quick);
      for (const PlannedRun& run : plan) {
        CHECK(run.n == run.extents.elements());
        CHECK(run.record == (kernel->unit != ArrivalUnit::none && run.repeat == 0));
        recorded += run.record ? 1 : 0;
        outputs += run.extents.outputs();
        texts.insert(text_of(run) + " " + std::to_string(run.extents.rows) + " " + std::to_string(run.extents.bins));
      }
      CHECK(texts.size() == plan.size());
      CHECK(plan.size() >= 2 * kernel->formats.size() * kernel->shapes.size());
      CHECK(outputs < 600'000);
    }
    CHECK((recorded > 0) == (kernel->unit != ArrivalUnit::none));
  }
}
