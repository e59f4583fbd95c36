// Vc of operations against the ratio of a generated index.
#include "page/chart.hpp"
#include "page/operation_figure.hpp"

namespace orderlab {

extern const Chart kVcRatioChart;
const Chart kVcRatioChart{
    .name = "vc_ratio",
    .title = "Outputs that differ, against the ratio of the index",
    .draw = [](const SweepContent& content) { return operation_figure(content, kVc, OperationSize::ratio); },
    .of_operations = true,
};

}  // namespace orderlab
