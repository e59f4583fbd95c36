// What picking the best of several runs adds to a score.
#pragma once

#include <cstdint>
#include <span>

namespace orderlab {

/// Expected maximum of k of the scores, drawn without replacement, minus their mean: an unbiased estimate of by how
/// much the best of k runs lies above the mean run, whatever the distribution. With k as many as there are it is max -
/// mean.
///
/// E = sum_i x_(i) C(i - 1, k - 1) / C(n, k), the i-th smallest being the largest of so many choices.
///
/// Shape:  `ascending` finite, 1 <= k <= its size.
/// Source: [Tang2020], order statistics of a sample [David2003].
double best_of_gain(std::span<const double> ascending, std::uint64_t k);

}  // namespace orderlab
