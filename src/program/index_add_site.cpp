#include <algorithm>
#include <string>
#include <utility>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "operation/index_add_launch.hpp"
#include "operation/input_checks.hpp"
#include "order/resolve.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "program/index_add_slices.hpp"

namespace orderlab {

namespace {

std::size_t checked_rows(const IndexAdd& what) {
  if (!what.source.empty() && what.source.size() != what.target.size())
    throw Error(ErrorKind::usage, "index_add: " + std::to_string(what.source.size()) + " source rows for " +
                                      std::to_string(what.target.size()) + " targets; give one for each, or none");
  if (what.target.empty() || what.width == 0) throw Error(ErrorKind::usage, "index_add: nothing to add");
  const auto require_below = [&](const std::vector<std::uint32_t>& index, const char* name) {
    for (std::size_t i = 0; i < index.size(); ++i)
      if (index[i] >= what.outputs)
        throw Error(ErrorKind::usage, "index_add: " + std::string(name) + " " + std::to_string(i) + " is " +
                                          std::to_string(index[i]) + "; must be below " + std::to_string(what.outputs));
  };
  require_below(what.target, "target");
  require_below(what.wanted, "wanted output");
  std::vector<std::uint32_t> wanted = what.wanted;
  std::sort(wanted.begin(), wanted.end());
  if (std::adjacent_find(wanted.begin(), wanted.end()) != wanted.end())
    throw Error(ErrorKind::usage, "index_add: a wanted output is given twice");
  require_small("index_add: numbers", static_cast<double>(what.target.size()) * static_cast<double>(what.width));
  require_small("index_add: outputs", static_cast<double>(what.outputs) * static_cast<double>(what.width));
  const std::size_t rows = what.source.empty()
                               ? what.target.size()
                               : std::size_t{*std::max_element(what.source.begin(), what.source.end())} + 1;
  require_small("index_add: numbers of the source", static_cast<double>(rows) * static_cast<double>(what.width));
  return rows;
}

/// Slices of the source by output: `begin` of each output in `slices`, which are in launch order.
struct ByOutput {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> slices;
};

ByOutput by_output(const IndexAdd& what) {
  ByOutput result{std::vector<std::uint32_t>(what.outputs + 1, 0), std::vector<std::uint32_t>(what.target.size())};
  each_in_pass(what.target.size(), [&](std::size_t i) { ++result.begin[what.target[i] + 1]; });
  for (std::size_t t = 0; t < what.outputs; ++t) result.begin[t + 1] += result.begin[t];
  std::vector<std::uint32_t> next(result.begin.begin(), result.begin.end() - 1);
  each_in_pass(what.target.size(),
               [&](std::size_t i) { result.slices[next[what.target[i]]++] = static_cast<std::uint32_t>(i); });
  return result;
}

}  // namespace

IndexAddSite::Slices::Slices(const IndexAdd& what, ArrivalCall call, const Device& device)
    : arrival(std::move(call)),
      launch(index_add_launch(what.target.size(), what.width, device)),
      rows(checked_rows(what)),
      outputs(what.outputs),
      width(what.width) {
  units = (what.target.size() * width + kIndexAddThreads - 1) / kIndexAddThreads;
  const bool arrives = launch.guarantee == Guarantee::not_guaranteed;
  if (arrives) arrival.model->check(*arrival.arguments, units);
  const ByOutput order = by_output(what);
  std::vector<std::size_t> cuts;
  const auto add_segments = [&](std::uint32_t output) {
    const auto slices =
        std::span(order.slices).subspan(order.begin[output], order.begin[output + 1] - order.begin[output]);
    if (slices.empty()) return;
    cuts.assign(1, 0);  // columns at which some slice goes over to the next unit
    for (const std::size_t i : slices)
      for (std::size_t c = kIndexAddThreads - i * width % kIndexAddThreads; c < width; c += kIndexAddThreads)
        cuts.push_back(c);
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    cuts.push_back(width);
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
      const auto begin = static_cast<std::uint32_t>(pieces.size());
      for (const std::uint32_t i : slices)
        pieces.push_back({what.source.empty() ? i : what.source[i],
                          static_cast<std::uint32_t>((i * width + cuts[k]) / kIndexAddThreads)});
      const auto end = static_cast<std::uint32_t>(pieces.size());
      const bool several = pieces[begin].unit != pieces[end - 1].unit;
      const std::uint32_t row = pieces[begin].row;
      for (std::uint32_t p = begin; p < end; ++p) consecutive = consecutive && pieces[p].row == row + (p - begin);
      segments.push_back({output, static_cast<std::uint32_t>(cuts[k]),
                          static_cast<std::uint32_t>(cuts[k + 1] - cuts[k]), begin, end, row, arrives && several});
    }
    most_pieces = std::max(most_pieces, slices.size());
  };
  if (what.wanted.empty())
    each_in_pass(what.outputs, [&](std::size_t output) { add_segments(static_cast<std::uint32_t>(output)); });
  else
    each_in_pass(what.wanted.size(), [&](std::size_t k) { add_segments(what.wanted[k]); });
  varies = std::any_of(segments.begin(), segments.end(), [](const Segment& s) { return s.varies; });
}

IndexAddSite::IndexAddSite(std::uint64_t number, const IndexAdd& what, std::string_view arrival, const Device& device)
    : number_(number), slices_(in_float_environment([&] {
        return std::make_unique<Slices>(what, parse_arrival(std::string(arrival)), device);
      })) {
  DrawPath{.site = number}.key();  // checks it
}

IndexAddSite::~IndexAddSite() = default;
IndexAddSite::IndexAddSite(IndexAddSite&&) noexcept = default;

std::string IndexAddSite::arrival() const { return to_string(slices_->arrival); }
const Launch& IndexAddSite::launch() const { return slices_->launch; }
std::size_t IndexAddSite::units() const { return slices_->units; }
bool IndexAddSite::varies() const { return slices_->varies; }

template <class T>
IndexAdd coordinate_product(const SparseMatrix<T>& matrix) {
  const FloatEnvironment environment;
  IndexAdd what;
  what.outputs = matrix.rows;
  each_in_pass(matrix.rows, [&](std::size_t i) {
    what.target.insert(what.target.end(), matrix.row_begin[i + 1] - matrix.row_begin[i], static_cast<std::uint32_t>(i));
  });
  return what;
}

template IndexAdd coordinate_product<float>(const SparseMatrix<float>&);
template IndexAdd coordinate_product<double>(const SparseMatrix<double>&);

}  // namespace orderlab
