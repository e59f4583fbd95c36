// all_reduce: one array from each rank, added element by element.
#include <algorithm>
#include <string>

#include "operation/all_reduce_kernels.hpp"
#include "operation/index_rows.hpp"
#include "operation/ordered_rows.hpp"
#include "order/stages/format_parameter.hpp"
#include "orderlab/error.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

constexpr Parameter kAllReduceParameters[] = {
    {.name = "ranks", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "partials",
     .kind = ParameterKind::choice,
     .default_text = "-",
     .choices = kFormatNames,
     .keyword_only = true},
    {.name = "algorithm",
     .kind = ParameterKind::choice,
     .default_text = "-",
     .choices = kAllReduceAlgorithmNames,
     .keyword_only = true},
    {.name = "library",
     .kind = ParameterKind::choice,
     .default_text = "-",
     .choices = kAllReduceLibraryNames,
     .keyword_only = true},
    {.name = "bytes", .kind = ParameterKind::count, .default_text = "-", .low = 1, .keyword_only = true},
    {.name = "batch",
     .kind = ParameterKind::count,
     .default_text = "-",
     .low = 1,
     .high = 0x1p31,
     .keyword_only = true}};
constexpr std::size_t kReduceRanks = 0;
constexpr std::size_t kReducePartials = 1;
constexpr std::size_t kReduceBy = 2;
constexpr std::size_t kReduceLibrary = 3;
constexpr std::size_t kReduceBytes = 4;
constexpr std::size_t kReduceBatch = 5;

OperationInputs generate_all_reduce(const Arguments& arguments, const GeneratedInputs& what) {
  Shape shape = what.shape;
  shape.insert(shape.begin(), arguments.count(0));
  return {draw_tensor(shape, what, 0), std::nullopt, std::nullopt, std::nullopt, what.formats};
}

/// Whether the order begins where a ring does: at a rank that depends on the chunk.
bool begins_with_rotation(const Order& order, std::size_t ranks, Format accumulate) {
  const Steps steps = describe(order.stages().front(), ranks, accumulate);
  const auto* move = steps.empty() ? nullptr : std::get_if<orderlab::steps::Move>(&steps.front().is);
  return move != nullptr && move->kind == orderlab::steps::Move::Kind::rotate;
}

/// The array of a rank: rows of `columns` elements each, among which the requests of the input are spread evenly.
struct ReducedArray {
  std::size_t rows;
  std::size_t columns;
  std::size_t requests;

  std::size_t elements() const { return rows * columns; }

  /// Where element e of the requests stands: each request in the middle of its share of the rows, so that one alone is
  /// in no part's first row.
  std::size_t place(std::size_t e) const {
    const std::size_t row = (2 * (e / columns) + 1) * rows / (2 * requests);
    return row * columns + e % columns;
  }
};

ReducedArray array_of(const Arguments& arguments, const Shape& shape) {
  const std::size_t elements = element_count(shape);
  if (!arguments.has(kReduceBatch)) return {1, elements, 1};
  const std::size_t columns = shape.size() > 1 ? shape.back() : elements;
  return {arguments.count(kReduceBatch), columns, elements / columns};
}

/// The kernel of algorithm= or library=, for part 0; empty without them.
std::optional<AllReduceKernel> kernel_of_all_reduce(const std::string& name, const Arguments& arguments,
                                                    const ReducedArray& array, Format terms) {
  const std::size_t ranks = arguments.count(kReduceRanks);
  const bool by_library = arguments.has(kReduceLibrary);
  if (by_library && arguments.has(kReduceBy))
    throw Error(ErrorKind::usage, name + ": library= chooses the algorithm; give one of algorithm= and library=");
  if (arguments.has(kReduceBytes) && !by_library)
    throw Error(ErrorKind::usage, name + ": bytes= is what library= chooses the algorithm by; give library=, too");
  if (arguments.has(kReduceBatch) && !by_library && !arguments.has(kReduceBy))
    throw Error(ErrorKind::usage, name + ": batch= is for a kernel of library= or algorithm=; give one of them");
  if (!by_library && !arguments.has(kReduceBy)) return std::nullopt;
  if (ranks < 2) throw Error(ErrorKind::usage, name + ": kernels add what 2 ranks or more have");
  if (!by_library)
    return all_reduce_kernel_of(*enumerator_named<AllReduceAlgorithm::tree>(arguments.choice(kReduceBy)), ranks, 0);
  const std::size_t bytes =
      arguments.has(kReduceBytes) ? arguments.count(kReduceBytes) : array.elements() * info(terms).gpu_bytes();
  return all_reduce_kernel(*enumerator_named<AllReduceLibrary::vllm>(arguments.choice(kReduceLibrary)), ranks, bytes,
                           0);
}

