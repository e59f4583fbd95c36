// Kernels with many outputs: cross-checks of them, what is noticed of wrong runs, captures of their runs on the host.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "core/drawn_index.hpp"
#include "crosscheck/claimed_outputs.hpp"
#include "crosscheck/known_kernels.hpp"
#include "crosscheck/replay.hpp"
#include "crosscheck/verify.hpp"
#include "cuda/capture/plan.hpp"
#include "cuda/capture_file.hpp"
#include "order/trouble.hpp"
#include "orderlab/crosscheck.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

const Executor& on_host(std::string_view name) {
  for (const Executor& executor : host_executors())
    if (executor.kernel->name == name) return executor;
  FAIL("no kernel ", name);
  return host_executors()[0];
}

std::vector<Executor> with_outputs() {
  std::vector<Executor> executors;
  for (const Executor& executor : host_executors())
    if (executor.kernel->outputs != nullptr) executors.push_back(executor);
  return executors;
}

/// The kernel, its runs changed afterwards.
Executor after(std::string_view name, const std::function<void(const KernelJob&, KernelRun&)>& change) {
  Executor executor = on_host(name);
  executor.run = [run = executor.run, change](const KernelJob& job) {
    KernelRun result = run(job);
    change(job, result);
    return result;
  };
  return executor;
}

CrossCheckRow row_of(const Executor& executor, std::vector<std::size_t> sizes = {700}) {
  return crosscheck({&executor, 1}, {.sizes = std::move(sizes), .formats = {Format::fp32}, .seeds = 4}).rows[0];
}

Replay chain_of(std::vector<double> added, std::vector<std::uint64_t> returned, double start,
                std::vector<std::size_t> thread = {}, std::vector<std::uint32_t> names = {}) {
  return replay_cell({.format = Format::fp64,
                      .start = start,
                      .added = added,
                      .returned = returned,
                      .noun = "contribution",
                      .names = names,
                      .thread = thread});
}

std::uint64_t cell(double value) { return round_to_bits(Format::fp64, value); }

/// A run of a kernel as a capture made on this CPU would hold it.
CapturedRun captured(std::string_view name, Format format, std::size_t n, bool record, std::size_t shape = 0,
                     std::uint64_t sample = 0) {
  const Executor& executor = on_host(name);
  const OutputsClaim& claim = *executor.kernel->outputs;
  const ArrayExtents extents = claim.extents(n, 1);
  const std::string input = "dyadic(24,-23,8)";
  CapturedRun run{.kernel = std::string(name),
                  .format = format,
                  .n = extents.elements(),
                  .shape = executor.kernel->shapes[shape],
                  .input = input,
                  .seed = cuda::kTermSeed,
                  .repeat = sample,
                  .rows = extents.rows,
                  .columns = extents.columns};
  const Terms source = generate_terms(input, extents.elements(), format, cuda::kTermSeed);
  Terms self(format, 1);
  std::vector<std::int64_t> index;
  ArrayView arrays{.extents = extents};
  if (extents.bins != 0) {
    run.bins = extents.bins;
    run.self_seed = cuda::kSelfSeed;
    run.index_seed = cuda::kIndexSeed;
    self = generate_terms(input, extents.outputs(), format, cuda::kSelfSeed);
    index = drawn_index(claim.indices(extents), extents.bins, cuda::kIndexSeed);
    arrays.self = self.view().x;
    arrays.index = index;
  }
  const KernelRun result = executor.run({.terms = source.view(),
                                         .shape = run.shape,
                                         .schedule = {.seed = 3, .sample = sample, .resident = 64},
                                         .record = record,
                                         .formats = {format, format, format},
                                         .arrays = arrays});
  run.outputs = result.outputs;
  run.returned = result.returned;
  run.looked_back = result.looked_back;
  return run;
}

VerifiedRun verdict_on(const CapturedRun& run) {
  const Capture capture = read_capture(write_capture({{{"device", "host"}}, {}, {run}}), "c");
  return verify(capture, "c", known_kernels(), {})[0];
}

std::string refusal_of(const CapturedRun& run) {
  return message_of(ErrorKind::input, [&] { (void)verdict_on(run); });
}

}  // namespace

TEST_CASE("kernels with many outputs give the bits of their operation for every arrival drawn") {
  const CrossChecks checks = crosscheck(with_outputs(), {.sizes = {1, 17, 33, 128, 129, 513, 1025, 3000},
                                                         .formats = {Format::fp32, Format::fp64, Format::fp16},
                                                         .seeds = 5,
                                                         .samples = 2});
  std::uint64_t replays = 0;
  for (const CrossCheckRow& row : checks.rows) {
    INFO(differences(row));
    CHECK(row.cases > 0);
    CHECK(row.mismatches == 0);
    if (row.kernel->unit != ArrivalUnit::none) CHECK(row.replays == row.cases);
    CHECK(row.unit_orders <= row.replays);
    replays += row.replays;
  }
  CHECK(replays > 500);
}

