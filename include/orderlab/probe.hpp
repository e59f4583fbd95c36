// Black boxes, whatever adds numbers in an order that is not known, and probing them: in which order does one add?
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"
#include "orderlab/order.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// Something that takes terms and answers with a number, its sum of them. Not for several threads at once.
class Box {
 public:
  virtual ~Box() = default;

  /// Its sum of the terms, which are of the setting's number, format and kind (see BoxSetting).
  ///
  /// Errors: input where the box crashes, hangs, or answers with anything but a number. One line.
  virtual double sum(const TermView& terms) = 0;

  /// Its sums of several inputs. Each call of a box that adds elementwise takes `together` of them.
  virtual void sums(std::span<const TermView> inputs, std::span<double> results);
  virtual std::size_t together() const { return 1; }

  /// Is called often while it is not asked. A box on its caller's thread can look after that one's signals.
  virtual void between_calls() {}

  /// The most significant decimal digits of its answers so far.
  virtual std::size_t digits() const { return kAllDigits; }
  static constexpr std::size_t kAllDigits = 17;

  /// Whether terms reach it as text: programs read NaN, infinities, and numbers of extreme exponents in ways of their
  /// own.
  virtual bool reads_text() const { return false; }

  /// Whether it ever changed the input that it was given.
  virtual bool changes_input() const { return false; }
};

/// What a box is started for.
struct BoxSetting {
  std::size_t n = 0;             ///< terms of every input
  Format format = Format::fp32;  ///< format of the terms
  std::size_t offset = 0;        ///< elements from a multiple of 4096 bytes to the first term
  std::size_t threads = 0;       ///< OMP_NUM_THREADS of the box; 0: as the environment has it
};

/// What a box adds of each term.
enum class Summands : std::uint8_t {
  terms,       ///< the terms themselves, or products of two inputs
  magnitudes,  ///< |x|, as asum of a BLAS
  squares,     ///< x * x, of one input
  norm,        ///< x * x, and the square root of the sum: nrm2
};

constexpr std::string_view name_of(Summands summands) {
  constexpr std::string_view kNames[] = {"terms", "abs", "square", "norm"};
  return kNames[static_cast<std::size_t>(summands)];
}

/// How to make the box that is asked about.
struct BoxMaker {
  std::string name;                                             ///< as the user knows it: "numpy:sum", "libfoo.so:sum"
  bool products = false;                                        ///< the terms are products x * y
  std::function<std::unique_ptr<Box>(const BoxSetting&)> make;  ///< Errors: as Box::sum

  // What a report says of it.
  std::string kind = "function";         ///< or "command", "lines" of a command, "library", "python", "kernel"
  std::optional<std::size_t> axis = {};  ///< axis of an array that it adds along

  Summands summands = Summands::terms;  ///< all but `terms` need a box of one input, no weights

  /// What it multiplies its terms by, one for each: powers of two from 2^-8 to 2^8, of either sign; 1 or -1 for fp16
  /// terms. Empty: all are 1.
  std::vector<double> weights = {};
};

/// A box that calls `sum`, in this process.
BoxMaker function_box(std::string name, std::function<double(const TermView&)> sum, bool products = false);

/// What a box is found to be.
enum class ProbeVerdict : std::uint8_t {
  named,                 ///< a pipeline of stages gives its tree and its bits
  revealed,              ///< its tree is known, and no pipeline for it, or no model of its additions
  depends_on_n,          ///< different orders for different n
  depends_on_alignment,  ///< for different offsets of the first term
  depends_on_threads,    ///< for different numbers of threads
  random,                ///< calls with the same terms differ
  compensated,           ///< exact sums, or as good as twice the precision
  data_dependent,        ///< the order depends on the values
  not_a_sum,
};

constexpr std::string_view name_of(ProbeVerdict verdict) {
  constexpr std::string_view kNames[] = {"named",
                                         "revealed",
                                         "depends on n",
                                         "depends on alignment",
                                         "depends on threads",
                                         "random",
                                         "exact or compensated",
                                         "data-dependent",
                                         "not a sum"};
  return kNames[static_cast<std::size_t>(verdict)];
}

/// Precision of the additions in bits: the least r for which (2^r, 1, -2^r) loses the 1. 24 is fp32, 53 fp64, 64 the
/// x87's; Kahan's sum has one bit more than its format.
struct AccumulatorPrecision {
  std::optional<int> narrowest;  ///< empty: the 1 is never lost, as by exact and by compensated sums
  std::optional<int> widest;     ///< greatest over all places that were tried
  int unit_exponent = 0;         ///< masks swallow units of 2^unit_exponent; fp16 needs small ones
  bool flushes = false;          ///< subnormal terms become zero
};

