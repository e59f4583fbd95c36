// The numbers of an operation: what their table writes is what it reads.
#include <doctest/doctest.h>

#include "show/fields_json.hpp"
#include "show/operation_shared_fields.hpp"

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
    const study::OperationMeasures& found = *finding;
    const Json written = to_json(described::kOperationMeasures, found);
    CHECK(written["vc"]["mean"].number() > 0);
    CHECK(written["vc"]["mean"].number() == finding->vc.mean);
    CHECK(written["baseline"] == baseline);
    study::OperationMeasures measures;
    read(described::kOperationMeasures, Json::parse(written.dump()), measures);
    CHECK(to_json(described::kOperationMeasures, measures).dump() == written.dump());
  }
}
