// Programs on drawn orders: iterative code whose sums draw a new order in every call.
//
//     const SumSite dots(0, parse_order("spa"));
//     const auto norms = run_samples<double>({.samples = 100}, [&](ProgramRun& run) {
//       std::vector<double> x = start;
//       for (int step = 0; step < 50; ++step) {
//         multiply(x);                                // code of the user
//         scale(x, 1 / run.norm2<double>(dots, x));  // added in an order of its own, in each step and sample
//       }
//       return x[0];
//     });
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/operation.hpp"
#include "orderlab/order.hpp"
#include "orderlab/parameters.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/sparse_matrix.hpp"

namespace orderlab {

/// How the sums of a run are added.
enum class Reductions : std::uint8_t {
  drawn,   ///< each in an order drawn for (seed, site, call, sample)
  launch,  ///< each in its fixed form: arrivals in launch order, no shuffles. All runs agree in every bit.
  exact,   ///< each is the exact sum, rounded once. No order matters.
};

/// A type that programs compute with.
template <class T>
concept ProgramNumber = std::same_as<T, float> || std::same_as<T, double>;

/// A place in a program that adds by an order. Immutable but for its plans, which it keeps by number of terms: threads
/// can share it.
class SumSite {
 public:
  /// `number` tells the sites of a program apart: places with equal numbers draw alike.
  ///
  /// Errors: usage for a number that is not below DrawPath::kSiteLimit.
  SumSite(std::uint64_t number, Order order);
  ~SumSite();
  SumSite(SumSite&&) noexcept;

  std::uint64_t number() const { return number_; }
  const Order& order() const { return order_; }

 private:
  friend class ProgramRun;
  struct Plans;

  std::uint64_t number_;
  Order order_;
  std::unique_ptr<Plans> plans_;
};

/// What an IndexAddSite adds: slices of `width` numbers.
struct IndexAdd {
  std::vector<std::uint32_t> target;       ///< slice i of the source is added to slice target[i] of the output
  std::vector<std::uint32_t> source = {};  ///< slice i is row source[i] of an array; empty: row i
  std::size_t outputs = 0;                 ///< slices of the output
  std::size_t width = 1;

  /// Slices of the output that are wanted, each once; the others are left as they are, and the launch is the same.
  /// Empty: all.
  std::vector<std::uint32_t> wanted = {};
};

/// A place in a program that adds slices where an index says, as torch's index_add along dimension 0: atomics of the
/// kernel that runs for this shape on the device (at most 16 slices: one thread per output), in an arrival order of its
/// thread blocks. Immutable: threads can share it.
class IndexAddSite {
 public:
  /// Units arrive as the model `arrival` says.
  ///
  /// Errors: usage as SumSite, and for an arrival model that does not fit, an index out of range, and other numbers of
  ///         `source` than of `target`; unsupported for 2^31 numbers and more.
  IndexAddSite(std::uint64_t number, const IndexAdd& what, std::string_view arrival = "uniform",
               const Device& device = {});
  ~IndexAddSite();
  IndexAddSite(IndexAddSite&&) noexcept;

  std::uint64_t number() const { return number_; }
  std::string arrival() const;  ///< canonical
  const Launch& launch() const;
  std::size_t units() const;
  bool varies() const;  ///< several units add to one of the wanted outputs, in an order that is not fixed

 private:
  friend class ProgramRun;
  struct Slices;

  std::uint64_t number_;
  std::unique_ptr<Slices> slices_;
};

/// The additions of a sparse product y = A x in coordinate format: one atomic addition of a product per entry, in row
/// order of the entries.
template <class T>
IndexAdd coordinate_product(const SparseMatrix<T>& matrix);

/// One run of a program, on one thread. Its sums are a pure function of (seed, sample, calls so far): call k at a site,
/// from 0, draws as DrawPath{seed, site, k} says.
class ProgramRun {
 public:
  ProgramRun(std::uint64_t seed, std::uint64_t sample, Reductions reductions = Reductions::drawn);
  ~ProgramRun();
  ProgramRun(ProgramRun&&) noexcept;

  std::uint64_t seed() const { return seed_; }
  std::uint64_t sample() const { return sample_; }
  Reductions reductions() const { return reductions_; }

  /// Terms, partial sums and result are all numbers of type T; products are rounded before they are added, unless the
  /// order fuses them. Sums of no terms are +0.
  ///
  /// Errors: usage for an order that does not fit so many terms, and for lengths that differ.
  template <ProgramNumber T>
  T sum(const SumSite& site, std::span<const T> x);
  template <ProgramNumber T>
  T dot(const SumSite& site, std::span<const T> x, std::span<const T> y);

  /// sqrt(dot(x, x)).
  template <ProgramNumber T>
  T norm2(const SumSite& site, std::span<const T> x);

  /// c = a b; output (i, j) draws as output number j m + i.
  ///
  /// Shape: a is m x k, b k x n, c m x n, each in C order.
  template <ProgramNumber T>
  void matmul(const SumSite& site, std::size_t m, std::size_t k, std::size_t n, std::span<const T> a,
              std::span<const T> b, std::span<T> c);

  /// y = A x; the products of row i are added by the order of the site, and draw as output number i.
  ///
  /// Shape: x and y do not overlap.
  template <ProgramNumber T>
  void spmv(const SumSite& site, const SparseMatrix<T>& matrix, std::span<const T> x, std::span<T> y);

  /// The same by atomics, where the site is that of coordinate_product(matrix). Of another matrix, only the number of
  /// entries and of rows is checked.
  template <ProgramNumber T>
  void spmv(const IndexAddSite& site, const SparseMatrix<T>& matrix, std::span<const T> x, std::span<T> y);

  /// Adds slices of `source` to slices of `outputs`. fp32 atomics take subnormal numbers for zeros.
  ///
  /// Shape: `source` has rows of the width of the site, `outputs` as many as it has outputs, in C order.
  template <ProgramNumber T>
  void index_add(const IndexAddSite& site, std::span<const T> source, std::span<T> outputs);

 private:
  struct Buffers;

  static void require_equal(std::string_view what, std::size_t given, std::size_t needed);
  DrawPath next_call(std::uint64_t site);
  std::span<const std::uint32_t> places_of_units(const IndexAddSite& site);
  double add(const SumSite& site, Format format, std::size_t n, const void* x, const void* y);

  std::uint64_t seed_;
  std::uint64_t sample_;
  Reductions reductions_;
  std::unique_ptr<Buffers> buffers_;
};

/// Runs of a program to make.
struct ProgramSamples {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  ///< sample
  std::uint64_t samples = 1;
  Reductions reductions = Reductions::drawn;
  int threads = 0;            ///< 0: all; results never depend on it
  std::stop_token stop = {};  ///< when a stop is requested, no further run is begun

  /// Called after each run, from one thread at a time.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// Calls body(run) for each sample, several at once.
///
/// Errors: what a body throws.
void run_samples(const ProgramSamples& what, const std::function<void(ProgramRun&)>& body);

/// The same; what each returns, in the order of the samples. Empty are those that were not begun.
template <class Result, class Body>
std::vector<std::optional<Result>> run_samples(const ProgramSamples& what, const Body& body) {
  std::vector<std::optional<Result>> results(what.samples);
  run_samples(what, [&](ProgramRun& run) { results[run.sample() - what.first] = body(run); });
  return results;
}

}  // namespace orderlab