TEST_CASE("arrivals change the outputs of atomics, and how far tiles look back") {
  std::set<std::vector<std::uint64_t>> sums;
  std::set<std::vector<std::uint64_t>> scans;
  std::map<std::uint32_t, std::size_t> distances;
  for (std::uint64_t sample = 0; sample < 10; ++sample) {
    sums.insert(captured("scatter_add", Format::fp32, 2000, true, 0, sample).outputs);
    const CapturedRun scan = captured("inclusive_scan", Format::fp32, 20000, false, 0, sample);
    CHECK(verdict_on(scan).verdict == RunVerdict::replayed);
    scans.insert(scan.outputs);
    for (const std::uint32_t distance : scan.looked_back) ++distances[distance];
  }
  CHECK(sums.size() > 5);
  CHECK(scans.size() > 5);
  CHECK(distances.size() > 10);
  CHECK(distances.rbegin()->first > 32);  // a second window of descriptors
}

TEST_CASE("wrong outputs, returned values, arrivals and distances are noticed") {
  struct Wrong {
    std::string_view kernel;
    MismatchKind kind;
    std::function<void(const KernelJob&, KernelRun&)> change;
  };
  const auto last_bit = [](const KernelJob&, KernelRun& run) { run.outputs.back() ^= 1; };
  const Wrong wrongs[] = {
      {"index_add_small", MismatchKind::another_order, last_bit},
      {"inclusive_scan", MismatchKind::another_order, last_bit},
      {"index_add_large", MismatchKind::atomics, [](const KernelJob&, KernelRun& run) { run.outputs.pop_back(); }},
      {"index_add_large", MismatchKind::atomics, [](const KernelJob&, KernelRun& run) { run.arrival.pop_back(); }},
      {"index_add_large", MismatchKind::atomics,
       [](const KernelJob&, KernelRun& run) { run.arrival.push_back(run.arrival[0]); }},
      {"scatter_add", MismatchKind::atomics,
       [](const KernelJob&, KernelRun& run) { run.arrival[0] = std::uint32_t{1} << 20; }},
      {"scatter_add", MismatchKind::returned,
       [](const KernelJob&, KernelRun& run) {
         if (!run.returned.empty()) run.returned[5] ^= 1;
       }},
      {"scatter_add", MismatchKind::returned,
       [](const KernelJob&, KernelRun& run) {
         if (!run.returned.empty()) run.returned.pop_back();
       }},
      {"inclusive_scan", MismatchKind::returned,
       [](const KernelJob&, KernelRun& run) {
         if (run.looked_back.size() > 1) run.looked_back[1] = 3;
       }},
      {"inclusive_scan", MismatchKind::returned,
       [](const KernelJob&, KernelRun& run) { run.looked_back.push_back(1); }},
  };
  for (const Wrong& wrong : wrongs) {
    const CrossCheckRow row = row_of(after(wrong.kernel, wrong.change));
    CAPTURE(wrong.kernel);
    CAPTURE(row.first.value().problem);
    CHECK(row.first.value().kind == wrong.kind);
  }
}

TEST_CASE("a distance that is not the one used is noticed where it changes a bit") {
  const CrossCheckRow row = row_of(after("inclusive_scan",
                                         [](const KernelJob&, KernelRun& run) {
                                           for (std::size_t t = 5; t < run.looked_back.size(); ++t)
                                             run.looked_back[t] =
                                                 run.looked_back[t] == 1 ? static_cast<std::uint32_t>(t) : 1;
                                         }),
                                   {20000});
  CHECK(row.mismatches > 2);
  CHECK(row.first.value().output.has_value());
}

TEST_CASE("the first output that differs is told with its claim") {
  const CrossCheckRow row =
      row_of(after("index_add_small", [](const KernelJob&, KernelRun& run) { run.outputs[2] ^= 1; }), {48});
  const Mismatch& first = row.first.value();
  CHECK(first.output == 2);
  CHECK(first.claim.starts_with("index_add of "));
  CHECK(first.expected.value() == (first.got.value() ^ 1));
  CHECK(first_difference(row).find("  output 2\n  claim  index_add of ") != std::string::npos);
}

