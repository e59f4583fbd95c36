#include "crosscheck/claimed_runs.hpp"

#include <charconv>
#include <map>
#include <optional>
#include <tuple>

#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

const KernelInfo& kernel_of(const CapturedRun& run, std::span<const KernelInfo* const> kernels) {
  std::vector<std::string> known;
  for (const KernelInfo* kernel : kernels) {
    if (kernel->name == run.kernel) return *kernel;
    known.emplace_back(kernel->name);
  }
  throw Error(ErrorKind::input, unknown_name("kernel", run.kernel, known));
}

unsigned architecture_of(const Capture& capture) {
  for (const CaptureEntry& fact : capture.facts) {
    if (fact.name != "compute_capability") continue;
    const char* const end = fact.value.data() + fact.value.size();
    unsigned major = 0;
    unsigned minor = 0;
    const auto [dot, of_major] = std::from_chars(fact.value.data(), end, major);
    if (of_major != std::errc{} || dot == end || *dot != '.') return 0;
    const auto [rest, of_minor] = std::from_chars(dot + 1, end, minor);
    return of_minor == std::errc{} && rest == end && major < 1000 && minor < 10 ? 100 * major + 10 * minor : 0;
  }
  return 0;
}

namespace {

// "8.0", as the fact compute_capability has it.
std::string compute_capability(unsigned architecture) {
  return std::to_string(architecture / 100) + "." + std::to_string(architecture / 10 % 10);
}

// Why a GPU without the kernel's instructions, or one that nobody names, cannot have run it; else empty. The claim of
// such a kernel is that of the GPU.
std::string architecture_problem(const KernelInfo& kernel, unsigned architecture) {
  if (kernel.needs.number == 0) return "";
  if (architecture == 0)
    return "its claim depends on the GPU; the capture must have the fact compute_capability, a number such as " +
           compute_capability(kernel.needs.number);
  if (Architecture{architecture, kernel.needs.specific}.has(kernel.needs)) return "";
  return "needs " + to_string(kernel.needs) + "; this capture is of compute capability " +
         compute_capability(architecture);
}

// Fills in the claim, or says in an Error what no launch of the kernel can be.
ClaimedRun claimed(const CapturedRun& run, const KernelInfo& kernel, unsigned architecture, VerifiedRun& verified) {
  const std::string subject = run.kernel + " in " + to_string(run.formats()) + ": ";
  if (!kernel.runs_in(run.formats())) throw Error(ErrorKind::input, subject + "the kernel is not made in this format");
  if (kernel.claim == nullptr)
    throw Error(ErrorKind::input, subject + "claims no order to compare the run with; set KernelInfo::claim");
  if (run.rows) throw Error(ErrorKind::input, subject + "has one sum; leave out rows= and columns=, and outputs");
  if (kernel.products != run.with_seed.has_value())
    throw Error(ErrorKind::input, subject + (kernel.products ? "adds products; with_seed= must name the second factors"
                                                             : "adds no products; leave out with_seed="));
  if (kernel.unit == ArrivalUnit::none && !run.returned.empty())
    throw Error(ErrorKind::input, subject + "has no float atomics; nothing can have returned");
  if (run.shape.threads == 0 || run.shape.items == 0)
    throw Error(ErrorKind::input, subject + "threads= and items= must be at least 1");
  const std::string problem = architecture_problem(kernel, architecture);
  if (!problem.empty()) throw Error(ErrorKind::input, subject + problem);
  if (kernel.needs.number != 0 && run.shape.threads % kWarp != 0)
    throw Error(ErrorKind::input, subject + "multiplies matrices by whole warps; threads= must be a multiple of 32");
  LaunchShape shape = run.shape;
  if (run.blocks) shape.grid = *run.blocks;
  shape.architecture = architecture;
  verified.claim = kernel.claim(shape, run.n);
  const Order order = parse_order(verified.claim);
  order.check(run.n, kernel.products, run.formats().accumulate);
  return {&run, &verified, !order.random()};
}

}  // namespace

std::uint64_t canonical_bits(const CapturedRun& run) {
  const Format format = run.formats().result;
  return round_to_bits(format, value_of_bits(format, run.bits));
}

void refuse_run(const std::string& file, const CapturedRun& run, const std::string& problem) {
  throw Error(ErrorKind::input, file + ":" + std::to_string(run.line) + ": " + problem);
}

Terms InputGroup::terms() const {
  const CapturedRun& run = first();
  Terms terms = generate_terms(run.input, run.n, run.format, run.seed);
  if (run.with_seed) terms.multiply_by(generate_terms(run.input, run.n, run.format, *run.with_seed));
  return terms;
}

std::vector<InputGroup> group_by_input(const Capture& capture, const std::string& file,
                                       std::span<const KernelInfo* const> kernels, std::span<VerifiedRun> verified) {
  using Key = std::tuple<std::string, std::uint64_t, std::optional<std::uint64_t>, std::string, std::uint64_t>;
  const unsigned architecture = architecture_of(capture);
  std::map<Key, std::size_t> places;
  std::vector<InputGroup> groups;
  for (std::size_t i = 0; i < capture.runs.size(); ++i) {
    const CapturedRun& run = capture.runs[i];
    try {
      const KernelInfo& kernel = kernel_of(run, kernels);
      if (kernel.outputs != nullptr) continue;
      const ClaimedRun one = claimed(run, kernel, architecture, verified[i]);
      const Key key{canonical_distribution(run.input), run.seed, run.with_seed, to_string(run.formats()), run.n};
      const auto [place, fresh] = places.try_emplace(key, groups.size());
      if (fresh) groups.emplace_back();
      groups[place->second].runs.push_back(one);
    } catch (const Error& error) {
      refuse_run(file, run, error.what());
    }
  }
  return groups;
}

}  // namespace orderlab
