// Vc of operations against the number of outputs.
#include "page/chart.hpp"
#include "page/operation_figure.hpp"

namespace orderlab {

extern const Chart kVcSizeChart;
const Chart kVcSizeChart{
    .name = "vc_size",
    .title = "Outputs that differ, against their number",
    .draw = [](const SweepContent& content) { return operation_figure(content, kVc, OperationSize::outputs); },
    .of_operations = true,
};

}  // namespace orderlab
