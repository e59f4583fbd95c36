// Two orders of the same terms, ready to be drawn together.
#pragma once

#include <cstdint>
#include <memory>

#include "orderlab/evaluator.hpp"
#include "orderlab/study/tolerance.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab::study {

/// What findings say of the other order.
ComparedOrder compared_order(const OtherOrder& other, const InputFacts& input);

struct ComparedEvaluators {
  std::unique_ptr<const Evaluator> judged;
  std::unique_ptr<const Evaluator> other;  ///< null without another order
};

/// Errors: as make_evaluator, of each order.
ComparedEvaluators make_compared(const Input& input, const Order& order, const OtherOrder* other, std::uint64_t seed,
                                 int threads);

}  // namespace orderlab::study
