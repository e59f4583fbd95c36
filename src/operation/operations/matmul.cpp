// matmul: products of rows and columns, whose sums may be split over thread blocks.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "operation/index_rows.hpp"
#include "operation/input_checks.hpp"
#include "operation/ordered_rows.hpp"
#include "order/counts.hpp"
#include "order/formats_along.hpp"
#include "order/fused_units.hpp"
#include "order/stages/format_parameter.hpp"
#include "order/stages/fused.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"
#include "run/heights.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kResiduals[] = {"before", "after"};
constexpr Parameter kMatmulParameters[] = {
    {.name = "m", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "n", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "split_k", .kind = ParameterKind::count, .default_text = "-", .low = 1, .keyword_only = true},
    {.name = "tile", .kind = ParameterKind::extents, .default_text = "128x128x32", .keyword_only = true},
    {.name = "partials",
     .kind = ParameterKind::choice,
     .default_text = "-",
     .choices = kFormatNames,
     .keyword_only = true},
    {.name = "residual",
     .kind = ParameterKind::choice,
     .default_text = "-",
     .choices = kResiduals,
     .keyword_only = true},
    {.name = "unit",
     .kind = ParameterKind::choice,
     .default_text = "-",
     .choices = units::kFusedNames,
     .keyword_only = true},
    {.name = "run", .kind = ParameterKind::count, .default_text = "-", .low = 1, .keyword_only = true},
    {.name = "batch",
     .kind = ParameterKind::count,
     .default_text = "-",
     .low = 1,
     .high = 0x1p31,
     .keyword_only = true},
};
constexpr std::size_t kPartials = 5;
constexpr std::size_t kResidual = 6;
constexpr std::size_t kUnitPlace = 7;
constexpr std::size_t kRunPlace = 8;
constexpr std::size_t kBatchPlace = 9;

/// How a split adds its products.
Order inner_order(const std::string& name, const Arguments& arguments) {
  if (!arguments.has(kUnitPlace)) {
    if (arguments.has(kRunPlace)) throw Error(ErrorKind::usage, name + ": run= needs unit=, such as unit=h100_fp16");
    return parse_order("seq(acc=fma)");
  }
  const std::string unit = std::string(kFusedStageName) + "(" + std::string(arguments.choice(kUnitPlace));
  return parse_order(arguments.has(kRunPlace) ? unit + ",run=" + std::to_string(arguments.count(kRunPlace)) + ") | seq"
                                              : unit + ")");
}

struct MatmulSizes {
  std::size_t m, n, k;
  std::size_t tile_m, tile_n, tile_k;
  std::size_t tiles;      ///< number of tiles of the output
  std::size_t per_split;  ///< terms of a split, the last one fewer
  std::size_t splits;
  std::size_t launched;  ///< tiles of the launch: of the whole batch, where that is given
};

// Splits are whole tiles of k. Not given, there are as many as keep every multiprocessor busy with a tile, of the rows
// of the whole batch.
MatmulSizes sizes_of(const Arguments& arguments, const Device& device) {
  const Extents& tile = arguments.extents(4);
  MatmulSizes s{arguments.count(0), arguments.count(1), arguments.count(2), tile[0], tile[1], tile[2], 0, 0, 0, 0};
  s.tiles = ceil_div(s.m, s.tile_m) * ceil_div(s.n, s.tile_n);
  const std::size_t k_tiles = ceil_div(s.k, s.tile_k);
  s.launched =
      arguments.has(kBatchPlace) ? ceil_div(arguments.count(kBatchPlace), s.tile_m) * ceil_div(s.n, s.tile_n) : s.tiles;
  const std::size_t wanted =
      arguments.has(3) ? arguments.count(3) : std::clamp<std::size_t>(device.multiprocessors / s.launched, 1, k_tiles);
  s.per_split = ceil_div(k_tiles, std::min<std::size_t>(wanted, k_tiles)) * s.tile_k;
  s.splits = ceil_div(s.k, s.per_split);
  return s;
}

OperationInputs generate_matmul(const Arguments& arguments, const GeneratedInputs& what) {
  const Shape a{arguments.count(0), arguments.count(2)};
  const Shape b{arguments.count(2), arguments.count(1)};
  std::optional<Tensor> residual;
  if (arguments.has(kResidual)) residual = draw_tensor({arguments.count(0), arguments.count(1)}, what, 2);
  return {draw_tensor(a, what, 0), draw_tensor(b, what, 1), std::nullopt, std::move(residual), what.formats};
}

