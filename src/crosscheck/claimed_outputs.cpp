#include "crosscheck/claimed_outputs.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "crosscheck/replay.hpp"
#include "operation/row_outcomes.hpp"
#include "operation/tile_scan.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "run/addition.hpp"

namespace orderlab {

namespace {

Shape shape_of(std::size_t rows, std::size_t columns) { return columns == 1 ? Shape{rows} : Shape{rows, columns}; }

LoweredOperation lowered(const OutputsClaim& claim, const SourceArrays& arrays) {
  const ArrayExtents& extents = arrays.extents;
  const Format format = arrays.source.format();
  const Shape shape = shape_of(extents.rows, extents.columns);
  OperationInputs inputs{.source = {shape, arrays.source},
                         .factor = std::nullopt,
                         .index = std::nullopt,
                         .self = std::nullopt,
                         .formats = {format, format, format}};
  if (extents.bins != 0)
    inputs.index = IndexTensor{claim.index_of_elements ? shape : Shape{extents.rows}, arrays.index};
  if (arrays.self) inputs.self = Tensor{shape_of(extents.bins, extents.columns), *arrays.self};
  return lower(parse_operation(claim.operation), std::move(inputs));
}

std::vector<std::uint64_t> bits_of_all(const Terms& results) {
  std::vector<std::uint64_t> bits(results.size());
  const TermView view = results.view();
  for (std::size_t r = 0; r < bits.size(); ++r) bits[r] = round_to_bits(view.format, view.left(r));
  return bits;
}

/// Contributions of a row.
TermView row_view(const Contributions& rows, std::size_t r) {
  const TermView all = rows.values.view();
  const auto bytes = static_cast<std::size_t>(info(all.format).bits) / 8;
  return {all.format, rows.row_length(r), static_cast<const std::byte*>(all.x) + rows.row_begin[r] * bytes, nullptr};
}

std::string contribution_text(std::size_t p) { return "contribution " + std::to_string(p); }

}  // namespace

std::string text_of(const OutputsClaim& claim, const ArrayExtents& extents) {
  const auto text = [&](std::size_t rows) { return to_string(shape_of(rows, extents.columns)); };
  return std::string(claim.operation) + " of " + text(extents.rows) +
         (extents.bins == 0 ? "" : " into " + text(extents.bins));
}

ClaimedOutputs::ClaimedOutputs(const OutputsClaim& claim, const SourceArrays& arrays) : claim_(claim) {
  auto operation = std::make_shared<const LoweredOperation>(lowered(claim, arrays));
  const std::string text = text_of(claim, arrays.extents);
  if (claim.looks_back != operation->scan.has_value())
    throw Error(ErrorKind::usage, text + ": OutputsClaim::looks_back is for scans, and for all of them");
  if (operation->addition.arrives != races())
    throw Error(ErrorKind::usage, text + ": its order is " + (races() ? "fixed" : "open") + " (" +
                                      operation->launch.reason + "), and the kernel claims that it is " +
                                      (races() ? "open" : "fixed"));
  sums_ = OutputSums::make(std::move(operation), parse_arrival("uniform"), {.seed = 1});
  const Contributions& rows = this->operation().rows;
  const ArrayExtents& extents = arrays.extents;
  const std::size_t count = extents.elements();
  if (!races()) return;
  output_.resize(count);
  place_.resize(count);
  number_.resize(count);
  std::vector<std::uint32_t> next(rows.row_begin.begin(), rows.row_begin.end() - 1);
  for (std::size_t p = 0; p < count; ++p) {
    const std::int64_t bin = arrays.index[claim.index_of_elements ? p : p / extents.columns];
    output_[p] = static_cast<std::uint32_t>(static_cast<std::size_t>(bin) * extents.columns + p % extents.columns);
    place_[p] = next[output_[p]]++;
    number_[place_[p]] = static_cast<std::uint32_t>(p);
  }
}

std::string ClaimedOutputs::map_problem(const LaunchShape& shape) const {
  const Contributions& rows = operation().rows;
  std::vector<std::size_t> first(rows.units, number_.size());  // contribution of a unit
  for (std::size_t p = 0; p < number_.size(); ++p) {
    const std::uint32_t unit = rows.unit[place_[p]];
    const auto text = [&] {
      return contribution_text(p) + " arrives with unit " + std::to_string(unit) + " of " + operation().text;
    };
    const std::size_t threads = std::size_t{shape.grid} * shape.threads;
    if (claim_.thread(shape, p) >= threads)
      return contribution_text(p) + " is added by thread " + std::to_string(claim_.thread(shape, p)) +
             " of the kernel's launch map, and the grid has " + std::to_string(threads);
    if (unit != p / claim_.unit) return text() + ", and with " + std::to_string(p / claim_.unit) + " of the kernel";
    const auto block_of = [&](std::size_t q) { return claim_.thread(shape, q) / shape.threads; };
    if (first[unit] == number_.size()) first[unit] = p;
    if (block_of(p) != block_of(first[unit]))
      return text() + ", as does " + contribution_text(first[unit]) +
             ", and other thread blocks add them: " + std::to_string(block_of(p)) + " and " +
             std::to_string(block_of(first[unit]));
  }
  return {};
}

std::vector<std::uint64_t> ClaimedOutputs::fixed() const { return bits_of_all(sums_->launch()); }

ClaimedOutputs::Scanned ClaimedOutputs::scanned(const LaunchShape& shape,
                                                std::span<const std::uint32_t> looked_back) const {
  PrefixScan scan = *operation().scan;
  scan.threads = shape.threads;
  scan.items = shape.items;
  if (looked_back.size() + 1 != scan.tiles())
    return {{},
            std::to_string(looked_back.size()) + " tiles looked back; the scan has " + std::to_string(scan.tiles()) +
                " tiles, and all but the first do"};
  std::vector<std::uint32_t> distances{0};
  for (const std::uint32_t distance : looked_back) {
    const std::size_t tile = distances.size();
    if (distance == 0 || distance > tile)
      return {{},
              "tile " + std::to_string(tile) + " looked back " + std::to_string(distance) + " tiles; it must be 1 to " +
                  std::to_string(tile)};
    distances.push_back(distance);
  }
  return {with_type_of(scan.terms.format(),
                       [&]<class T>(T*) {
                         const TileScan<T> tiles(scan);
                         std::vector<T> prefixes(tiles.tiles());
                         tiles.find_prefixes(distances, prefixes);
                         std::vector<T> outputs(scan.extent);
                         for (std::size_t t = 0; t < tiles.tiles(); ++t)
                           tiles.tile_outputs(t, prefixes[t],
                                              std::span(outputs)
                                                  .subspan(t * scan.tile())
                                                  .first(std::min(scan.tile(), scan.extent - t * scan.tile())));
                         std::vector<std::uint64_t> bits;
                         bits.reserve(outputs.size());
                         for (const T& output : outputs)
                           bits.push_back(round_to_bits(kFormatOf<T>, static_cast<double>(output)));
                         return bits;
                       }),
          {}};
}

OutputArrivals ClaimedOutputs::arrivals_of(const LaunchShape& shape, std::span<const std::uint32_t> threads) const {
  const std::size_t count = number_.size();
  const std::size_t all = std::size_t{shape.grid} * shape.threads;
  std::vector<std::uint32_t> begin(all + 1);  // a thread's contributions, as it does them
  for (std::size_t p = 0; p < count; ++p) ++begin[claim_.thread(shape, p) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  std::vector<std::uint32_t> mine(count);
  for (std::size_t p = 0; p < count; ++p) mine[next[claim_.thread(shape, p)]++] = static_cast<std::uint32_t>(p);
  next.assign(begin.begin(), begin.end() - 1);

  OutputArrivals arrivals{.places = std::vector<std::uint32_t>(count)};
  const Contributions& rows = operation().rows;
  std::vector<std::uint32_t> place(rows.row_begin.begin(), rows.row_begin.end() - 1);
  for (const std::uint32_t thread : threads) {
    if (thread >= all || next[thread] == begin[thread + 1])
      return {{},
              "thread " + std::to_string(thread) + " of the grid did more float atomics than the " +
                  std::to_string(thread < all ? begin[thread + 1] - begin[thread] : 0) + " of its contributions"};
    const std::uint32_t p = mine[next[thread]++];
    arrivals.places[place[output_[p]]++] = place_[p];
  }
  if (threads.size() != count)
    for (std::size_t thread = 0; thread < all; ++thread)
      if (next[thread] != begin[thread + 1])
        return {{},
                std::to_string(threads.size()) + " float atomics for " + std::to_string(count) +
                    " contributions; thread " + std::to_string(thread) + " of the grid did none for " +
                    contribution_text(mine[next[thread]])};
  return arrivals;
}

double ClaimedOutputs::start(std::size_t r) const {
  const std::optional<Terms>& initial = operation().rows.initial;
  return initial ? initial->view().left(r) : 0.0;
}

OutputArrivals ClaimedOutputs::replayed(const LaunchShape& shape, std::span<const std::uint64_t> returned) const {
  const Contributions& rows = operation().rows;
  if (returned.size() != number_.size())
    return {
        {},
        std::to_string(returned.size()) + " returned values for " + std::to_string(number_.size()) + " contributions"};
  OutputArrivals arrivals;
  arrivals.places.reserve(number_.size());
  std::vector<double> added;
  std::vector<std::uint64_t> old;
  std::vector<std::size_t> threads;
  for (std::size_t r = 0; r < rows.outputs(); ++r) {
    added.clear();
    old.clear();
    threads.clear();
    for (std::size_t c = rows.row_begin[r]; c < rows.row_begin[r + 1]; ++c) {
      added.push_back(rows.values.view().left(c));
      old.push_back(returned[number_[c]]);
      threads.push_back(claim_.thread(shape, number_[c]));
    }
    const Replay replay = replay_cell({.format = operation().formats.accumulate,
                                       .flush = operation().addition.flush,
                                       .start = start(r),
                                       .added = added,
                                       .returned = old,
                                       .noun = "contribution",
                                       .names = std::span(number_).subspan(rows.row_begin[r], added.size()),
                                       .thread = threads});
    if (!replay.problem.empty()) return {{}, "output " + std::to_string(r) + ": " + replay.problem};
    for (const std::uint32_t i : replay.order) arrivals.places.push_back(rows.row_begin[r] + i);
  }
  return arrivals;
}

std::vector<std::uint64_t> ClaimedOutputs::added_as(const OutputArrivals& arrivals) const {
  const Contributions& rows = operation().rows;
  const bool flush = operation().addition.flush;
  std::vector<std::uint64_t> bits(rows.outputs());
  with_type_of(rows.values.format(), [&]<class T>(T*) {
    for (std::size_t r = 0; r < bits.size(); ++r) {
      T sum = round_to<T>(start(r));
      for (std::size_t k = rows.row_begin[r]; k < rows.row_begin[r + 1]; ++k)
        sum = added(sum, static_cast<const T*>(rows.values.view().x)[arrivals.places[k]], flush);
      bits[r] = round_to_bits(kFormatOf<T>, static_cast<double>(sum));
    }
  });
  return bits;
}

std::optional<std::vector<std::uint32_t>> ClaimedOutputs::unit_order(const OutputArrivals& arrivals) const {
  const Contributions& rows = operation().rows;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // a unit, and one that comes after it
  for (std::size_t r = 0; r < rows.outputs(); ++r)
    for (std::size_t k = rows.row_begin[r] + std::size_t{1}; k < rows.row_begin[r + 1]; ++k) {
      const std::uint32_t before = rows.unit[arrivals.places[k - 1]];
      const std::uint32_t after = rows.unit[arrivals.places[k]];
      if (before != after)
        pairs.emplace_back(before, after);
      else if (arrivals.places[k - 1] > arrivals.places[k])
        return std::nullopt;  // out of program order
    }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<std::uint32_t> waiting(rows.units, 0);  // for how many others
  for (const auto& [before, after] : pairs) ++waiting[after];
  std::vector<std::uint32_t> order;
  for (std::uint32_t unit = 0; unit < rows.units; ++unit)
    if (waiting[unit] == 0) order.push_back(unit);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto first = std::lower_bound(pairs.begin(), pairs.end(), std::pair{order[k], std::uint32_t{0}});
    for (auto pair = first; pair != pairs.end() && pair->first == order[k]; ++pair)
      if (--waiting[pair->second] == 0) order.push_back(pair->second);
  }
  if (order.size() != rows.units) return std::nullopt;
  return order;
}

std::vector<std::uint64_t> ClaimedOutputs::arranged(std::span<const std::uint32_t> units) const {
  Terms results(sums_->result_format(), std::max<std::size_t>(1, sums_->varying().size()));
  const auto scratch = sums_->make_scratch();
  sums_->evaluate_arranged(units, results.bytes().first(sums_->result_bytes()), *scratch);
  std::vector<std::uint64_t> bits = fixed();
  for (std::size_t i = 0; i < sums_->varying().size(); ++i)
    bits[sums_->varying()[i]] = round_to_bits(results.format(), results.view().left(i));
  return bits;
}

Terms ClaimedOutputs::operands(std::size_t r) const {
  if (const auto& scan = operation().scan) {
    Terms terms(scan->terms.format(), r + 1);
    for (std::size_t i = 0; i <= r; ++i) terms.set(i, scan->terms.view().left(i));
    return terms;
  }
  const Contributions& rows = operation().rows;
  const std::size_t first = rows.initial ? 1 : 0;
  Terms terms(rows.values.format(), std::max<std::size_t>(1, first + rows.row_length(r)));
  terms.set(0, start(r));
  for (std::size_t c = rows.row_begin[r]; c < rows.row_begin[r + 1]; ++c)
    terms.set(first + c - rows.row_begin[r], rows.values.view().left(c));
  return terms;
}

WrongSum ClaimedOutputs::wrong_sum(std::size_t r, std::uint64_t bits, Terms& operands) const {
  operands = this->operands(r);
  return {operands.view(), operation().formats, operation().addition.flush, bits};
}

std::string ClaimedOutputs::unreachable(std::size_t r, std::uint64_t bits) const {
  const Contributions& rows = operation().rows;
  RowOutcomeFinder finder({.format = operation().formats.accumulate, .flush = operation().addition.flush});
  std::vector<std::uint32_t> units(rows.row_length(r));
  std::iota(units.begin(), units.end(), 0);
  RowOutcomes outcomes;
  if (finder.find(row_view(rows, r), units, start(r), outcomes)) {
    if (std::find(outcomes.bits.begin(), outcomes.bits.end(), bits) != outcomes.bits.end()) return {};
    return "no order of the " + std::to_string(units.size()) + " contributions of output " + std::to_string(r) +
           " gives " + bits_text(operation().formats.result, bits);
  }
  Terms operands(Format::fp64, 1);
  const Diagnosis found = diagnosis(wrong_sum(r, bits, operands));
  if (found.kind != MismatchKind::outside_bound) return {};
  return "output " + std::to_string(r) + ": " + bits_text(operation().formats.result, bits) + ": " + found.basis;
}

}  // namespace orderlab
