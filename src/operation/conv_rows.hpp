// Convolutions: sizes, and which products an output adds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/operation.hpp"

namespace orderlab {

/// Parameters of every convolution: cin, cout, h, w, kernel, stride, pad, dilation, splits. Height and width of the
/// input are h and w, kernels and what is done along both are the same.
std::span<const Parameter> conv_parameters();
inline constexpr std::size_t kConvSplits = 8;

struct ConvSizes {
  std::size_t cin, cout, h, w, kernel, stride, pad, dilation;
  std::size_t out_h = 0, out_w = 0;  ///< size of the output of a convolution, or of a transposed one

  std::size_t taps() const { return kernel * kernel; }
};

/// "conv_filter(1,1,8,8,3)" of the name and the arguments.
std::string conv_text(std::string_view name, const Arguments& arguments);

/// Sizes of a convolution, whose output has a pixel for each place of the kernel in the padded input. Error(usage)
/// where that is smaller than the kernel; Error(unsupported) for arrays of 2^31 elements and more, as of the next.
ConvSizes conv_sizes(const std::string& name, const Arguments& arguments);

/// Sizes of a transposed convolution. Error(usage) where its output is empty.
ConvSizes transposed_conv_sizes(const std::string& name, const Arguments& arguments);

/// Products of output pixels' taps along one dimension: of pixel o and tap k that of input i where
/// i stride = o + pad - k dilation. For each o the taps are k_begin, k_begin + k_step, ..., the inputs go down.
struct TapRange {
  std::size_t count = 0;
  std::size_t k_begin = 0;
  std::size_t i_begin = 0;
};
struct TapRanges {
  std::vector<TapRange> of_output;
  std::size_t k_step;
  std::ptrdiff_t i_step;
};
TapRanges transposed_taps(std::size_t in, std::size_t out, const ConvSizes& s);

/// Output pixels o of a convolution, along one dimension, where tap k has an input o stride - pad + k dilation.
struct PixelRange {
  std::size_t begin = 0;
  std::size_t count = 0;
  std::size_t i_begin = 0;  ///< the first one's input
};
PixelRange pixels_of_tap(std::size_t k, std::size_t in, std::size_t out, const ConvSizes& s);

/// Error(unsupported) for 2^31 products and more.
void require_products(const std::string& name, const OutputTerms& terms);

/// Sums that thread blocks have of parts of the terms.
struct SplitSums {
  std::size_t splits;
  std::size_t columns;  ///< width of the outputs as a matrix, which tiles of 128 x 128 cover

  /// For each part of the terms: term bounds[s] of a row is the first one of split s, bounds[splits] is their number.
  std::vector<std::vector<std::size_t>> bounds;
};

/// Makes operation.rows of sums of the terms, each by fused multiply-adds from left to right, +0 of no terms. A thread
/// block, what arrives together, has one tile of one split; those of split 0 come first.
///
/// Errors: unsupported for 2^31 sums and more.
void add_split_sums(LoweredOperation& operation, const SplitSums& split);

/// Items of a split where `splits` of equal size, the last one smaller, are asked for. Error(usage) for more splits
/// than items.
std::size_t items_of_split(const std::string& name, std::string_view what, std::size_t splits, std::size_t items);

/// The order of products where none is given: the library's own is unknown, so each run draws one; of splits atomics.
std::string_view conv_default_order(const Arguments& arguments);
inline constexpr std::string_view kUnknownOrder = "shuffle | seq(acc=fma)";

/// What is known of the library's launch, which `order` stands for.
Launch unknown_launch(std::string_view kernel, std::string_view algorithms, const Order& order);

/// Sets operation.launch to that of splits of so many items each, whose sums `order` adds.
void describe_splits(LoweredOperation& operation, const Order& order, std::size_t splits, const std::string& items);

}  // namespace orderlab
