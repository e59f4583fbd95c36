// Vermv of operations, as published, against the ratio of a generated index.
#include "page/chart.hpp"
#include "page/operation_figure.hpp"

namespace orderlab {

extern const Chart kVermvPublishedRatioChart;
const Chart kVermvPublishedRatioChart{
    .name = "vermv_published_ratio",
    .title = "Vermv as published, against the ratio of the index",
    .draw =
        [](const SweepContent& content) { return operation_figure(content, kVermvAsPublished, OperationSize::ratio); },
    .of_operations = true,
};

}  // namespace orderlab
