// The numbers of an operation: what their table writes is what it reads.
#include <doctest/doctest.h>

#include "show/input_json.hpp"
#include "show/operation.hpp"

using namespace orderlab;

TEST_CASE("numbers of an operation are read back as they were written") {
  const study::OperationInput input =
      study::operation_input(parse_operation("index_add"), GeneratedInputs{.shape = {40, 30}});
  for (const char* baseline : {"deterministic", "run"}) {
    study::OperationSampleRequest request;
    request.samples = 7;
    request.baseline = study::output_baseline_of(baseline);
    const auto finding = sample_operation(input, request);
    REQUIRE(finding);
    const Json written = operation_measures_json(*finding);
    CHECK(written["vc"]["mean"].number() > 0);
    CHECK(written["vc"]["mean"].number() == finding->vc.mean);
    CHECK(written["baseline"] == baseline);
    study::OperationMeasures measures;
    read_fields("metrics", Json::parse(written.dump()), &measures, study::operation_measure_fields());
    CHECK(operation_measures_json(measures).dump() == written.dump());
  }
}
