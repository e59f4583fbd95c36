#include "operation/scan_outputs.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "operation/tile_scan.hpp"
#include "operation/unit_orders.hpp"
#include "order/resolve.hpp"
#include "vectors/slices.hpp"

namespace orderlab {

namespace {

template <class T>
struct TileScratch : OutputSums::Scratch {
  TileScratch(std::size_t tiles, std::size_t tile) : order(tiles), distances(tiles), prefixes(tiles), outputs(tile) {
    std::iota(order.begin(), order.end(), 0U);
  }
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> distances;
  std::vector<T> prefixes;
  std::vector<T> outputs;  ///< outputs of one tile

  // Of evaluate_parts, for each sample.
  std::vector<std::vector<T>> all_prefixes;
  std::vector<std::vector<std::byte>> parts;  ///< results of one tile
};

/// Outputs from the first that some look-back may change on.
template <class T>
class ScanOutputs : public OutputSums {
 public:
  ScanOutputs(std::shared_ptr<const LoweredOperation> operation, std::optional<UnitOrders> orders, std::uint64_t key)
      : OutputSums(operation, Terms(operation->formats.result, operation->outputs()), {}),
        tiles_(*operation->scan),
        orders_(std::move(orders)),
        key_(key) {
    TileScratch<T> scratch(tiles_.tiles(), scan().tile());
    add(std::nullopt, launch_.bytes(), 0, scratch);
    each_in_pass(operation->outputs(), [&](std::size_t r) {
      if (fate_of(*operation, r) == OutputFate::varies) varying_.push_back(static_cast<std::uint32_t>(r));
    });
  }

  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<TileScratch<T>>(tiles_.tiles(), scan().tile());
  }

  void evaluate(std::uint64_t sample, std::span<std::byte> results, Scratch& scratch) const override {
    if (varying_.empty()) return;
    auto& mine = static_cast<TileScratch<T>&>(scratch);
    if (orders_) orders_->draw(sample, mine.order);
    add(RandomStream(key_, streams::kFirstStage, sample), results, varying_.front(), mine);
  }

  void evaluate_arranged(std::span<const std::uint32_t> order, std::span<std::byte> results,
                         Scratch& scratch) const override {
    if (!orders_) return OutputSums::evaluate_arranged(order, results, scratch);
    if (varying_.empty()) return;
    auto& mine = static_cast<TileScratch<T>&>(scratch);
    mine.order.assign(order.begin(), order.end());
    add(std::nullopt, results, varying_.front(), mine);
  }

  std::size_t part_end(std::size_t begin) const override {
    if (scan().last_only) return OutputSums::part_end(begin);
    const std::size_t next = (varying_[begin] / scan().tile() + 1) * scan().tile();
    return std::min(begin + next - varying_[begin], varying_.size());
  }

  /// A tile is a part.
  void evaluate_parts(std::uint64_t first, std::size_t samples, Scratch& scratch, const EachPart& each) const override {
    const FloatEnvironment environment;
    if (scan().last_only || varying_.empty()) return OutputSums::evaluate_parts(first, samples, scratch, each);
    auto& mine = static_cast<TileScratch<T>&>(scratch);
    const std::size_t tile_bytes = scan().tile() * info(result_format()).held_bytes();
    mine.all_prefixes.resize(samples, std::vector<T>(tiles_.tiles()));
    mine.parts.resize(samples, std::vector<std::byte>(tile_bytes));
    for (std::size_t s = 0; s < samples; ++s) {
      if (orders_) orders_->draw(first + s, mine.order);
      find_prefixes(RandomStream(key_, streams::kFirstStage, first + s), mine, mine.all_prefixes[s]);
    }
    std::vector<std::span<const std::byte>> results(samples);
    each_in_pass(
        tiles_.tiles() - varying_.front() / scan().tile(),
        [&](std::size_t k) {
          const std::size_t t = varying_.front() / scan().tile() + k;
          for (std::size_t s = 0; s < samples; ++s)
            with_results(*operation_, mine.parts[s], [&](auto* to) {
              const std::size_t count = store_tile(t, mine.all_prefixes[s][t], varying_.front(), mine.outputs, to);
              results[s] = std::span(mine.parts[s]).first(count * sizeof(*to));
            });
          each(results);
        },
        samples * scan().tile());
  }

 private:
  const PrefixScan& scan() const { return *operation_->scan; }

  void find_prefixes(const std::optional<RandomStream>& stream, TileScratch<T>& scratch, std::span<T> prefixes) const {
    scan().lookback.model->draw(*scan().lookback.arguments, stream, scratch.order, scratch.distances);
    tiles_.find_prefixes(scratch.distances, prefixes);
  }

  template <class R>
  static R stored(T sum) {
    return canonical(round_to<R>(static_cast<double>(sum)));
  }

