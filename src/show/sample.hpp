// Text, CSV and JSON of `sample` and `sum`.
#pragma once

#include <string>

#include "orderlab/study/sample.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// One order: its results, a histogram and a conclusion. Several: one table that compares them, and a conclusion each.
std::string to_text(const study::SampleFinding& finding, const TextStyle& style);

/// One row for each distinct result, or for each bin: order,bits,value,count,error_ulp,bin_ulp. In bins `bits` is
/// empty, value and error_ulp are the lower edge, and bin_ulp is the width; it is empty for results.
std::string to_csv(const study::SampleFinding& finding);

/// The document of the interface contract. Two samplings of one config give the same bytes.
std::string to_json(const study::SampleFinding& finding);
std::string to_json(const study::SumFinding& finding);

}  // namespace orderlab
