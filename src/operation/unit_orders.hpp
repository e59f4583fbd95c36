// What all kinds of OutputSums share: arrival orders of units, fixed outputs, how results are stored.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "orderlab/arrival.hpp"
#include "orderlab/output_sums.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

/// The arrival orders of an operation's units. Where a thread block has several, the model draws the order of thread
/// blocks, and each order of the units of one is equally likely; a model that gives every order the same probability,
/// or none any, orders the units themselves.
class UnitOrders {
 public:
  UnitOrders(const LoweredOperation& operation, const ArrivalCall& arrival, std::uint64_t key)
      : call_(operation.arrival.value_or(arrival)), key_(key) {
    if (call_.model->random && !call_.model->uniform) per_block_ = operation.rows.units_per_block;
    call_.model->check(*call_.arguments, blocks_of(operation.rows.units));
  }

  void draw(std::uint64_t sample, std::span<std::uint32_t> order) const {
    const RandomStream stream(key_, streams::kFirstStage, sample);
    if (per_block_ == 1) return call_.model->draw(*call_.arguments, stream, order);
    std::vector<std::uint32_t> blocks(blocks_of(order.size()));
    call_.model->draw(*call_.arguments, stream, blocks);
    WordReader words(RandomStream(key_, streams::kFirstStage + 1, sample));
    auto place = order.begin();
    for (const std::uint32_t block : blocks) {
      const std::size_t first = std::size_t{block} * per_block_;
      const std::size_t count = std::min<std::size_t>(per_block_, order.size() - first);
      std::iota(place, place + static_cast<std::ptrdiff_t>(count), static_cast<std::uint32_t>(first));
      for (std::size_t k = count; k > 1; --k)
        std::swap(place[static_cast<std::ptrdiff_t>(k - 1)],
                  place[words.below(static_cast<std::uint32_t>(k), first + k - 1)]);
      place += static_cast<std::ptrdiff_t>(count);
    }
  }

 private:
  std::size_t blocks_of(std::size_t units) const { return (units + per_block_ - 1) / per_block_; }

  ArrivalCall call_;
  std::uint64_t key_;
  std::uint32_t per_block_ = 1;  ///< units that the model orders as one
};

class NoScratch : public OutputSums::Scratch {};

/// Outputs of a fixed operation.
class FixedOutputs : public OutputSums {
 public:
  FixedOutputs(std::shared_ptr<const LoweredOperation> operation, Terms launch)
      : OutputSums(std::move(operation), std::move(launch), {}) {}

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<NoScratch>(); }
  void evaluate(std::uint64_t, std::span<std::byte>, Scratch&) const override {}
};

/// Every NaN has the same bits, so that equal results are equal bytes.
template <class R>
R canonical(R result) {
  if constexpr (std::is_floating_point_v<R>) return result != result ? std::numeric_limits<R>::quiet_NaN() : result;
  return result;  // a 16-bit number is rounded to it
}

/// Calls f(results, type) with the results as numbers of their format.
template <class F>
void with_results(const LoweredOperation& operation, std::span<std::byte> results, F f) {
  with_type_of(operation.formats.result, [&](auto* type) {
    using R = std::remove_pointer_t<decltype(type)>;
    f(reinterpret_cast<R*>(results.data()));
  });
}

}  // namespace orderlab
