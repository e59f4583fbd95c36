// Vermv of operations, over sum|x|, against the number of outputs.
#include "page/chart.hpp"
#include "page/operation_figure.hpp"

namespace orderlab {

extern const Chart kVermvSizeChart;
const Chart kVermvSizeChart{
    .name = "vermv_size",
    .title = "How far outputs differ, against their number",
    .draw = [](const SweepContent& content) { return operation_figure(content, kVermv, OperationSize::outputs); },
    .of_operations = true,
};

}  // namespace orderlab