  /// Stores the outputs of tile t from output `first` on; returns how many. `outputs` is memory for a tile.
  template <class R>
  std::size_t store_tile(std::size_t t, T prefix, std::size_t first, std::span<T> outputs, R* to) const {
    const std::size_t begin = t * scan().tile();
    outputs = outputs.first(std::min(outputs.size(), scan().extent - begin));
    tiles_.tile_outputs(t, prefix, outputs);
    const std::span<const T> kept = outputs.subspan(first > begin ? first - begin : 0);
    if constexpr (std::is_same_v<R, T> && std::is_floating_point_v<T>)
      copy_canonical(to, kept.data(), kept.size());
    else
      for (std::size_t i = 0; i < kept.size(); ++i) to[i] = stored<R>(kept[i]);
    return kept.size();
  }

  /// Stores outputs `first`, first + 1, ...
  void add(const std::optional<RandomStream>& stream, std::span<std::byte> results, std::size_t first,
           TileScratch<T>& scratch) const {
    find_prefixes(stream, scratch, scratch.prefixes);
    with_results(*operation_, results, [&](auto* to) {
      using R = std::remove_pointer_t<decltype(to)>;
      if (scan().last_only) {
        to[0] = stored<R>(tiles_.last_output(scratch.prefixes.back()));
        return;
      }
      const std::size_t first_tile = first / scan().tile();
      each_in_pass(tiles_.tiles() - first_tile, [&](std::size_t k) {
        to += store_tile(first_tile + k, scratch.prefixes[first_tile + k], first, scratch.outputs, to);
      });
    });
  }

  TileScan<T> tiles_;
  std::optional<UnitOrders> orders_;
  std::uint64_t key_;
};

// ---- Scans of fixed orders

/// Sums 2 * pairs numbers: after step s, number i of a group of 2s is the sum of those up to it in the group.
template <class T>
void sklansky(std::span<T> numbers) {
  for (std::size_t s = 1; 2 * s <= numbers.size(); s *= 2)
    for (std::size_t group = 0; group < numbers.size(); group += 2 * s)
      for (std::size_t i = 0; i < s; ++i) numbers[group + s + i] = numbers[group + s + i] + numbers[group + s - 1];
}

template <class T>
void scan_line_by_network(const PrefixScan& scan, const T* line, T* sums) {
  std::vector<T> numbers(scan.width);
  T total(0.0);
  each_in_pass((scan.extent + scan.width - 1) / scan.width, [&](std::size_t k) {
    const std::size_t first = k * scan.width;
    const std::size_t count = std::min(scan.width, scan.extent - first);
    std::fill(std::copy(line + first, line + first + count, numbers.begin()), numbers.end(), T(0.0));
    numbers[0] = numbers[0] + total;
    sklansky<T>(numbers);
    std::copy(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count), sums + first);
    total = numbers.back();
  });
}

template <class T>
void scan_line_in_turn(const PrefixScan& scan, const T* line, T* sums) {
  T sum(0.0);
  each_in_pass(scan.extent, [&](std::size_t k) {
    const std::size_t i = k * scan.stride;
    sums[i] = sum = sum + line[i];
  });
}

template <class T>
void scan_line_by_kahan(const T* line, std::span<T> sums) {
  T sum(0.0);
  T lost(0.0);
  each_in_pass(sums.size(), [&](std::size_t i) {
    const T term = line[i] - lost;
    const T next = sum + term;
    lost = (next - sum) - term;
    sums[i] = sum = next;
  });
}

template <class T>
Terms stored_sums(const LoweredOperation& operation, const std::vector<T>& sums) {
  Terms results(operation.formats.result, sums.size());
  with_results(operation, results.bytes(), [&](auto* to) {
    using R = std::remove_pointer_t<decltype(to)>;
    each_in_pass(sums.size(), [&](std::size_t r) { to[r] = canonical(round_to<R>(static_cast<double>(sums[r]))); });
  });
  return results;
}

template <class T>
Terms scan_lines(const LoweredOperation& operation) {
  const PrefixScan& scan = *operation.scan;
  const T* const terms = static_cast<const T*>(scan.terms.view().x);
  std::vector<T> sums(scan.terms.size());
  const std::size_t of_block = scan.extent * scan.stride;
  for (std::size_t begin = 0; begin < sums.size(); begin += of_block)
    for (std::size_t i = 0; i < scan.stride; ++i) {
      if (scan.form == PrefixScan::Form::network)
        scan_line_by_network(scan, terms + begin + i, sums.data() + begin + i);
      else
        scan_line_in_turn(scan, terms + begin + i, sums.data() + begin + i);
    }
  return stored_sums(operation, sums);
}

// ---- Additions

/// A number that knows only how many additions made it. Counts them, but for those of +0.
struct Depth {
  Depth() = default;
  explicit Depth(double) : zero(true) {}
  std::uint64_t height = 0;
  bool zero = false;