TEST_CASE("a kernel's launch map that is not the operation's is told") {
  static OutputsClaim claim = *on_host("index_add_large").kernel->outputs;
  claim.unit = 64;
  static KernelInfo info = *on_host("index_add_large").kernel;
  info.outputs = &claim;
  Executor executor = on_host("index_add_large");
  executor.kernel = &info;
  CHECK(row_of(executor).first.value().problem ==
        "contribution 64 arrives with unit 0 of index_add, and with 1 of the kernel");
  claim.unit = 128;
  claim.thread = [](const LaunchShape&, std::size_t p) { return p + 10'000; };
  CHECK(row_of(executor).first.value().problem.starts_with(
      "contribution 0 is added by thread 10000 of the kernel's launch map, and the grid has "));
  claim.thread = [](const LaunchShape&, std::size_t p) { return p % 64; };
  CHECK(row_of(executor).mismatches > 0);
  claim.thread = on_host("index_add_large").kernel->outputs->thread;
  claim.extents = [](std::size_t, std::uint64_t) { return ArrayExtents{3, 5, 2}; };
  CHECK(message_of(ErrorKind::usage, [&] { (void)row_of(executor); }) ==
        "index_add of 3x5 into 2x5: its order is fixed (3 indices: at most 16), and the kernel claims that it is open");
}

TEST_CASE("what atomics on one cell returned is a chain from its first value, each atomic once") {
  // 4, then + 1, + 2, + 1.
  const Replay chain = chain_of({1, 2, 1}, {cell(4), cell(5), cell(7)}, 4);
  CHECK(chain.order == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(chain_of({1, 2, 1}, {cell(7), cell(5), cell(4)}, 4).order == std::vector<std::uint32_t>{2, 1, 0});
  CHECK(chain_of({1, 2, 1}, {cell(5), cell(6), cell(7)}, 4).problem ==
        "contribution 0 returned 0x4014000000000000, a value that no addition gives");
  CHECK(chain_of({1, 2}, {cell(4), cell(4)}, 4, {}, {7, 9}).problem ==
        "contribution 7 returned 0x4010000000000000, as 2 contributions did, but the sum takes that value only once");
  CHECK(chain_of({1, 2, -2}, {cell(4), cell(10), cell(12)}, 4, {}, {3, 5, 6}).problem ==
        "contribution 5 returned 0x4024000000000000, which 2 contributions reach in a circle among themselves, but "
        "never from 0x4010000000000000");
}

TEST_CASE("of several chains one that keeps the order of every thread is found, or there is none") {
  // Zeros return the same value in any order.
  CHECK(chain_of({0, 0, 0}, {cell(4), cell(4), cell(4)}, 4, {1, 1, 1}).order == std::vector<std::uint32_t>{0, 1, 2});
  // Circles through 4: + 1 - 1 by contributions 0 and 3, + 2 - 2 by 1 and 2.
  const std::vector<double> added{1, 2, -2, -1};
  const std::vector<std::uint64_t> returned{cell(4), cell(4), cell(6), cell(5)};
  using Threads = std::vector<std::size_t>;
  CHECK(chain_of(added, returned, 4, {1, 1, 2, 2}).problem.find("does its atomics on one cell in turn") !=
        std::string::npos);
  for (const Threads& threads : {Threads{1, 2, 3, 4}, Threads{1, 2, 2, 1}, Threads{1, 1, 2, 3}, Threads{1, 2, 3, 3}}) {
    const Replay replay = chain_of(added, returned, 4, threads);
    CAPTURE(replay.problem);
    REQUIRE(replay.order.size() == 4);
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t l = k + 1; l < 4; ++l)
        if (threads[replay.order[k]] == threads[replay.order[l]]) CHECK(replay.order[k] < replay.order[l]);
  }
  CHECK(chain_of({1, 2}, {cell(6), cell(4)}, 4, {1, 1}).problem ==
        "contribution 1 returned 0x4010000000000000, but a thread does its atomics on one cell in turn, and "
        "contribution 0 of the same thread was done later");
  CHECK(chain_of({1, 2}, {cell(6), cell(4)}, 4, {1, 2}).problem.empty());
}

TEST_CASE("one order of the units explains the arrivals of all outputs, or none does") {
  const OutputsClaim& claim = *on_host("scatter_add").kernel->outputs;
  SourceArrays arrays{.extents = {1200, 1, 2}, .source = generate_terms("normal(0,1)", 1200, Format::fp32, 1)};
  arrays.self = generate_terms("normal(0,1)", 2, Format::fp32, 2);
  arrays.index = drawn_index(1200, 2, 1);
  const ClaimedOutputs claimed(claim, arrays);
  const Contributions& rows = claimed.operation().rows;
  OutputArrivals arrivals;  // units 2, 0, 1
  for (std::size_t r = 0; r < 2; ++r)
    for (const std::uint32_t unit : {2U, 0U, 1U})
      for (std::uint32_t c = rows.row_begin[r]; c < rows.row_begin[r + 1]; ++c)
        if (rows.unit[c] == unit) arrivals.places.push_back(c);
  const auto order = claimed.unit_order(arrivals);
  REQUIRE(order.has_value());
  CHECK(*order == std::vector<std::uint32_t>{2, 0, 1});
  CHECK(claimed.arranged(*order) == claimed.added_as(arrivals));
  OutputArrivals turned = arrivals;  // the second output the other way round
  std::reverse(turned.places.begin() + rows.row_begin[1], turned.places.end());
  CHECK_FALSE(claimed.unit_order(turned).has_value());
  OutputArrivals swapped = arrivals;  // two of one unit
  std::swap(swapped.places[0], swapped.places[1]);
  CHECK_FALSE(claimed.unit_order(swapped).has_value());
}

TEST_CASE("captures carry the runs of every kernel with many outputs") {
  Capture capture{{{"device", "host"}}, {}, {}};
  for (const Executor& executor : with_outputs())
    for (const Format format : executor.kernel->formats)
      for (std::size_t shape = 0; shape < executor.kernel->shapes.size(); ++shape)
        for (const std::size_t n : {1U, 40U, 700U})
          for (const bool record : {false, true})
            if (!record || executor.kernel->unit != ArrivalUnit::none)
              capture.runs.push_back(captured(executor.kernel->name, format, n, record, shape, n));
  const std::string text = write_capture(capture);
  CHECK(text.starts_with("orderlab capture 2\n"));
  const Capture same = read_capture(text, "c");
  const std::vector<VerifiedRun> runs = verify(same, "c", known_kernels(), {});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const CapturedRun& run = same.runs[i];
    INFO(run.kernel, " ", info(run.format).name, " n=", run.n, ": ", runs[i].problem);
    const bool open = run.kernel != "index_add_small" && run.kernel != "inclusive_scan";
    CHECK_FALSE(runs[i].mismatch);
    CHECK(runs[i].verdict == (run.kernel == "index_add_small"  ? RunVerdict::identical
                              : !open || !run.returned.empty() ? RunVerdict::replayed
                                                               : RunVerdict::explained));
  }
}