/// Products of row i of A with each column of B, terms begin .. begin + count - 1 of them.
TermRows row_products(const LoweredOperation& operation, const MatmulSizes& s, std::size_t i, std::size_t begin,
                      std::size_t count) {
  const Format format = operation.formats.terms;
  return {format, s.n,
          count,  number_at(format, operation.kept[0].view().x, i * s.k + begin),
          0,      number_at(format, operation.kept[1].view().x, begin),
          s.k};
}

/// Each split's sum of each output, rounded to formats.accumulate, and the thread blocks that add them: the tiles of
/// split 0, those of split 1, ... `starts` are what the sums of a unit start from, where there is one split.
Contributions split_sums(const LoweredOperation& operation, const MatmulSizes& s, const Order& inner_order,
                         std::span<const double> starts) {
  const std::size_t outputs = s.m * s.n;
  const Format inner = operation.accumulates_terms_in();
  const Formats formats{operation.formats.terms, inner, inner};
  Contributions rows;
  rows.values = Terms(operation.formats.accumulate, outputs * s.splits);
  rows.unit.resize(outputs * s.splits);
  rows.units = static_cast<std::uint32_t>(s.tiles * s.splits);
  for (std::size_t r = 0; r <= outputs; ++r) rows.row_begin.push_back(static_cast<std::uint32_t>(r * s.splits));
  std::vector<double> sums(s.n);
  for (std::size_t split = 0; split < s.splits; ++split) {
    const std::size_t begin = split * s.per_split;
    const std::size_t count = std::min(s.per_split, s.k - begin);
    const RowSums add(compile(inner_order, count, formats, true));
    for (std::size_t i = 0; i < s.m; ++i) {
      TermRows row = row_products(operation, s, i, begin, count);
      if (!starts.empty()) row.starts = starts.data() + i * s.n;
      add.evaluate(row, sums);
      for (std::size_t j = 0; j < s.n; ++j) {
        const std::size_t place = (i * s.n + j) * s.splits + split;
        rows.values.set(place, sums[j]);
        const std::size_t tile = i / s.tile_m * ceil_div(s.n, s.tile_n) + j / s.tile_n;
        rows.unit[place] = static_cast<std::uint32_t>(split * s.tiles + tile);
      }
    }
  }
  return rows;
}

std::string addition_text(const LoweredOperation& operation, const MatmulSizes& s, const Order& inner,
                          const Order& order, bool residual) {
  const std::string partials(info(operation.formats.accumulate).name);
  const bool from_self = operation.addition.initial_in_unit;
  std::string text = std::string(s.splits > 1 ? "each split by " : "by ") +
                     (inner.stages().front().stage->name == kFusedStageName ? inner.expression()
                                                                            : "fused multiply-adds from left to right");
  if (from_self) text += ", starting from self";
  if (operation.made_in) text += ", rounded to " + partials;
  if (s.splits > 1) text += "; then " + order.expression() + (operation.made_in ? " in " + partials : "");
  if (residual)
    text += operation.addition.initial_after_rounding ? "; rounded, and the residual added in the result format"
                                                      : "; then the residual, before the sum is rounded";
  return text;
}

/// Error(usage) for an order of splits that fuses products.
void require_adds_splits(const std::string& name, const Order& order) {
  for (const StageCall& call : order.stages())
    if (call.stage->name == kFusedStageName)
      throw Error(ErrorKind::usage, name + ": order " + order.expression() +
                                        ": adds the sums of the splits, which are no products; say the unit that adds "
                                        "the products in the operation, as in matmul(m,n,k,unit=h100_fp16)");
}

