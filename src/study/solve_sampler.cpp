// One run of a solver, compared with the run in launch order.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/solve.hpp"
#include "orderlab/terms.hpp"

namespace orderlab::study {

namespace {

constexpr std::uint64_t kDotSite = 0;
constexpr std::uint64_t kProductSite = 1;

template <class T>
std::vector<T> rounded_numbers(const std::vector<double>& numbers) {
  std::vector<T> rounded(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) rounded[i] = static_cast<T>(numbers[i]);
  return rounded;
}

/// Infinite where it is not a number.
double or_infinite(double value) { return std::isnan(value) ? std::numeric_limits<double>::infinity() : value; }

/// |a - b| / |b|; 0 for equal ones.
template <class T>
double relative_distance(std::span<const T> a, std::span<const T> b) {
  double difference = 0;
  double size = 0;
  each_in_pass(a.size(), [&](std::size_t i) {
    const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    difference += d * d;
    size += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  });
  return difference == 0 ? 0 : or_infinite(std::sqrt(difference) / std::sqrt(size));
}

template <class T>
std::string hash_of_numbers(const std::vector<T>& x) {
  Terms terms(kFormatOf<T>, x.size());
  std::memcpy(terms.bytes().data(), x.data(), x.size() * sizeof(T));
  return terms.hash();
}

SumSite row_site(const SolveRequest& request) {
  return {kProductSite, request.row_order ? *request.row_order : parse_order("seq")};
}

template <class T>
SolverSites sites_of(const SolveRequest& request, const SparseMatrix<T>& matrix) {
  SumSite dots(kDotSite, request.order);
  if (request.spmv == RowSums::rows) return {std::move(dots), row_site(request)};
  if (matrix.entries() == 0) throw RequestError("spmv", "coo", "the matrix has no entries to add; use rows");
  return {std::move(dots), IndexAddSite(kProductSite, coordinate_product(matrix), request.arrival)};
}

}  // namespace

struct SolveSampler::Parts {
  virtual ~Parts() = default;
  virtual std::optional<SolveRecord> record(std::uint64_t sample, Reductions reductions,
                                            const std::stop_token& stop) const = 0;

  SolveRecord launch;
};

namespace {

template <class T>
class TypedSampler final : public SolveSampler::Parts {
 public:
  TypedSampler(const SolveInput& input, const SolveRequest& request)
      : solver_(find_solver(request.solver)),
        system_(sparse_matrix<T>(input.matrix.rows, input.matrix.columns, input.matrix.entries),
                rounded_numbers<T>(input.right), request.preconditioner),
        sites_(sites_of(request, system_.matrix())),
        limits_{*request.tolerance, request.max_iterations, request.restart},
        seed_(request.seed) {
    request.order.check(system_.size(), true, kFormatOf<T>);
    if (request.spmv == RowSums::rows && request.row_order) check_rows(*request.row_order);
    check_finite(system_.matrix().value, "matrix");
    check_finite(system_.right(), "right-hand side");
  }

  /// False when stopped.
  bool run_launch(const std::stop_token& stop) {
    const auto keep = [this](std::uint64_t, std::span<const T> x) { checkpoints_.emplace_back(x.begin(), x.end()); };
    const std::optional<Solution<T>> solution = run(0, Reductions::launch, stop, keep);
    if (!solution) return false;
    solution_ = solution->x;
    launch = record_of(*solution);
    launch.distances.assign(checkpoints_.size(), 0.0);
    return true;
  }

  std::optional<SolveRecord> record(std::uint64_t sample, Reductions reductions,
                                    const std::stop_token& stop) const override {
    std::vector<double> distances;
    const auto compare = [&](std::uint64_t, std::span<const T> x) {
      if (distances.size() < checkpoints_.size())
        distances.push_back(relative_distance<T>(x, checkpoints_[distances.size()]));
    };
    const std::optional<Solution<T>> solution = run(sample, reductions, stop, compare);
    if (!solution) return std::nullopt;
    SolveRecord record = record_of(*solution);
    record.distances = std::move(distances);
    return record;
  }

 private:
  /// Numbers of an input are finite in fp64.
  static void check_finite(const std::vector<T>& numbers, std::string_view what) {
    if (!std::all_of(numbers.begin(), numbers.end(), [](T x) { return std::isfinite(x); }))
      throw RequestError("format", std::string(info(kFormatOf<T>).name),
                         "the " + std::string(what) + " has numbers that are inf in this format; use fp64");
  }

  void check_rows(const Order& order) const {
    const auto& begin = system_.matrix().row_begin;
    for (std::size_t i = 0; i + 1 < begin.size(); ++i)
      if (begin[i + 1] > begin[i]) order.check(begin[i + 1] - begin[i], true, kFormatOf<T>);
  }

  std::optional<Solution<T>> run(std::uint64_t sample, Reductions reductions, const std::stop_token& stop,
                                 const VisitCheckpoint<T>& visit) const {
    SolveLimits limits = limits_;
    limits.stop = stop;
    ProgramRun program(seed_, sample, reductions);
    Solution<T> solution = solve<T>(solver_, system_, sites_, limits, program, visit);
    if (solution.end == SolveEnd::stopped) return std::nullopt;
    return solution;
  }

  SolveRecord record_of(const Solution<T>& solution) const {
    SolveRecord record;
    record.end = solution.end;
    record.breakdown = solution.breakdown;
    record.residuals = solution.residuals;
    record.true_residual = or_infinite(system_.relative_residual(solution.x));
    record.solution_distance = relative_distance<T>(solution.x, solution_);
    record.solution_hash = hash_of_numbers(solution.x);
    return record;
  }

  const Solver& solver_;
  LinearSystem<T> system_;
  SolverSites sites_;
  SolveLimits limits_;
  std::uint64_t seed_;
  std::vector<std::vector<T>> checkpoints_;  ///< checkpoints of the run in launch order
  std::vector<T> solution_;
};

}  // namespace

SolveSampler::SolveSampler(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
SolveSampler::~SolveSampler() = default;
SolveSampler::SolveSampler(SolveSampler&&) noexcept = default;

std::optional<SolveSampler> SolveSampler::make(const SolveInput& input, const SolveRequest& request,
                                               const std::stop_token& stop) {
  const FloatEnvironment environment;
  validate(request);
  SolveRequest whole = request;
  whole.tolerance = tolerance_of(request);
  const StopScope scope(stop);
  const auto made = [&](auto* type) -> std::optional<SolveSampler> {
    auto parts = std::make_unique<TypedSampler<std::remove_pointer_t<decltype(type)>>>(input, whole);
    if (!parts->run_launch(stop)) return std::nullopt;
    return SolveSampler(std::move(parts));
  };
  return unless_stopped([&] {
           return request.format == Format::fp64 ? made(static_cast<double*>(nullptr))
                                                 : made(static_cast<float*>(nullptr));
         })
      .value_or(std::nullopt);
}

const SolveRecord& SolveSampler::launch() const { return parts_->launch; }

std::optional<SolveRecord> SolveSampler::record(std::uint64_t sample, Reductions reductions,
                                                const std::stop_token& stop) const {
  const FloatEnvironment environment;
  const StopScope scope(stop);
  return unless_stopped([&] { return parts_->record(sample, reductions, stop); }).value_or(std::nullopt);
}

}  // namespace orderlab::study
