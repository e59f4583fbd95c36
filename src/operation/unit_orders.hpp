// What all kinds of OutputSums share: arrival orders of units, fixed outputs, how results are stored.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "orderlab/arrival.hpp"
#include "orderlab/output_sums.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

/// The arrival orders of an operation's units.
class UnitOrders {
 public:
  UnitOrders(const LoweredOperation& operation, const ArrivalCall& arrival, std::uint64_t key)
      : call_(operation.arrival.value_or(arrival)), key_(key) {
    call_.model->check(*call_.arguments, operation.rows.units);
  }

  void draw(std::uint64_t sample, std::span<std::uint32_t> order) const {
    call_.model->draw(*call_.arguments, RandomStream(key_, streams::kFirstStage, sample), order);
  }

 private:
  ArrivalCall call_;
  std::uint64_t key_;
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
