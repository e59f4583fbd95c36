// Captures compared with the model: a verdict on every recorded run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/capture_file.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab {

/// What a recorded run is to the order that its kernel claims.
enum class RunVerdict : std::uint8_t {
  unchecked,   ///< stopped before it was looked at
  identical,   ///< the claim is one order, and gives just these bits
  replayed,    ///< an order of the float atomics gives what they returned, and just these bits
  explained,   ///< some order gives these bits, or they lie inside the range of sampled orders
  unlikely,    ///< beyond that range, inside the bound over all orders
  impossible,  ///< no order that the claim allows gives it
};

constexpr std::string_view name_of(RunVerdict verdict) {
  constexpr std::string_view kNames[] = {"unchecked", "identical", "replayed", "explained", "unlikely", "impossible"};
  return kNames[static_cast<std::size_t>(verdict)];
}

struct VerifiedRun {
  RunVerdict verdict = RunVerdict::unchecked;
  std::string claim;                      ///< the order, as the kernel writes it
  std::optional<std::uint64_t> expected;  ///< what the claim gives, where that is one result
  std::optional<double> p;                ///< unlikely: of a run as far out, at most
  bool mismatch = false;                  ///< impossible, or too unlikely for all runs of the capture together
  std::string problem;                    ///< what is wrong, where it is more than other bits than `expected`
  /// With many outputs, the first that is wrong; `expected` and `captured` are its.
  std::optional<std::size_t> output = {};
  std::uint64_t captured = 0;  ///< bits of that output
};

/// The runs of one kernel in one format.
struct VerifyRow {
  std::string_view kernel;
  Format format = Format::fp64;
  std::uint64_t runs = 0;
  std::uint64_t identical = 0;
  std::uint64_t replayed = 0;
  std::uint64_t explained = 0;
  std::uint64_t unlikely = 0;
  std::uint64_t mismatches = 0;
};

struct VerifyOptions {
  double confidence = 0.999;  ///< that of the runs which order explains none is called a mismatch for being unlikely
  std::uint64_t seed = 1;     ///< seed of sampled orders
  std::uint64_t most_additions = std::uint64_t{1}
                                 << 32;  ///< that samples of one order over one input may cost: seconds
  int threads = 0;                       ///< 0: all
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< called from one thread at a time
};

/// Verdicts on the runs of a capture, in their order; those of a stopped verification may be unchecked.
///
/// Where the claim is a fixed order, its bits must be the captured ones. Where float atomics race and what they
/// returned is recorded, an order that returned just that must end in the captured bits. Otherwise the bits must be
/// reachable: exactly where orders can be enumerated quickly, else by samples with uniform arrival, which allow for
/// more than a GPU does, and by the bound over all orders. NaN is NaN, whatever its bits. `file` names the capture in
/// messages.
/// For a kernel with many outputs every output is judged so, without samples: it is reachable where one of all orders
/// of its contributions gives it, or, of many, inside the bound over all orders. The verdicts are the same for any
/// number of threads.
///
/// Errors: input, "FILE:LINE: ...", for a run that these kernels cannot make: an unknown kernel, a format it has not,
///         an unknown distribution, a shape that no launch has. Usage for a confidence outside (0, 1).
std::vector<VerifiedRun> verify(const Capture& capture, const std::string& file,
                                std::span<const KernelInfo* const> kernels, const VerifyOptions& options);

/// The verdicts by kernel and format, in the order in which those come first.
std::vector<VerifyRow> rows_of(const Capture& capture, std::span<const VerifiedRun> verified);

}  // namespace orderlab