/// Two terms that a box does not add where an order says.
struct PairThatDiffers {
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t expected = 0;  ///< terms in the smallest subtree that holds both
  std::size_t found = 0;     ///< 0: the answer did not count terms
};

/// An order as a user would write it: "simd(16)" for one with a name, else its expression.
struct WrittenOrder {
  std::string text;  ///< parse_order reads it to the same order
  Order order;
};

/// A tree above stable clusters, and how often it was drawn.
struct DrawnTree {
  std::string tree;  ///< "((c0+c1)+c2)"
  std::uint64_t count = 0;
};

/// What a probe of one setting found.
struct ProbedOrder {
  BoxSetting setting;
  ProbeVerdict verdict = ProbeVerdict::not_a_sum;
  std::string reason;                     ///< a line; empty where the verdict says all
  std::vector<WrittenOrder> orders = {};  ///< with the tree and the bits of the box, the best name first; or of a
                                          ///< random box, the orders that can give its sums
  Formats formats;                        ///< in which they do
  std::optional<AccumulatorPrecision> accumulator;  ///< empty where it was not measured
  std::optional<SummationTree> tree;                ///< the tree of additions; empty where there is none
  bool certified = false;      ///< a hypothesis was proven; else the tree was revealed pair by pair
  std::size_t replayed = 0;    ///< random inputs with the bits of the order, or else of the tree
  bool changes_input = false;  ///< the box changed the terms that it was given; calls get fresh ones
  std::uint64_t calls = 0;
  std::uint64_t compared = 0;  ///< calls on inputs that tell orders apart, compared with what the order or tree gives

  std::vector<std::vector<std::size_t>> clusters = {};  ///< terms that every call of a random box adds up alike
  std::vector<DrawnTree> drawn = {};                    ///< trees above them, the most frequent first
  std::uint64_t draws = 0;                              ///< calls that were told apart by their tree
  std::size_t different_sums = 0;                       ///< different sums that these calls gave

  std::optional<bool> as_expected = {};         ///< where an order was: whether it has the tree and the bits
  std::optional<PairThatDiffers> differs = {};  ///< where it has another tree
};

/// The share of calls with another order that `compared` calls without one exclude at 95 %: 1 - 0.05^(1/compared); 1
/// for none.
double excluded_share(std::uint64_t compared);

/// Random inputs that an order has to replay bit for bit; of these, those that it is asked at another number of terms.
inline constexpr std::size_t kReplayedInputs = 64;
inline constexpr std::size_t kInputsElsewhere = 8;

/// The most terms of a box.
inline constexpr std::size_t kMostProbedTerms = std::size_t{1} << 24;

struct ProbeOptions {
  std::size_t repeats = 3;                    ///< calls with equal terms, more than one, that have to agree
  std::optional<WrittenOrder> expected = {};  ///< tried first, and compared with what is found; it may be random
  std::vector<WrittenOrder> likely = {};      ///< tried next, such as those that hold for another n
};

/// How a probe is followed and stopped. All of it may be left out.
struct ProbeWatch {
  std::stop_token stop = {};
  std::function<void(const std::string& stage)> begins = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> advances = {};  ///< calls, about
};

/// Reveals the order of a box in one setting. Empty when stopped.
///
/// Steps: is it a sum? how precise are its accumulators? Orders that a sum may have, and those of `options`, are held
/// to its sums of random inputs; the tree of one that passes is certified by n - 1 calls, else the tree is revealed by
/// random pivots, O(n log n) calls, and named by its stages. The last word is that 32 random inputs have the bits of
/// the order [Xie2024].
///
/// The summands |x| and x * x have one sign, so no two of them cancel. Small summands beside a large one then tell
/// which two of three are added first; n - 2 such calls prove a tree. The precision is not measured.
///
/// Errors: usage for n = 0 or above 2^24, for weights that are not as BoxMaker says, and for such summands of products
///         or with weights; unsupported for terms that are too narrow for the accumulators of the box, and for a random
///         expected order of such summands; those of the box.
std::optional<ProbedOrder> probe_setting(const BoxMaker& maker, const BoxSetting& setting,
                                         const ProbeOptions& options = {}, const ProbeWatch& watch = {});

/// Those of `orders`, found for another setting, that have the bits of the box in this one too, on a few random inputs.
/// Empty when stopped. Errors: those of the box.
std::optional<std::vector<WrittenOrder>> orders_that_hold(const BoxMaker& maker, const BoxSetting& setting,
                                                          const std::vector<WrittenOrder>& orders,
                                                          const Formats& formats, const ProbeWatch& watch = {});

}  // namespace orderlab
