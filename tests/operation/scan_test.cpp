// Scans: against tiles that take turns at random, against golden bits of an emulation of CUB, against exact prefix sums
// and against PyTorch's two other kernels written out.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "operation/exact_outputs.hpp"
#include "operation/look_back_by_threads.hpp"
#include "operation/scan_outputs.hpp"
#include "operation/scan_search.hpp"
#include "operation/some_operations.hpp"
#include "operation/tile_scan.hpp"
#include "order/cub_golden.hpp"
#include "orderlab/exact.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

template <class T>
std::shared_ptr<LoweredOperation> scan_of(const std::string& text, const std::vector<T>& terms, Shape shape = {},
                                          Format result = kFormatOf<T>) {
  if (shape.empty()) shape = {terms.size()};
  const Format format = kFormatOf<T>;
  Tensor source{shape, Terms(format, terms.size())};
  std::copy(terms.begin(), terms.end(), reinterpret_cast<T*>(source.terms.bytes().data()));
  OperationInputs inputs{std::move(source), std::nullopt, std::nullopt, std::nullopt, {format, format, result}};
  return std::make_shared<LoweredOperation>(lower(parse_operation(text), std::move(inputs)));
}

template <class T>
std::vector<std::uint64_t> bits_of_all(const Terms& outputs) {
  std::vector<std::uint64_t> bits;
  for (std::size_t i = 0; i < outputs.size(); ++i) bits.push_back(bits_of(static_cast<const T*>(outputs.view().x)[i]));
  return bits;
}

template <class T>
Terms launch_of(const std::string& text, const std::vector<T>& terms, const Shape& shape = {}) {
  const auto sums = OutputSums::make(scan_of(text, terms, shape), parse_arrival("launch"), {});
  return sums->launch();
}

template <class T>
std::vector<T> some_terms(std::uint64_t seed, std::size_t n, Trouble trouble) {
  const std::vector<double> numbers = troublesome_numbers(seed, kFormatOf<T>, trouble, n);
  std::vector<T> terms;
  for (const double x : numbers) terms.push_back(round_to<T>(x));
  return terms;
}

/// NaN has many bits, which the result makes one.
template <class T>
std::uint64_t bits(T x) {
  return std::isnan(static_cast<double>(x)) ? round_to_bits(kFormatOf<T>, std::nan("")) : bits_of(x);
}

template <class T>
std::size_t compare_with_threads(std::uint64_t seed) {
  IndexGenerator draw(RandomStream(seed, 81, 0), 0);
  const Trouble trouble = kTroubles[seed % std::size(kTroubles)];
  ScanByThreads<T> by_threads;
  by_threads.threads = 32 * (1 + below(draw, 3));
  by_threads.items = 1 + below(draw, 5);
  by_threads.exclusive = chance(draw, 2);
  const std::size_t tile = by_threads.threads * by_threads.items;
  by_threads.terms = some_terms<T>(seed, 1 + below(draw, tile * (1 + below(draw, 120))), trouble);
  by_threads.run(draw);

  auto operation = scan_of<T>(by_threads.exclusive ? "scan(exclusive)" : "scan", by_threads.terms);
  PrefixScan& scan = *operation->scan;
  scan.threads = by_threads.threads;
  scan.items = by_threads.items;
  const TileScan<T> tiles(scan);
  std::vector<T> prefixes(tiles.tiles());
  tiles.find_prefixes(by_threads.distances, prefixes);
  std::vector<T> outputs(tile);
  std::size_t far = 0;
  for (std::size_t t = 0; t < tiles.tiles(); ++t) {
    const std::size_t count = std::min(tile, scan.extent - t * tile);
    tiles.tile_outputs(t, prefixes[t], std::span(outputs).first(count));
    for (std::size_t i = 0; i < count; ++i) REQUIRE(bits(outputs[i]) == bits(by_threads.outputs[t * tile + i]));
    far += by_threads.distances[t] > kLookbackWindow ? 1U : 0U;
  }
  CHECK(bits(tiles.last_output(prefixes.back())) == bits(by_threads.outputs.back()));

  // What was done in some order of turns is found again from the outputs alone.
  Terms actual(kFormatOf<T>, scan.extent);
  std::copy(by_threads.outputs.begin(), by_threads.outputs.end(), reinterpret_cast<T*>(actual.bytes().data()));
  const ScanSearch found = search_lookback(*operation, actual);
  CHECK(found.complete);
  CHECK(found.wrong.empty());
  tiles.find_prefixes(found.distances, prefixes);
  for (std::size_t t = 0; t < tiles.tiles(); ++t) {
    const std::size_t count = std::min(tile, scan.extent - t * tile);
    tiles.tile_outputs(t, prefixes[t], std::span(outputs).first(count));
    for (std::size_t i = 0; i < count; ++i) REQUIRE(bits(outputs[i]) == bits(by_threads.outputs[t * tile + i]));
  }
  return far;
}

}  // namespace