LoweredOperation lower_all_reduce(const OperationCall& call, OperationInputs inputs, const Device&,
                                  const Order* given) {
  const std::string name = to_string(call);
  const std::size_t ranks = call.arguments.count(kReduceRanks);
  const Shape& shape = inputs.source.shape;
  if (shape.empty() || shape[0] != ranks)
    throw Error(ErrorKind::input, name + ": the input is " + to_string(shape) +
                                      "; its first dimension is that of the " + std::to_string(ranks) + " ranks");
  if (inputs.self) throw Error(ErrorKind::usage, name + ": starts from the first rank's numbers; leave self out");
  const std::size_t elements = inputs.source.terms.size() / ranks;
  const Format terms = inputs.formats.terms;
  LoweredOperation result;
  result.formats = inputs.formats;
  result.shape.assign(shape.begin() + 1, shape.end());
  const ReducedArray array = array_of(call.arguments, result.shape);
  const std::optional<AllReduceKernel> kernel = kernel_of_all_reduce(name, call.arguments, array, terms);
  if (kernel && given != nullptr)
    throw Error(ErrorKind::usage, name + ": its kernel has an order of its own; leave out --order");
  const Order order = kernel             ? parse_order(kernel->order)
                      : given != nullptr ? *given
                                         : parse_order(default_order(call));
  if (call.arguments.has(kReducePartials))
    result.formats.accumulate = format_of(call.arguments.choice(kReducePartials));
  else if (kernel && kernel->rounded_each_hop && info(terms).uses.sums)
    result.formats.accumulate = terms;
  else if (kernel)
    result.formats = with_kernel_sums(result.formats);
  Terms rows = with_last(inputs.source, 0);
  const bool ring = begins_with_rotation(order, ranks, result.formats.accumulate);
  const AllReduceAlgorithm algorithm = kernel ? kernel->algorithm : AllReduceAlgorithm::ring;
  if (ring)
    with_type_of(rows.format(), [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      T* row = numbers<T>(rows);
      for (std::size_t e = 0; e < elements; ++e, row += ranks)
        std::rotate(row,
                    row + all_reduce_part(algorithm, ranks, array.elements(), info(terms).gpu_bytes(), array.place(e)),
                    row + ranks);
    });
  result.kept.push_back(std::move(rows));
  add_by_order(result, {{terms, elements, ranks, result.kept[0].view().x, ranks}}, order, std::nullopt);
  Launch& launch = result.launch;
  if (call.arguments.has(kReducePartials) || kernel)
    launch.addition += " in " + std::string(info(result.formats.accumulate).name);
  launch.addition += ring ? "; chunk c, of " + std::to_string(ranks) + " chunks, begins c ranks later" : "";
  if (kernel) {
    launch.kernel = name_of(kernel->algorithm);
    launch.source = kernel->source;
    launch.reason = kernel->reason.empty() ? "set by algorithm=" : kernel->reason;
    launch.guarantee = Guarantee::run_to_run;
  }
  return result;
}

}  // namespace

extern const TensorOperation kAllReduce;
const TensorOperation kAllReduce{
    .name = "all_reduce",
    .summary =
        "adds the arrays of all ranks element by element; the input has the ranks as its first dimension; "
        "partials=f sends and adds numbers of format f; algorithm= is that of a kernel, which library= chooses by the "
        "number of ranks and the bytes of a rank, bytes= or those of the input; batch= rows are added at once, among "
        "which those of the input are spread evenly",
    .adds = "the order of --order; rings begin each chunk at another rank",
    .source = "orderlab, the grammar of orders; NCCL and Open MPI for rings; vLLM for one shot and two",
    .freedom =
        "every order and grouping of the ranks: a ring begins at another rank for each chunk, trees and recursive "
        "doubling group ranks by topology and size (NCCL, Open MPI)",
    .assumes =
        "the order of --order, in the order of the ranks, and equal chunks; library=nccl: one node with NVLink of "
        "Hopper, no NVLS, whose order is not published",
    .parameters = kAllReduceParameters,
    .takes_order = true,
    .default_order = "nccl_ring",
    .generate = generate_all_reduce,
    .lower = lower_all_reduce,
};

}  // namespace orderlab