  friend Depth operator+(Depth a, Depth b) {
    if (a.zero) return b;
    if (b.zero) return a;
    ++made;
    Depth sum;
    sum.height = std::max(a.height, b.height) + 1;
    return sum;
  }

  friend Depth operator-(Depth a, Depth b) { return a + b; }

  static thread_local std::uint64_t made;
};
thread_local std::uint64_t Depth::made = 0;

std::uint64_t greatest_height(std::span<const Depth> numbers) {
  std::uint64_t height = 0;
  for (const Depth& number : numbers) height = std::max(height, number.height);
  return height;
}

std::uint64_t height_of_tiles(const PrefixScan& scan) {
  const std::vector<Depth> terms(scan.extent);
  const TileScan<Depth> tiles(scan, terms.data());
  TileScratch<Depth> scratch(tiles.tiles(), scan.tile());
  scan.lookback.model->draw(*scan.lookback.arguments, std::nullopt, scratch.order, scratch.distances);
  tiles.find_prefixes(scratch.distances, scratch.prefixes);
  if (scan.last_only) return tiles.last_output(scratch.prefixes.back()).height;
  std::uint64_t height = 0;
  each_in_pass(tiles.tiles(), [&](std::size_t t) {
    const std::size_t count = std::min(scan.tile(), scan.extent - t * scan.tile());
    const std::span<Depth> outputs = std::span(scratch.outputs).first(count);
    tiles.tile_outputs(t, scratch.prefixes[t], outputs);
    height = std::max(height, greatest_height(outputs));
  });
  return height;
}

}  // namespace

AdditionCount count_additions(const LoweredOperation& operation) {
  const PrefixScan& scan = *operation.scan;
  const std::uint64_t before = Depth::made;
  AdditionCount count;
  if (scan.form == PrefixScan::Form::tiles) {
    count.height = height_of_tiles(scan);
  } else {
    const std::vector<Depth> line(scan.extent * scan.stride);
    std::vector<Depth> sums(line.size());
    if (scan.form == PrefixScan::Form::network)
      scan_line_by_network(scan, line.data(), sums.data());
    else
      scan_line_in_turn(scan, line.data(), sums.data());
    count.height = greatest_height(sums);
  }
  const std::uint64_t lines = scan.terms.size() / scan.extent;
  count.additions = (Depth::made - before) * lines;
  return count;
}

std::shared_ptr<const LoweredOperation> in_form(const LoweredOperation& operation, PrefixScan::Form form,
                                                std::size_t width) {
  auto other = std::make_shared<LoweredOperation>(operation);
  other->scan->form = form;
  other->scan->width = width;
  return other;
}

std::unique_ptr<const OutputSums> make_scan_outputs(std::shared_ptr<const LoweredOperation> operation,
                                                    const ArrivalCall& arrival, const DrawPath& path) {
  return with_type_of(operation->formats.accumulate, [&](auto* type) -> std::unique_ptr<const OutputSums> {
    using T = std::remove_pointer_t<decltype(type)>;
    if (operation->scan->form != PrefixScan::Form::tiles) {
      Terms results = scan_lines<T>(*operation);
      return std::make_unique<FixedOutputs>(std::move(operation), std::move(results));
    }
    std::optional<UnitOrders> orders;
    if (operation->arrives()) orders.emplace(*operation, arrival, path.key());
    return std::make_unique<ScanOutputs<T>>(std::move(operation), std::move(orders), path.key());
  });
}

std::shared_ptr<const LoweredOperation> with_lookback(const LoweredOperation& operation, const char* model) {
  auto other = std::make_shared<LoweredOperation>(operation);
  other->scan->lookback = parse_lookback(model);
  return other;
}

Terms chained_scan(const LoweredOperation& operation) {
  return make_scan_outputs(with_lookback(operation, "fixed(1)"), {}, {})->launch();
}

AdditionCount count_chained_scan(const LoweredOperation& operation) {
  return count_additions(*with_lookback(operation, "fixed(1)"));
}

Terms kahan_scan(const LoweredOperation& operation) {
  const PrefixScan& scan = *operation.scan;
  return with_type_of(operation.formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    std::vector<T> sums(scan.extent);
    scan_line_by_kahan(static_cast<const T*>(scan.terms.view().x), std::span(sums));
    return stored_sums(operation, sums);
  });
}

AdditionCount count_kahan_scan(const LoweredOperation& operation) {
  const std::uint64_t before = Depth::made;
  const std::vector<Depth> line(operation.scan->extent);
  std::vector<Depth> sums(line.size());
  scan_line_by_kahan(line.data(), std::span(sums));
  return {Depth::made - before, greatest_height(sums)};
}

}  // namespace orderlab
