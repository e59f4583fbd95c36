#include "operation/index_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/drawn_index.hpp"
#include "core/pass.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace detail {

void scatter_values(const Terms& source, const std::vector<std::uint32_t>& terms, Terms& values) {
  with_type_of(source.format(), [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const T* const from = static_cast<const T*>(source.view().x);
    T* const to = numbers<T>(values);
    each_in_pass(terms.size(), [&](std::size_t i) { to[i] = from[terms[i]]; });
  });
}

}  // namespace detail

Around around(const Shape& shape, std::size_t dim) {
  Around result;
  for (std::size_t d = 0; d < dim; ++d) result.outer *= shape[d];
  if (dim < shape.size()) result.extent = shape[dim];
  for (std::size_t d = dim + 1; d < shape.size(); ++d) result.inner *= shape[d];
  return result;
}

std::size_t checked_bins(const std::string& operation, const IndexTensor& index, const std::optional<Tensor>& self,
                         std::size_t dim) {
  constexpr std::int64_t kMostBins = 0x7FFFFFFF;
  const std::int64_t bins = self ? static_cast<std::int64_t>(self->shape[dim]) : kMostBins;
  each_in_pass(index.values.size(), [&](std::size_t i) {
    const std::int64_t value = index.values[i];
    if (value >= 0 && value < bins) return;
    const std::string problem = value < 0 ? "is negative"
                                : self    ? "is out of range: self has " + std::to_string(bins)
                                          : "is too large";
    throw Error(ErrorKind::input, operation + ": index " + std::to_string(value) + " at position " + std::to_string(i) +
                                      " " + problem + "; indices go from 0 to " + std::to_string(bins - 1));
  });
  const std::int64_t greatest = *std::max_element(index.values.begin(), index.values.end());
  return static_cast<std::size_t>(self ? bins : greatest + 1);
}

void require_dimension(const std::string& operation, std::uint64_t dim, const Shape& shape) {
  if (dim < shape.size() || (shape.empty() && dim == 0)) return;
  throw Error(ErrorKind::usage, operation + ": there is no dimension " + std::to_string(dim) + "; the input is " +
                                    to_string(shape) + ", its dimensions go from 0 to " +
                                    std::to_string(shape.size() - 1));
}

void require_like(const std::string& operation, std::string_view what, const Shape& shape, const Shape& source,
                  std::size_t dim) {
  bool fits = shape.size() == source.size();
  for (std::size_t d = 0; fits && d < shape.size(); ++d) fits = d == dim || shape[d] == source[d];
  if (fits) return;
  throw Error(ErrorKind::input, operation + ": " + std::string(what) + " is " + to_string(shape) + " and the input " +
                                    to_string(source) + "; they must have the same shape except along dimension " +
                                    std::to_string(dim));
}

std::vector<std::int64_t> draw_index(std::size_t count, std::size_t bins, const GeneratedInputs& what) {
  std::vector<std::int64_t> index(count);
  in_chunks(count, [&](std::size_t first, std::size_t some) {
    draw_index_part(index.data() + first, first, some, bins, what.seed, what.number);
  });
  return index;
}

Tensor draw_tensor(const Shape& shape, const GeneratedInputs& what, std::uint64_t site) {
  const std::uint64_t seed = DrawPath{.seed = what.seed, .site = site}.key();
  return {shape, generate_terms(what.distribution, element_count(shape), what.formats.terms, seed, what.number)};
}

std::size_t share_of(double ratio, std::size_t extent) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(ratio * static_cast<double>(extent))));
}

Terms converted(const Terms& terms, Format format) {
  if (terms.format() == format) return terms;
  Terms result(format, terms.size());
  const TermView view = terms.view();
  each_in_pass(terms.size(), [&](std::size_t i) { result.set(i, view.left(i)); });
  return result;
}

Terms with_last(const Tensor& tensor, std::size_t axis) {
  const Around sizes = around(tensor.shape, axis);
  if (sizes.inner == 1) return tensor.terms;
  Terms result(tensor.terms.format(), tensor.terms.size());
  with_type_of(tensor.terms.format(), [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const T* const from = static_cast<const T*>(tensor.terms.view().x);
    T* to = numbers<T>(result);
    for (std::size_t o = 0; o < sizes.outer; ++o)
      for (std::size_t c = 0; c < sizes.inner; ++c)
        for (std::size_t i = 0; i < sizes.extent; ++i) *to++ = from[(o * sizes.extent + i) * sizes.inner + c];
  });
  return result;
}

}  // namespace orderlab
