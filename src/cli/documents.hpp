// The documents that commands write as JSON.
#pragma once

#include <span>

#include "describe/field.hpp"

namespace orderlab::cli {

/// Their tables, one a document.
std::span<const described::Table* const> documents();

}  // namespace orderlab::cli
