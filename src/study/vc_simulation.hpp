// How many outputs of an operation differ from its deterministic form, simulated on some of them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "orderlab/output_sums.hpp"
#include "orderlab/study/fit.hpp"

namespace orderlab::study {

/// Mean and standard deviation of Vc.
struct VcPrediction {
  double mean = 0;
  double sd = 0;  ///< over the runs of an input, mean over inputs
};

/// The inputs of one row of a table. Of many varying outputs a part is added up, chosen evenly.
class VcSimulation {
 public:
  VcSimulation(const OperationCall& call, const VcPoint& point, const OperationFitRequest& request);

  /// Whether any output varies.
  bool varies() const;

  /// Thread blocks of the launch.
  std::uint64_t grid() const { return grid_; }

  VcPrediction predict(const ArrivalCall& arrival, const OperationFitRequest& request) const;

 private:
  /// One input.
  struct Part {
    std::unique_ptr<const OutputSums> sums;
    std::vector<double> baseline;  ///< baseline of the outputs that are added up
    double always = 0;             ///< outputs that do not vary and are not what the baseline has
    double weight = 0;             ///< all outputs that vary / those that are added up
  };

  VcPrediction predict_part(const Part& part, std::uint64_t number, const ArrivalCall& arrival,
                            const OperationFitRequest& request) const;

  std::vector<Part> parts_;
  double outputs_ = 1;
  std::uint64_t grid_ = 1;
};

}  // namespace orderlab::study
