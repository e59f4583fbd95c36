// An operation in batches of several sizes.
#pragma once

#include <cstdint>
#include <vector>

#include "orderlab/study/operation.hpp"

namespace orderlab::study {

/// The operation in batches of these sizes, which choose its kernel. The inputs are those of the same requests in each.
///
/// Errors: usage for an operation of which no kernel depends on the batch; as lower; Stopped.
std::vector<BatchOperation> in_batches(const OperationCall& call, const OperationInputs& inputs,
                                       const std::vector<std::uint64_t>& batches, const Device& device,
                                       const Order* order);

}  // namespace orderlab::study
