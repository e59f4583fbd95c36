// The arrays of one case of a kernel with many outputs, and what its runs are compared with.
#pragma once

#include "crosscheck/case_bench.hpp"
#include "crosscheck/claimed_outputs.hpp"

namespace orderlab {

/// Compares every output, and of the first that differs the bits.
class OutputsBench : public CaseBench {
 public:
  explicit OutputsBench(const Case& c);

 private:
  KernelJob job(const LaunchShape& shape) const override;
  const std::string& terms_text() const override { return text_; }
  void compare(const KernelRun& run, Mismatch& mismatch, CrossCheckRow& row) override;
  WrongSum wrong_sum(const Mismatch& mismatch) const override;

  std::string text_;  ///< distribution of the source and of the first values
  SourceArrays arrays_;
  ClaimedOutputs claimed_;
  mutable Terms operands_{Format::fp64, 1};  ///< memory of wrong_sum's terms
};

}  // namespace orderlab
