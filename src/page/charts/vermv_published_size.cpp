// Vermv of operations, as published, against the number of outputs.
#include "page/chart.hpp"
#include "page/operation_figure.hpp"

namespace orderlab {

extern const Chart kVermvPublishedSizeChart;
const Chart kVermvPublishedSizeChart{
    .name = "vermv_published_size",
    .title = "Vermv as published, against the number of outputs",
    .draw =
        [](const SweepContent& content) {
          return operation_figure(content, kVermvAsPublished, OperationSize::outputs);
        },
    .of_operations = true,
};

}  // namespace orderlab