/// Numbers as doubles.
std::vector<double> values_of(const Terms& terms) {
  std::vector<double> values(terms.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = terms.view().left(i);
  return values;
}

/// Takes the format of the partial sums for that of the additions that remain.
void round_partials(LoweredOperation& operation, const std::string& name, const Arguments& arguments) {
  if (!arguments.has(kPartials)) return;
  const Format partials = format_of(arguments.choice(kPartials));
  const Format inner = operation.formats.accumulate;
  if (!holds_all_of(inner, partials))
    throw Error(ErrorKind::usage, name + ": partials=" + std::string(info(partials).name) +
                                      ": the sums of the splits are accumulated in " + std::string(info(inner).name) +
                                      ", which does not hold all of its numbers; give partials no wider than that");
  if (partials != inner) operation.made_in = inner;
  operation.formats.accumulate = partials;
}

LoweredOperation lower_matmul(const OperationCall& call, OperationInputs inputs, const Device& device,
                              const Order* given) {
  const std::string name = to_string(call);
  const MatmulSizes s = sizes_of(call.arguments, device);
  if (!inputs.factor) throw Error(ErrorKind::usage, name + ": needs a second matrix");
  require_shape(name, "the input", inputs.source.shape, {s.m, s.k});
  require_shape(name, "--with", inputs.factor->shape, {s.k, s.n});
  if (inputs.self) require_shape(name, "self", inputs.self->shape, {s.m, s.n});
  const bool residual = call.arguments.has(kResidual);
  if (residual && !inputs.self)
    throw Error(ErrorKind::usage, name + ": no residual: give it as self, " + to_string(Shape{s.m, s.n}));
  require_small(name + ": number of sums",
                static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.splits));

  LoweredOperation result;
  result.formats = inputs.formats;
  round_partials(result, name, call.arguments);
  result.shape = {s.m, s.n};
  result.kept.push_back(std::move(inputs.source.terms));
  result.kept.push_back(with_last(*inputs.factor, 0));
  for (std::size_t i = 0; i < s.m; ++i) result.terms.add(row_products(result, s, i, 0, s.k));
  const Order order = given != nullptr ? *given : parse_order(default_order(call));
  require_adds_splits(name, order);
  const Order inner = inner_order(name, call.arguments);
  const Format inner_format = result.accumulates_terms_in();
  const auto first_split =
      compile(inner, std::min(s.per_split, s.k), {result.formats.terms, inner_format, inner_format}, true);
  const bool from_self = inputs.self && !residual && s.splits == 1 && first_split->unit_of_all() != nullptr;
  std::optional<Terms> initial;
  if (inputs.self) initial = converted(inputs.self->terms, from_self ? inner_format : result.formats.accumulate);
  add_splits(result, name, order, s.splits, initial.has_value() && !residual && !from_self);
  result.addition.initial_in_unit = from_self;
  if (residual) {
    result.addition.initial_last = true;
    result.addition.initial_after_rounding = call.arguments.choice(kResidual) == "after";
  }
  result.rows = split_sums(result, s, inner, from_self ? values_of(*initial) : std::vector<double>());
  result.height_before =
      call.arguments.has(kUnitPlace) ? first_split->heights().left.first() : std::min(s.per_split, s.k);
  result.rows.initial = std::move(initial);

  Launch& launch = result.launch;
  launch.kernel = s.splits == 1 ? "tiles of the output" : "tiles of the output, split along k";
  launch.source = "the split-K scheme of CUTLASS; which split a library chooses depends on its version";
  launch.reason = std::to_string(s.launched) + (s.launched == 1 ? " tile" : " tiles") + " on " +
                  std::to_string(device.multiprocessors) + " multiprocessors: " + std::to_string(s.splits) +
                  (s.splits == 1 ? " split" : " splits");
  launch.addition = addition_text(result, s, inner, order, residual);
  launch.unit = "a thread block: one tile of one split, " + std::to_string(std::min(s.per_split, s.k)) + " products";
  launch.grid = s.tiles * s.splits;
  launch.guarantee = result.addition.arrives ? Guarantee::not_guaranteed : Guarantee::run_to_run;
  return result;
}

}  // namespace

extern const TensorOperation kMatmul;
const TensorOperation kMatmul{
    .name = "matmul",
    .summary =
        "multiplies the input (m x k) by --with (k x n); tiles and splits depend on the shape and the GPU; unit= is "
        "what adds products, one of `orderlab list units`, from zero every run= of them; partials=f rounds the sum of "
        "each split to f and adds these sums in f; sums start from self, which is added to the pieces of a unit where "
        "there are several; with residual= self is added last, before or after the sum is rounded; batch= rows choose "
        "the "
        "split, and only m of them are looked at",
    .adds = "fused multiply-adds, or a unit; of several splits, one atomicAdd per split and output",
    .source = "the split-K scheme of CUTLASS",
    .documented = "of cuBLAS: the same bits on one stream, or with CUBLAS_WORKSPACE_CONFIG set",
    .freedom =
        "every order and grouping of the products and self, fused or not: libraries choose tiles, splits and "
        "instructions by shape and version (cuBLAS, CUTLASS)",
    .assumes = "these tiles and splits, each added from left to right by fused multiply-adds, or by the unit",
    .parameters = kMatmulParameters,
    .takes_factor = true,
    .takes_order = true,
    .needs_shape = false,
    .self_is_sum = true,
    .default_order = "ao",
    .generate = generate_matmul,
    .lower = lower_matmul,
};

}  // namespace orderlab
