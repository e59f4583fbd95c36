// The terms of one case of a cross-check, and what a kernel's runs over them are compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crosscheck/case_inputs.hpp"
#include "crosscheck/wrong_sum.hpp"
#include "orderlab/crosscheck.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// A kernel with the terms of one size and seed, to be run in every launch shape.
struct Case {
  const Executor* executor = nullptr;
  Formats formats;
  std::size_t row = 0;  ///< row in the report
  std::size_t n = 0;
  std::uint64_t seed = 0;
  std::uint64_t samples = 1;
  const Vocabulary* vocabulary = nullptr;  ///< vocabulary of the claim
  const std::string* claim = nullptr;      ///< in place of the kernel's; null: that is taken

  const KernelInfo& kernel() const { return *executor->kernel; }
};

/// The inputs of a case and what the kernel's order adds of them.
struct CaseTerms {
  std::string text;  ///< distribution of the inputs
  Terms inputs;
  std::optional<Terms> mapped;  ///< empty: the inputs themselves

  explicit CaseTerms(const Case& c);
  TermView added() const { return mapped ? mapped->view() : inputs.view(); }

 private:
  CaseTerms(const Case& c, const FactorTexts& factors);
};

/// Draws a case's terms, and judges runs over them.
class CaseBench {
 public:
  virtual ~CaseBench() = default;

  /// For a kernel of one sum, or of many outputs.
  static std::unique_ptr<CaseBench> make(const Case& c);

  /// The mismatch of one sample in one launch shape of the kernel, if there is one; counts replays in `row`.
  std::optional<Mismatch> check(std::size_t shape, std::uint64_t sample, CrossCheckRow& row);

  /// What the other bits of one of these mismatches are, in detail.
  virtual Diagnosis detailed(const Mismatch& mismatch) const { return detailed_diagnosis(wrong_sum(mismatch)); }

 protected:
  explicit CaseBench(const Case& c) : case_(c) {}

  /// The kernel's run in one launch shape, on the case's terms.
  virtual KernelJob job(const LaunchShape& shape) const = 0;
  virtual const std::string& terms_text() const = 0;

  /// Writes to `mismatch` what the run and the claim give, or the problem.
  virtual void compare(const KernelRun& run, Mismatch& mismatch, CrossCheckRow& row) = 0;
  virtual WrongSum wrong_sum(const Mismatch& mismatch) const = 0;

  const Case& case_;

 private:
  std::optional<Mismatch> check(std::size_t shape, std::uint64_t sample, bool record, CrossCheckRow& row);
};

/// Checks cases of one sum.
class SumBench : public CaseBench {
 public:
  explicit SumBench(const Case& c);

  Diagnosis detailed(const Mismatch& mismatch) const override;

 private:
  /// A sum, or why there is none.
  struct Arranged {
    std::optional<std::uint64_t> bits;
    std::string problem;
  };

  /// What units added that have no partial sum in the claim, from unit random_count() on: those of a warp or a thread
  /// block beyond the terms.
  using Idle = std::vector<double>;

  KernelJob job(const LaunchShape& shape) const override;
  const std::string& terms_text() const override { return terms_.text; }
  void compare(const KernelRun& run, Mismatch& mismatch, CrossCheckRow& row) override;
  WrongSum wrong_sum(const Mismatch& mismatch) const override;

  /// Whether the order gives these bits; false for one that cannot be, or that is random.
  bool gives(const std::string& order, std::uint64_t bits) const;
  std::uint64_t finished(std::uint64_t sum) const;
  Idle idle_units(const KernelRun& run) const;
  Arranged arranged(std::span<const std::uint32_t> units, const Idle& idle) const;
  bool only_zeros_after(std::size_t k, std::span<const std::uint32_t> order) const;
  bool is_negative_zero(std::uint64_t bits) const;
  /// What the kernel claims of the run; empty: nothing.
  std::string claim_of(const KernelRun& run) const;
  void bind(const std::string& claim);

  CaseTerms terms_;
  Formats formats_;  ///< formats of the order: what it adds, its sums, what `finish` takes
  std::string claim_;
  std::unique_ptr<const Evaluator> evaluator_;
  std::unique_ptr<Evaluator::Scratch> scratch_;
};

}  // namespace orderlab
