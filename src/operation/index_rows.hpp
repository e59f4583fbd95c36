// Rows of operations that add numbers where an index says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/pass.hpp"
#include "orderlab/operation.hpp"

namespace orderlab {

/// TensorOperation::freedom and assumes of operations that add by atomics.
inline constexpr std::string_view kFreedomOfAtomics =
    "every order and grouping of the contributions and self: no order is defined between atomics of different threads "
    "(PTX ISA, memory consistency model), and threads may add up theirs before";
inline constexpr std::string_view kBlocksArriveTogether =
    "the threads of a thread block arrive together, in program order";

/// Contribution p of a launch.
struct Contribution {
  std::uint32_t term;    ///< number of the source, in C order
  std::uint32_t output;  ///< number of the output, in C order
};

/// Rows of `outputs` outputs from contributions 0 .. count - 1 in launch order; contribution p is at(p), its unit
/// p / unit_size.
template <class At>
Contributions rows_in_launch_order(const Terms& source, std::size_t outputs, std::size_t count, std::size_t unit_size,
                                   At at);

/// Elements of the outer, middle and inner dimensions around dimension `dim`.
struct Around {
  std::size_t outer = 1;
  std::size_t extent = 1;
  std::size_t inner = 1;
};
Around around(const Shape& shape, std::size_t dim);

/// The size of the output along the dimension that is indexed: that of `self`, else one more than the greatest index.
/// Error(input), naming the place, for an index that is negative or not below it.
std::size_t checked_bins(const std::string& operation, const IndexTensor& index, const std::optional<Tensor>& self,
                         std::size_t dim);

/// Error(usage) unless `dim` is a dimension of the shape.
void require_dimension(const std::string& operation, std::uint64_t dim, const Shape& shape);

/// Error(input) unless the shapes are equal but for dimension `dim`.
void require_like(const std::string& operation, std::string_view what, const Shape& shape, const Shape& source,
                  std::size_t dim);

/// `count` draws out of `bins` bins, as [Shanmugavelu2024] draws an index.
std::vector<std::int64_t> draw_index(std::size_t count, std::size_t bins, const GeneratedInputs& what);

/// A tensor of the shape from the distribution of `what`; `site` tells those of one operation apart.
Tensor draw_tensor(const Shape& shape, const GeneratedInputs& what, std::uint64_t site);

/// R A of a ratio R and an extent A, rounded to nearest, at least 1.
std::size_t share_of(double ratio, std::size_t extent);

/// The array with dimension `axis` made the last, in C order.
Terms with_last(const Tensor& tensor, std::size_t axis);

/// Whether atomicAdd of that format on global memory takes subnormal numbers for zeros: of fp32. Source: PTX ISA, red.
constexpr bool atomics_flush(Format format) { return format == Format::fp32; }

/// Numbers of the terms' format in another, each rounded once.
Terms converted(const Terms& terms, Format format);

// ---- definitions

namespace detail {
void scatter_values(const Terms& source, const std::vector<std::uint32_t>& terms, Terms& values);
}

template <class At>
Contributions rows_in_launch_order(const Terms& source, std::size_t outputs, std::size_t count, std::size_t unit_size,
                                   At at) {
  Contributions rows;
  rows.row_begin.assign(outputs + 1, 0);
  rows.unit.resize(count);
  rows.units = static_cast<std::uint32_t>((count + unit_size - 1) / unit_size);
  each_in_pass(count, [&](std::size_t p) { ++rows.row_begin[at(p).output + 1]; });
  for (std::size_t r = 0; r < outputs; ++r) rows.row_begin[r + 1] += rows.row_begin[r];
  std::vector<std::uint32_t> next(rows.row_begin.begin(), rows.row_begin.end() - 1);
  std::vector<std::uint32_t> terms(count);
  each_in_pass(count, [&](std::size_t p) {
    const Contribution contribution = at(p);
    const std::uint32_t place = next[contribution.output]++;
    terms[place] = contribution.term;
    rows.unit[place] = static_cast<std::uint32_t>(p / unit_size);
  });
  rows.values = Terms(source.format(), count);
  detail::scatter_values(source, terms, rows.values);
  return rows;
}

}  // namespace orderlab
