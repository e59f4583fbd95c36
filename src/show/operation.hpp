// Text, CSV, JSON and .npy of operations with many outputs.
#pragma once

#include <string>
#include <vector>

#include "orderlab/study/operation.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::OperationSampleFinding& finding, const TextStyle& style);

/// Its last line: "20 runs gave 20 different arrays; on average 12.50 % of the outputs differ from the baseline, ..."
std::string conclusion_of(const study::OperationSampleFinding& finding);

/// "Method and order: launch order already differs from the baseline in ..."; empty where launch order does not, or is
/// what runs are compared with.
std::string method_and_order(const study::OperationSampleFinding& finding);

/// One row for each output.
std::string to_csv(const study::OperationSampleFinding& finding);

/// A column of that table that holds numbers, counts included.
struct OutputNumbers {
  std::string name;
  std::vector<double> values;  ///< one for each output
};

/// The numbers that differ from output to output.
std::vector<OutputNumbers> output_numbers(const study::OperationSampleFinding& finding);

/// The document of the interface contract. Two runs of one config give the same bytes.
std::string to_json(const study::OperationSampleFinding& finding);

/// All results that were kept: samples x the shape of the output.
std::string to_npy(const study::OperationSampleFinding& finding);

// ---- what several reports on operations share

/// "0 %", "up to 50 %", "above 1024 ulp".
std::string bin_label(const study::OutputBin& bin, const std::string& unit, double scale);

/// A row for each bin that is not empty: its interval, in `scale` units, and its outputs.
std::string bins_table(const std::string& title, const std::vector<study::OutputBin>& bins, const std::string& unit,
                       double scale, std::uint64_t outputs, const TextStyle& style);

/// Lines on the operation, its inputs and its kernel.
std::string operation_head(const study::OperationFacts& input, bool color);

/// "40 units arrive in an order drawn from jitter(20)", as a line.
std::string arrival_of_units(const study::OperationFacts& input, const std::string& arrival);

/// One row for each size of a batch, and how each adds, where sizes differ in it.
std::string batches_text(const study::OperationFacts& input, const std::vector<study::BatchSize>& batches,
                         const TextStyle& style);

/// "3,17": the place of output `r`, the slowest dimension first.
std::string index_text(const Shape& shape, std::size_t r);

}  // namespace orderlab
