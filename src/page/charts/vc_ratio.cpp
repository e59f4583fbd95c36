// Vc of operations against the ratio of a generated index.
#include "page/chart.hpp"
#include "page/operation_figure.hpp"

namespace orderlab {

extern const Chart kVcRatioChart;
const Chart kVcRatioChart{
    .name = "vc_ratio",
    .title = "Outputs that differ, against the ratio of the index",
    .draw = [](const Study& study) { return operation_figure(study, kVc, OperationSize::ratio); },
    .of_operations = true,
};

}  // namespace orderlab
