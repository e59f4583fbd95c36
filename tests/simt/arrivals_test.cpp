// The kernels that note arrivals, on the simulated device: where and when is made up, tickets and additions are real.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "orderlab/cuda_on_host.hpp"
// The kernels come after what makes them C++.
#include "cuda/arrivals.cuh"
#include "simt/launching.hpp"

namespace orderlab {
namespace {

using test::schedule;

constexpr unsigned kMadeUpMultiprocessors = 3;

/// Counts its calls. It is no memory of a GPU, so the simulated device may not see it.
__attribute__((noinline, no_sanitize("thread"))) std::uint64_t next_moment() {
  static std::uint64_t moment = 1000;
  return ++moment;
}

struct MadeUpRegisters {
  static unsigned multiprocessor() { return blockIdx.x % kMadeUpMultiprocessors; }
  static std::uint64_t cycles() { return next_moment(); }
  static std::uint64_t nanoseconds() { return next_moment(); }
};

RecordedLaunches launch_of(const char* kernel, ArrivalUnit unit, std::size_t n, LaunchShape shape) {
  RecordedLaunches what{.kernel = kernel, .unit = unit, .n = n, .shape = shape};
  what.shape.grid = thread_blocks(shape, n);
  return what;
}

/// Integers that differ, so that sums are exact and show which terms they are of.
template <class T>
std::vector<T> distinct_terms(std::size_t n) {
  std::vector<T> terms(n);
  std::iota(terms.begin(), terms.end(), T{1});
  return terms;
}

template <class T>
TermView view(const std::vector<T>& terms) {
  return {kFormatOf<T>, terms.size(), terms.data(), nullptr};
}

void check_notes(const cuda::UnitNotes& notes, std::size_t units) {
  REQUIRE(notes.ticket.size() == units);
  std::vector<std::uint32_t> sorted = notes.ticket;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < units; ++i) CHECK(sorted[i] == i);
  for (std::size_t unit = 0; unit < units; ++unit) {
    CHECK(notes.started_cycles[unit] > 1000);
    CHECK(notes.ticket_cycles[unit] > notes.started_cycles[unit]);
    CHECK(notes.ticket_ns[unit] > notes.ticket_cycles[unit]);
  }
}

using Launches = cuda::NotingLaunches<MadeUpRegisters, simt::Device>;

}  // namespace

TEST_CASE("thread blocks note their tickets in the order of their additions, in every launch anew") {
  const std::vector<double> terms = distinct_terms<double>(1000);
  const RecordedLaunches what = launch_of("spa", ArrivalUnit::thread_block, terms.size(), {64, 2});
  simt::Device device(schedule(3));
  Launches launches(device, {.what = what, .launches = 2, .terms = view(terms)});
  for (std::size_t launch = 0; launch < 2; ++launch) {
    const cuda::UnitNotes notes = launches.launch();
    check_notes(notes, 8);
    for (std::size_t block = 0; block < 8; ++block) CHECK(notes.sm[block] == block % kMadeUpMultiprocessors);
    const auto& additions = device.atomic_arrivals();
    REQUIRE(additions.size() == 8 * (launch + 1));
    for (std::uint32_t i = 0; i < 8; ++i) CHECK(notes.ticket[additions[8 * launch + i].block] == i);
  }
  CHECK(launches.shared_bytes() == 64 * sizeof(double));
  CHECK(launches.kernel() != nullptr);
}

TEST_CASE("with tiles reversed thread block b adds the b-th tile from the end") {
  const std::vector<double> terms = distinct_terms<double>(1000);
  std::map<std::uint32_t, double> sums[2];
  for (const TileOrder tiles : {TileOrder::in_turn, TileOrder::reversed}) {
    RecordedLaunches what = launch_of("spa", ArrivalUnit::thread_block, terms.size(), {64, 2});
    what.tiles = tiles;
    simt::Device device(schedule(1, 4));
    check_notes(Launches(device, {.what = what, .launches = 1, .terms = view(terms)}).launch(), 8);
    for (const simt::AtomicArrival& addition : device.atomic_arrivals())
      sums[tiles == TileOrder::reversed][addition.block] = addition.added;
  }
  REQUIRE(sums[0].size() == 8);
  CHECK(sums[0][0] == 128 * 129 / 2);
  for (std::uint32_t block = 0; block < 8; ++block) CHECK(sums[1][block] == sums[0][7 - block]);
}

TEST_CASE("warps note their tickets, but those without terms do not") {
  const std::vector<double> terms = distinct_terms<double>(300);
  const RecordedLaunches what = launch_of("warp", ArrivalUnit::warp, terms.size(), {128});
  simt::Device device(schedule(5));
  check_notes(Launches(device, {.what = what, .launches = 1, .terms = view(terms)}).launch(), 10);
  double sum = 0;
  for (const simt::AtomicArrival& addition : device.atomic_arrivals()) sum += addition.added;
  CHECK(device.atomic_arrivals().size() == 10);
  CHECK(sum == 300 * 301 / 2);
}

TEST_CASE("warps of index_add note a ticket in every pass, before they add") {
  const std::vector<float> terms = distinct_terms<float>(5 * 128);
  const std::vector<std::int64_t> index(terms.size(), 1);
  RecordedLaunches what = launch_of("index_add_large", ArrivalUnit::warp, terms.size(), {128, 1, 2});
  what.format = Format::fp32;
  CHECK(what.shape.grid == 2);
  simt::Device device(schedule(7, 2));
  const cuda::UnitNotes notes =
      Launches(device, {.what = what, .launches = 1, .terms = view(terms), .index = index, .bins = 2}).launch();
  check_notes(notes, 20);
  for (std::size_t unit = 0; unit < 20; ++unit) CHECK(notes.sm[unit] == unit / 4 % 2);
  for (std::size_t unit = 8; unit < 20; ++unit) CHECK(notes.ticket[unit] > notes.ticket[unit - 8]);
  double sum = 0;
  for (const simt::AtomicArrival& addition : device.atomic_arrivals()) sum += addition.added;
  CHECK(sum == 640 * 641 / 2);
}

TEST_CASE("a kernel or a format without a recording form is refused") {
  const std::vector<float> terms = distinct_terms<float>(64);
  const auto refusal = [&](const char* kernel) -> std::string {
    const RecordedLaunches what = launch_of(kernel, ArrivalUnit::thread_block, terms.size(), {64});
    simt::Device device;
    try {
      const Launches launches(device, {.what = what, .launches = 1, .terms = view(terms)});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  CHECK(refusal("sptr") == "sptr: cannot be recorded; spa, warp and index_add_large can");
  CHECK(refusal("spa") == "spa: is recorded in fp64 only");
}

}  // namespace orderlab