TEST_CASE("the capture of host runs kept among the tests is what the kernels give") {
  Capture capture{{{"device", "none: the host executor"}}, {}, {}};
  for (const Executor& executor : with_outputs()) {
    const std::string_view name = executor.kernel->name;
    capture.runs.push_back(captured(name, Format::fp32, 40, executor.kernel->unit != ArrivalUnit::none));
    capture.runs.push_back(captured(name, Format::fp64, 40, false));
  }
  capture.runs.push_back(captured("inclusive_scan", Format::fp32, 900, false));
  std::ifstream file(ORDERLAB_TEST_CAPTURES "/outputs.capture");
  const std::string kept{std::istreambuf_iterator<char>(file), {}};
  CHECK(kept == write_capture(capture));
}

TEST_CASE("a changed bit of a captured output is a mismatch that names the output") {
  for (const std::string_view name : {"index_add_small", "index_add_large", "scatter_add", "inclusive_scan"}) {
    const bool atomic = on_host(name).kernel->unit != ArrivalUnit::none;
    CapturedRun run = captured(name, Format::fp32, 300, atomic);
    run.outputs[1] ^= 1;
    const VerifiedRun one = verdict_on(run);
    CAPTURE(name);
    CHECK(one.mismatch);
    CHECK(one.verdict == RunVerdict::impossible);
    CHECK(one.output == 1);
    CHECK(one.captured == run.outputs[1]);
  }
  CapturedRun run = captured("scatter_add", Format::fp32, 300, false);  // no record: no order gives it
  run.outputs[1] ^= 1U << 30;
  CHECK(verdict_on(run).verdict == RunVerdict::impossible);
}

TEST_CASE("runs that no kernel with many outputs can make are refused") {
  const CapturedRun good = captured("scatter_add", Format::fp32, 300, true);
  const auto with = [&](const std::function<void(CapturedRun&)>& change) {
    CapturedRun run = good;
    change(run);
    return run;
  };
  CHECK(refusal_of(with([](CapturedRun& run) { run.kernel = "spa"; })).find("has one sum") != std::string::npos);
  CHECK(refusal_of(with([](CapturedRun& run) { run.looked_back = {1}; })).find("is no scan") != std::string::npos);
  CHECK(refusal_of(with([](CapturedRun& run) { run.with_seed = 1; })).find("adds no products") != std::string::npos);
  CHECK(refusal_of(with([](CapturedRun& run) { run.outputs.clear(); })).find("a line of outputs") != std::string::npos);
  CHECK(refusal_of(with([](CapturedRun& run) { run.shape.threads = 0; })).find("at least 1") != std::string::npos);
  CapturedRun sum{.kernel = "scatter_add", .format = Format::fp32, .n = 3, .shape = {128, 4}, .input = "constant(1)"};
  CHECK(refusal_of(sum).find("has many outputs") != std::string::npos);
  CapturedRun scan = captured("inclusive_scan", Format::fp64, 700, false);
  scan.looked_back[0] = 2;
  CHECK(verdict_on(scan).problem == "tile 1 looked back 2 tiles; it must be 1 to 1");
}