TEST_CASE("every output equals that of tiles that take turns at random, in every bit") {
  std::size_t far = 0;
  for (std::uint64_t seed = 0; seed < trials(60); ++seed) {
    CAPTURE(seed);
    far += compare_with_threads<float>(seed);
    far += compare_with_threads<double>(seed);
    far += compare_with_threads<Half>(seed);
    far += compare_with_threads<Bfloat16>(seed);
  }
  CHECK(far > 0);  // look-back past one window
}

TEST_CASE("golden bits of an emulation of CUB 3.0.1") {
  const auto last = [](const Terms& outputs) { return outputs.view().left(outputs.size() - 1); };
  const std::vector<float> singles = splitmix_terms<float>(200'000);
  CHECK(bits_of(static_cast<float>(last(launch_of("scan(lookback=fixed(1))", singles)))) == 0xc353738f);
  CHECK(bits_of(static_cast<float>(last(launch_of("scan(lookback=fixed(1e9))", singles)))) == 0xc353738e);
  CHECK(bits_of(static_cast<float>(last(launch_of("scan(lookback=fixed(3))", singles)))) == 0xc3537393);
  CHECK(bits_of(static_cast<float>(last(launch_of("cumsum(lookback=fixed(3),outputs=last)", singles)))) == 0xc3537393);
  const Terms all = launch_of("cumsum", singles);
  CHECK(bits_of(static_cast<float>(all.view().left(23))) == 0xc02e2a61);
  CHECK(bits_of(static_cast<float>(all.view().left(1000))) == 0xc1a64477);
  CHECK(bits_of(static_cast<float>(all.view().left(3071))) == 0x40f93397);
  const std::vector<double> doubles = splitmix_terms<double>(200'000);
  CHECK(bits_of(last(launch_of("scan(lookback=fixed(1))", doubles))) == 0xc06a6e71eb66f8c4);
  CHECK(bits_of(last(launch_of("scan(lookback=fixed(1e9))", doubles))) == 0xc06a6e71eb66f8c2);
}

TEST_CASE("distances of one and two tiles give the bits of one chain; three may not") {
  const std::vector<float> terms = splitmix_terms<float>(100'000);
  const auto chain = bits_of_all<float>(launch_of("cumsum(lookback=fixed(1))", terms));
  CHECK(bits_of_all<float>(launch_of("cumsum(lookback=fixed(2))", terms)) == chain);
  CHECK(bits_of_all<float>(launch_of("cumsum(lookback=fixed(3))", terms)) != chain);
  CHECK(bits_of_all<float>(chained_scan(*scan_of("cumsum", terms))) == chain);
  const auto mixed = OutputSums::make(scan_of("cumsum(lookback=uniform(1,2))", terms), parse_arrival("launch"), {});
  const auto scratch = mixed->make_scratch();
  std::vector<std::byte> results(mixed->result_bytes());
  mixed->evaluate(0, results, *scratch);
  CHECK(all_bits(*mixed, results) == chain);
}

TEST_CASE("uniform look-back draws every distance equally often, at most to the first tile") {
  constexpr std::size_t kTiles = 40;
  const LookbackCall call = parse_lookback("uniform(3,8)");
  std::vector<std::uint32_t> arrival(kTiles);
  std::vector<std::uint32_t> distances(kTiles);
  std::vector<std::uint64_t> counts(6);
  for (std::uint64_t sample = 0; sample < 5000; ++sample) {
    call.model->draw(*call.arguments, RandomStream(1, streams::kFirstStage, sample), arrival, distances);
    for (std::size_t t = 0; t < 4; ++t) CHECK(distances[t] == std::min<std::size_t>(t, 3));
    REQUIRE(distances[20] >= 3);
    REQUIRE(distances[20] <= 8);
    ++counts[distances[20] - 3];
  }
  for (const std::uint64_t count : counts)  // binomial: mean 833.3, sd 26.4; six of them are left once in 5e8
    CHECK(std::fabs(static_cast<double>(count) - 5000.0 / 6) < 6 * 26.4);
  CHECK_THROWS(parse_lookback("uniform(3,2)"));
}

TEST_CASE("look-back by arrival: no delay is one chain, a tile that is late is waited for") {
  const auto distances = [](const std::string& model, std::vector<std::uint32_t> arrival) {
    const LookbackCall call = parse_lookback(model);
    std::vector<std::uint32_t> result(arrival.size());
    call.model->draw(*call.arguments, std::nullopt, arrival, result);
    return result;
  };
  using List = std::vector<std::uint32_t>;
  CHECK(distances("arrival(0)", {0, 1, 2, 3, 4}) == List{0, 1, 1, 1, 1});
  // Tile 1 comes last: those after it wait for it; with no delay each reads the inclusive sum of the one before.
  CHECK(distances("arrival(0)", {0, 2, 3, 4, 1}) == List{0, 1, 1, 1, 1});
  // With a delay none of them has been published when tile 1 arrives, but that of tile 0.
  CHECK(distances("arrival(1)", {0, 2, 3, 4, 1}) == List{0, 1, 2, 3, 4});
  // Tile t reads at time t; tile t - 3 has published at time t, but t - 1 and t - 2 have not.
  CHECK(distances("arrival(3)", {0, 1, 2, 3, 4, 5, 6, 7}) == List{0, 1, 2, 3, 3, 3, 3, 3});
}

TEST_CASE("outputs of samples that cannot vary do not, and exact ones are found") {
  const std::vector<float> terms = splitmix_terms<float>(30'000);
  const auto operation = scan_of("cumsum(lookback=uniform(1,9))", terms);
  const auto sums = OutputSums::make(operation, parse_arrival("uniform"), DrawPath{.seed = 2});
  REQUIRE(!sums->varying().empty());
  CHECK(sums->varying().front() == 3 * operation->scan->tile());
  CHECK(fate_of(*operation, 9000) == OutputFate::first_tiles);
  std::vector<float> whole(30'000);
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<float>(i % 100);
  const auto exact = scan_of("cumsum(lookback=uniform(1,9))", whole);
  CHECK(OutputSums::make(exact, parse_arrival("uniform"), {})->varying().empty());
  CHECK(fate_of(*exact, 29'000) == OutputFate::exact);
  whole[29'999] = 0.37F;  // past 2^20 units of 2^-4: no partial sum with it is exact
  const auto last = scan_of("cumsum(lookback=uniform(1,9))", whole);
  CHECK(OutputSums::make(last, parse_arrival("uniform"), {})->varying().size() == 1);
  const auto fixed = scan_of("cumsum(lookback=fixed(9))", terms);
  CHECK(OutputSums::make(fixed, parse_arrival("uniform"), {})->varying().empty());
}

TEST_CASE("the last output alone is that of all outputs, in every sample") {
  const std::vector<double> terms = splitmix_terms<double>(50'001);
  for (const char* lookback : {"uniform(1,32)", "arrival(7)"}) {
    const std::string model = std::string("lookback=") + lookback;
    const auto all = OutputSums::make(scan_of("cumsum(" + model + ")", terms), parse_arrival("jitter(3)"), {});
    const auto last =
        OutputSums::make(scan_of("cumsum(" + model + ",outputs=last)", terms), parse_arrival("jitter(3)"), {});
    const auto scratch = all->make_scratch();
    const auto scratch_of_last = last->make_scratch();
    std::vector<std::byte> results(all->result_bytes());
    std::vector<std::byte> result(last->result_bytes());
    REQUIRE(last->varying().size() == 1);
    std::set<std::uint64_t> seen;
    for (std::uint64_t sample = 0; sample < 30; ++sample) {
      all->evaluate(sample, results, *scratch);
      last->evaluate(sample, result, *scratch_of_last);
      const std::uint64_t bits = all_bits(*last, result).front();
      CHECK(all_bits(*all, results).back() == bits);
      seen.insert(bits);
    }
    CHECK(seen.size() > 1);
  }
}

namespace {

template <class T>
void check_exact_prefixes(const std::string& text, const std::vector<T>& terms, const Shape& shape = {},
                          Format format = kFormatOf<T>) {
  const auto operation = scan_of(text, terms, shape, format);
  const PrefixScan& scan = *operation->scan;
  const ExactRows exact = exact_outputs(*operation);
  for (std::size_t line = 0; line < terms.size() / scan.extent; ++line) {
    const std::size_t first = line / scan.stride * scan.stride * scan.extent + line % scan.stride;
    ExactSum sum;
    ExactSum magnitudes;
    for (std::size_t i = 0; i < scan.extent; ++i) {
      const std::size_t r = first + i * scan.stride;
      const auto term = static_cast<double>(terms[scan.exclusive ? r - scan.stride : r]);
      const double added = scan.exclusive && i == 0 ? 0 : term;
      sum.add(added);
      magnitudes.add(std::fabs(added));
      const ExactValue value = sum.value();
      const double high = value.to_double();
      const double magnitude = magnitudes.value().to_double();
      const double unit = value.zero() ? info(format).unit_roundoff() * magnitude : 0;
      CAPTURE(i);
      REQUIRE(bits(exact.high[r]) == bits(high));
      REQUIRE(bits(exact.low[r]) == bits(value.finite() && std::isfinite(high) ? 0.0 - value.difference(high) : 0.0));
      REQUIRE(bits(exact.magnitude[r]) == bits(magnitude));
      REQUIRE(bits(exact.ulp[r]) == bits(!value.finite() ? std::nan("")
                                         : unit > 0      ? unit
                                                         : power_of_two(value.ulp_exponent(format))));
      REQUIRE(round_to_bits(format, exact.rounded.view().left(r)) == value.round_to(format));
    }
  }
}

template <class T>
void check_exact_prefixes_of_trouble(std::uint64_t seed) {
  const Trouble trouble = kTroubles[seed % std::size(kTroubles)];
  check_exact_prefixes("scan", some_terms<T>(seed, 300, trouble));
  check_exact_prefixes("scan(exclusive)", some_terms<T>(seed + 1, 300, trouble));
  check_exact_prefixes("cumsum(dim=0)", some_terms<T>(seed + 2, 300, trouble), {60, 5});
  check_exact_prefixes("cumsum(dim=1)", some_terms<T>(seed + 3, 300, trouble), {3, 100});
  for (const Format result : {Format::fp64, Format::fp32, Format::fp16, Format::bf16})
    check_exact_prefixes("scan", some_terms<T>(seed + 4, 300, trouble), {}, result);
}

}  // namespace

TEST_CASE("exact prefix sums are those of an accumulator, in chains of doubles or not") {
  for (std::uint64_t seed = 0; seed < trials(40); ++seed) {
    CAPTURE(seed);
    check_exact_prefixes_of_trouble<double>(seed);
    check_exact_prefixes_of_trouble<float>(seed);
    check_exact_prefixes_of_trouble<Half>(seed);
    check_exact_prefixes_of_trouble<Bfloat16>(seed);
  }
}

TEST_CASE("exact prefix sums, of which parts begin in the middle of a line") {
  for (const Trouble trouble : kTroubles)
    for (const char* text : {"scan", "scan(exclusive)"})
      check_exact_prefixes(text, some_terms<double>(3, 70'000, trouble));
}

TEST_CASE("the exact result of the last output alone is that of all outputs") {
  for (const Trouble trouble : kTroubles)
    for (const char* text : {"cumsum", "scan(exclusive)"})
      for (const std::size_t n : {1U, 2U, 300U}) {
        CAPTURE(text);
        CAPTURE(n);
        const std::vector<float> terms = some_terms<float>(4, n, trouble);
        const std::string with_last =
            std::string(text) == "cumsum" ? "cumsum(outputs=last)" : "scan(exclusive,outputs=last)";
        const ExactRows all = exact_outputs(*scan_of(text, terms));
        const ExactRows last = exact_outputs(*scan_of(with_last, terms));
        CHECK(bits(last.high[0]) == bits(all.high.back()));
        CHECK(bits(last.low[0]) == bits(all.low.back()));
        CHECK(bits(last.ulp[0]) == bits(all.ulp.back()));
        CHECK(bits(last.magnitude[0]) == bits(all.magnitude.back()));
        CHECK(bits(last.rounded.view().left(0)) == bits(all.rounded.view().left(n - 1)));
      }
}

TEST_CASE("parts of samples are the samples, tile by tile of a scan") {
  const std::vector<float> terms = some_terms<float>(5, 20'000, Trouble::near_one);
  std::vector<std::shared_ptr<const LoweredOperation>> operations;
  for (const char* text : {"cumsum", "scan(exclusive)", "scan(tile=96,threads=32)", "cumsum(outputs=last)"})
    operations.push_back(scan_of(text, terms));
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    operations.push_back(some_operation("index_add", Format::fp32, Trouble::near_one, seed));
  std::size_t varying = 0;
  for (const auto& operation : operations) {
    CAPTURE(operation->text);
    const auto sums = OutputSums::make(operation, parse_arrival("uniform"), {});
    const auto scratch = sums->make_scratch();
    const std::size_t size = info(sums->result_format()).held_bytes();
    varying += sums->varying().size();
    constexpr std::size_t kSamples = 5;
    std::vector<std::vector<std::byte>> whole(kSamples, std::vector<std::byte>(sums->result_bytes()));
    for (std::size_t s = 0; s < kSamples; ++s) sums->evaluate(7 + s, whole[s], *scratch);
    std::vector<std::vector<std::byte>> parts(kSamples);
    std::size_t begin = 0;
    sums->evaluate_parts(7, kSamples, *scratch, [&](auto results) {
      REQUIRE(results.size() == kSamples);
      const std::size_t end = sums->part_end(begin);
      for (std::size_t s = 0; s < kSamples; ++s) {
        REQUIRE(results[s].size() == (end - begin) * size);
        parts[s].insert(parts[s].end(), results[s].begin(), results[s].end());
      }
      begin = end;
    });
    CHECK(begin == sums->varying().size());
    CHECK(parts == whole);
  }
  CHECK(varying > terms.size());
}

TEST_CASE("rows by Sklansky's network and columns in turn, as the kernels are written") {
  for (std::uint64_t seed = 0; seed < trials(12); ++seed) {
    IndexGenerator draw(RandomStream(seed, 82, 0), 0);
    const std::size_t rows = 2 + below(draw, 40);
    const std::size_t columns = 2 + below(draw, 700);
    const std::vector<float> terms = some_terms<float>(seed, rows * columns, kTroubles[seed % std::size(kTroubles)]);
    const auto along_rows = scan_of("cumsum(dim=1)", terms, {rows, columns});
    CHECK(along_rows->launch.kernel == "tensor_kernel_scan_innermost_dim");
    const std::size_t threads = along_rows->scan->width / 2;
    CHECK(std::has_single_bit(threads));
    CHECK(threads >= 16);
    CHECK(threads <= 512);
    const Terms by_network = launch_of("cumsum(dim=1)", terms, {rows, columns});
    const Terms in_turn = launch_of("cumsum(dim=0)", terms, {rows, columns});
    std::vector<float> buffer(2 * threads);
    for (std::size_t r = 0; r < rows; ++r) {
      float total = 0;
      for (std::size_t block = 0; block < columns; block += 2 * threads) {
        for (std::size_t i = 0; i < 2 * threads; ++i)
          buffer[i] = block + i < columns ? terms[r * columns + block + i] : 0.0F;
        buffer[0] = buffer[0] + total;
        for (std::uint32_t m = 0; (std::size_t{1} << m) <= threads; ++m)
          for (std::uint32_t x = 0; x < threads; ++x) {  // a thread each, of which none reads what another writes
            const std::uint32_t a = ((x >> m) << (m + 1)) | (1U << m);
            const std::uint32_t to = a + x % (1U << m);
            buffer[to] = buffer[to] + buffer[a - 1];
          }
        for (std::size_t i = 0; i < 2 * threads && block + i < columns; ++i)
          REQUIRE(bits(static_cast<float>(by_network.view().left(r * columns + block + i))) == bits(buffer[i]));
        total = buffer.back();
      }
    }
    for (std::size_t c = 0; c < columns; ++c) {
      float sum = 0;
      for (std::size_t r = 0; r < rows; ++r) {
        sum = sum + terms[r * columns + c];
        REQUIRE(bits(static_cast<float>(in_turn.view().left(r * columns + c))) == bits(sum));
      }
    }
  }
}

TEST_CASE("threads of a row, worked out by hand from PyTorch's rule") {
  const auto width = [](const Shape& shape) {
    return scan_of("cumsum(dim=1)", std::vector<float>(element_count(shape)), shape)->scan->width;
  };
  CHECK(width({1000, 1000}) == 2 * 16);   // (9 + 10 - 10) / 2 = 4
  CHECK(width({2, 100'000}) == 2 * 512);  // (9 + 17 - 1) / 2 = 12, at most 9
  CHECK(width({4, 64}) == 2 * 64);        // (9 + 6 - 2) / 2 = 6
  CHECK(width({100'000, 2}) == 2 * 16);   // at least 4
}

TEST_CASE("a search for look-back names the outputs that were changed") {
  const std::vector<float> terms = splitmix_terms<float>(40'000);
  const auto operation = scan_of("cumsum", terms);
  Terms actual = launch_of("cumsum(lookback=fixed(5))", terms);
  actual.set(20'000, std::nextafter(static_cast<float>(actual.view().left(20'000)), 1e9F));
  const ScanSearch found = search_lookback(*operation, actual);
  CHECK(found.wrong == std::vector<std::uint32_t>{20'000});
  CHECK(found.distances[20'000 / operation->scan->tile()] == 0);
  CHECK(bits_of_all<float>(found.nearest) == bits_of_all<float>(launch_of("cumsum(lookback=fixed(5))", terms)));
}

TEST_CASE("scans refuse what they cannot do") {
  const std::vector<float> terms(12, 1.0F);
  const auto problem = [&](const std::string& text, const Shape& shape) -> std::string {
    try {
      scan_of(text, terms, shape);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  CHECK(problem("cumsum(dim=2)", {3, 4}).find("dim") != std::string::npos);
  CHECK(problem("cumsum(outputs=last)", {3, 4}).find("one line") != std::string::npos);
  CHECK(problem("scan", {3, 4}).find("one dimension") != std::string::npos);
  CHECK(problem("cumsum(lookback=nearest)", {12}).find("no such look-back model") != std::string::npos);
  CHECK(problem("cumsum(lookback=fixed(0))", {12}).find("at least 1") != std::string::npos);
}

namespace {

/// The sum that the prefix of tile t is, where tile k adds up to x[k]: neighbours in a tree of a warp, the tiles before
/// t from the nearest on, the sum of all up to the anchor last.
float anchored_prefix(const std::vector<float>& x, std::size_t t, std::size_t every) {
  const std::size_t anchor = (t - 1) / every * every;
  std::vector<float> before;
  for (std::size_t k = t; k-- > anchor + 1;) before.push_back(x[k]);
  before.push_back(anchor == 0 ? x[0] : anchored_prefix(x, anchor, every) + x[anchor]);
  while (before.size() > 1) {
    std::vector<float> pairs;
    for (std::size_t i = 0; i < before.size(); i += 2)
      pairs.push_back(i + 1 < before.size() ? before[i] + before[i + 1] : before[i]);
    before = pairs;
  }
  return before[0];
}

}  // namespace

TEST_CASE("a scan with anchors adds the tiles since the last anchor in a tree, and the sum up to the anchor last") {
  constexpr std::size_t kTiles = 100;
  constexpr std::size_t kTile = 64;
  const std::vector<float> x = some_terms<float>(5, kTiles, Trouble::cancelling);
  std::vector<float> terms(kTiles * kTile, 0.0F);
  for (std::size_t t = 0; t < kTiles; ++t) terms[t * kTile] = x[t];
  for (const std::size_t every : {1U, 4U, 32U}) {
    const std::string text =
        "scan(lookback=anchors(" + std::to_string(every) + "),tile=" + std::to_string(kTile) + ",threads=32)";
    const Terms outputs = launch_of(text, terms);
    for (std::size_t t = 1; t < kTiles; ++t) {
      CAPTURE(t);
      const float expected = anchored_prefix(x, t, every) + x[t];
      CHECK(bits(static_cast<float>(outputs.view().left((t + 1) * kTile - 1))) == bits(expected));
    }
  }
  CHECK(scan_of("scan(lookback=anchors)", terms)->launch.guarantee == Guarantee::run_to_run);
}

TEST_CASE("a scan has the tile that is asked for") {
  const std::vector<float> singles = splitmix_terms<float>(20'000);
  const auto usual = bits_of_all<float>(launch_of("scan(lookback=fixed(3))", singles));
  CHECK(bits_of_all<float>(launch_of("scan(lookback=fixed(3),tile=3072)", singles)) == usual);
  CHECK(bits_of_all<float>(launch_of("scan(lookback=fixed(3),tile=2048)", singles)) != usual);
  const std::vector<double> doubles = splitmix_terms<double>(20'000);
  const auto wide = bits_of_all<double>(launch_of("scan(lookback=fixed(3))", doubles));
  CHECK(bits_of_all<double>(launch_of("scan(lookback=fixed(3),tile=2688,threads=224)", doubles)) == wide);
  const auto operation = scan_of("scan(tile=2048)", singles);
  CHECK(operation->scan->threads == 128);
  CHECK(operation->scan->items == 16);
  CHECK(operation->scan->tiles() == 10);
  for (const char* text : {"scan(tile=2049)", "scan(tile=2048,threads=48)", "scan(tile=32,threads=64)",
                           "scan(tile=8320)", "scan(threads=64)"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(scan_of(text, singles), Error);
  }
}

TEST_CASE("Kahan's scan keeps what a scan in turn loses") {
  std::vector<float> terms(4097, 0x1p-24F);
  terms[0] = 1;
  const auto operation = scan_of("scan", terms);
  CHECK(kahan_scan(*operation).view().left(4096) == 1 + 0x1p-12);
  const auto in_turn = OutputSums::make(in_form(*operation, PrefixScan::Form::in_turn, 0), {}, {});
  CHECK(in_turn->launch().view().left(4096) == 1);
  CHECK(count_kahan_scan(*operation).additions == 4 * 4096 + 1);  // the first term meets zeros
}
