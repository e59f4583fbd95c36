// All outputs of an operation, in orders drawn from an arrival model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "orderlab/operation.hpp"
#include "orderlab/parameters.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

/// Whether arrival orders can change an output, and why not.
enum class OutputFate : std::uint8_t {
  varies,
  no_contribution,
  two_operands,  ///< or one, the initial value counted: a + b = b + a
  one_unit,      ///< gives all contributions
  fixed_order,   ///< nothing arrives
  exact,         ///< every partial sum is exact in any order
  first_tiles,   ///< first tiles of a scan, which every look-back adds alike
};

OutputFate fate_of(const LoweredOperation& operation, std::size_t r);

/// A result of an output, with its probability.
struct OutputResult {
  std::uint64_t bits = 0;  ///< in the result format
  double probability = 1;
};

/// Outputs of an operation for drawn arrival orders of its units. Outputs that no arrival order can change are found
/// once; a sample evaluates the others. Immutable: threads can share it, each with its Scratch.
class OutputSums {
 public:
  /// Buffers of one thread, reused from sample to sample.
  class Scratch {
   public:
    virtual ~Scratch() = default;

   private:
    friend class OutputSums;
    std::vector<std::vector<std::byte>> samples_;  ///< whole samples, for evaluate_parts
  };

  virtual ~OutputSums() = default;

  /// Units arrive as `arrival` says, unless the order of the operation's rows names a model. Draws are those of `path`:
  /// one output whose units are its terms draws as its sum alone does.
  ///
  /// Errors: usage for an arrival model that does not fit the number of units.
  static std::unique_ptr<const OutputSums> make(std::shared_ptr<const LoweredOperation> operation,
                                                const ArrivalCall& arrival, const DrawPath& path);

  const LoweredOperation& operation() const { return *operation_; }
  Format result_format() const { return operation_->formats.result; }

  /// All outputs with units in launch order; an order's random stages replaced by their fixed forms.
  const Terms& launch() const { return launch_; }

  /// Numbers of the outputs that some arrival order may change, ascending: not those of fewer than three operands, of
  /// one unit, or whose partial sums are all exact.
  std::span<const std::uint32_t> varying() const { return varying_; }

  /// Number of results that a sample makes and their bytes.
  std::size_t result_bytes() const;

  virtual std::unique_ptr<Scratch> make_scratch() const = 0;

  /// Sets `results` to the varying outputs of `sample`, numbers of the result format: a pure function of (path,
  /// sample).
  ///
  /// Shape: result_bytes() bytes, aligned for numbers.
  /// Cost:  draws once for each unit, one addition for each contribution of a varying output.
  virtual void evaluate(std::uint64_t sample, std::span<std::byte> results, Scratch& scratch) const = 0;

  /// End of the part that holds varying output number `begin`. Parts are made one after the other, so that each can be
  /// used while it is in cache. All outputs are one part where parts would cost more.
  ///
  /// Shape: begin < varying().size().
  virtual std::size_t part_end([[maybe_unused]] std::size_t begin) const { return varying_.size(); }

  /// The bits of evaluate(first + s) for s < samples, part by part in ascending order: each(results), results[s] is the
  /// part of sample first + s. Not called if no output varies. The spans are valid during the call only; what `each`
  /// throws passes through.
  ///
  /// Shape: samples >= 1; `scratch` is from make_scratch().
  using EachPart = std::function<void(std::span<const std::span<const std::byte>> results)>;
  virtual void evaluate_parts(std::uint64_t first, std::size_t samples, Scratch& scratch, const EachPart& each) const;

  /// The same as evaluate() for units that arrive in this order instead of a drawn one.
  ///
  /// Shape: `order` permutes 0 .. operation().rows.units - 1; units arrive, else Error(usage).
  virtual void evaluate_arranged(std::span<const std::uint32_t> order, std::span<std::byte> results,
                                 Scratch& scratch) const;

  /// The same, output by output: each row sorted by the arrival of its units. Slower; the definition.
  virtual void evaluate_by_rows(std::uint64_t sample, std::span<std::byte> results, Scratch& scratch) const {
    evaluate(sample, results, scratch);
  }

 protected:
  OutputSums(std::shared_ptr<const LoweredOperation> operation, Terms launch, std::vector<std::uint32_t> varying)
      : operation_(std::move(operation)), launch_(std::move(launch)), varying_(std::move(varying)) {}

  std::shared_ptr<const LoweredOperation> operation_;
  Terms launch_;
  std::vector<std::uint32_t> varying_;
};

}  // namespace orderlab
