// What reading an order asks of its vocabulary.
#pragma once

#include <string_view>

#include "orderlab/order.hpp"

namespace orderlab {

/// Error(usage) naming the first name that occurs twice.
void require_unique_names(const Vocabulary& vocabulary);

/// Whether it has a named order of this name.
bool has_named_order(const Vocabulary& vocabulary, std::string_view name);

}  // namespace orderlab
