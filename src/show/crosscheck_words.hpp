// The words of a cross-check.
#pragma once

#include <string>
#include <string_view>

#include "orderlab/crosscheck.hpp"
#include "orderlab/study/crosscheck.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// "64 threads, items=2, grid=full".
std::string shape_text(const LaunchShape& shape);

/// What was seen in each launch shape of a kernel without a claim, a line each, or more where sizes differ.
std::string seen_orders_text(const CrossCheckRow& row);

/// Whether the kernel claims an order or an operation.
inline bool claims(const CrossCheckRow& row) { return row.kernel->claim != nullptr || row.kernel->outputs != nullptr; }

/// What a row of a runtime shows: identical, possible, differs.
inline std::string_view verdict_of(const study::RuntimeRow& row) {
  if (row.matching != row.sums) return "differs";
  return row.possible ? "possible" : "identical";
}

/// The runtimes of a device, which order each adds in, and what differs.
std::string runtimes_text(const study::RuntimeChecks& checks, const TextStyle& style);

}  // namespace orderlab
