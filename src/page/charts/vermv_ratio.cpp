// Vermv of operations, over sum|x|, against the ratio of a generated index.
#include "page/chart.hpp"
#include "page/operation_figure.hpp"

namespace orderlab {

extern const Chart kVermvRatioChart;
const Chart kVermvRatioChart{
    .name = "vermv_ratio",
    .title = "How far outputs differ, against the ratio of the index",
    .draw = [](const SweepContent& content) { return operation_figure(content, kVermv, OperationSize::ratio); },
    .of_operations = true,
};

}  // namespace orderlab
