// orderlab crosscheck: kernels against the orders they claim.
#include "orderlab/crosscheck.hpp"

#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/devices.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "cli/sampling.hpp"
#include "core/text.hpp"
#include "crosscheck/known_kernels.hpp"
#include "orderlab/error.hpp"
#include "report/crosscheck_csv.hpp"
#include "report/crosscheck_json.hpp"
#include "report/crosscheck_text.hpp"

namespace orderlab::cli {

namespace {

// Around every power of two up to a thread block's width, around a large tile, and one that fills many thread blocks.
const std::vector<std::size_t> kSizes{1,   2,   3,   31,  32,   33,   63,   64,   65,   127,  128,  129,  255,  256,
                                      257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 20000};
constexpr std::size_t kEverySizeTo = 1025;
const std::vector<std::size_t> kLargeSizes{4095, 4096, 4097, 100'000, 1'000'000};

struct Options {
  std::vector<std::string> kernels;
  std::string device;
  std::vector<std::string> formats;
  std::string n;
  std::string seed = "1";
  std::string samples = "1";
  std::string threads = "0";
  bool full = false;
  OutputOptions output;
};

// Why none of these devices has the kernel.
std::string kernel_problem(const std::string& name, const std::vector<std::string>& known) {
  for (const KernelInfo* kernel : known_kernels())
    if (kernel->name == name)
      return "--kernel " + name + ": is not on this device; leave out --device, or take --device " +
             (kernel->runs == Runs::gpu_only ? "cuda" : "host");
  return unknown_name("kernel", name, known);
}

// The kernels on these devices: those that --kernel names, all without it. A device need not have all of them.
std::vector<Executor> chosen_executors(const std::vector<std::string>& devices, const std::vector<std::string>& names) {
  std::vector<Executor> executors;
  std::vector<std::string> known;
  for (const std::string& device : devices)
    for (Executor& executor : executors_on(device)) {
      const std::string name(executor.kernel->name);
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
      if (names.empty() || std::find(names.begin(), names.end(), name) != names.end())
        executors.push_back(std::move(executor));
    }
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(ErrorKind::usage, kernel_problem(name, known));
  return executors;
}

std::vector<std::size_t> sizes_of(const Options& options) {
  if (!options.n.empty()) return {parse_count("--n", options.n, 1)};
  if (!options.full) return kSizes;
  std::vector<std::size_t> sizes;
  for (std::size_t n = 1; n <= kEverySizeTo; ++n) sizes.push_back(n);
  sizes.insert(sizes.end(), kLargeSizes.begin(), kLargeSizes.end());
  return sizes;
}

std::string full_help() {
  std::string sizes = "fp32 and fp64, sizes 1 to " + std::to_string(kEverySizeTo);
  for (const std::size_t n : kLargeSizes) sizes += ", " + std::to_string(n);
  return sizes;
}

std::vector<Format> formats_of(const Options& options) {
  if (options.formats.empty())
    return options.full ? std::vector<Format>{Format::fp32, Format::fp64}
                        : std::vector<Format>{Format::fp32, Format::fp64, Format::fp16, Format::bf16};
  std::vector<Format> formats;
  for (const std::string& text : options.formats) {
    const Formats parsed = parse_formats(text);
    if (parsed != Formats{parsed.terms, parsed.terms, parsed.terms})
      throw Error(ErrorKind::usage, "--format " + text + ": kernels have one format; give one, such as fp32");
    if (std::find(formats.begin(), formats.end(), parsed.terms) == formats.end()) formats.push_back(parsed.terms);
  }
  return formats;
}

int run(const Options& options, Session& session) {
  CrossCheckSummary summary;
  summary.devices = options.device.empty() ? usable_devices() : std::vector<std::string>{options.device};
  summary.kernels = options.kernels;
  const std::vector<Executor> executors = chosen_executors(summary.devices, options.kernels);
  CrossCheckOptions& work = summary.options;
  work.sizes = sizes_of(options);
  work.formats = formats_of(options);
  work.seed = parse_count("--seed", options.seed);
  work.samples = parse_count("--samples", options.samples, 1, kMostSamples);
  work.threads = parse_threads(options.threads);
  options.output.colored(session);
  OutputTargets targets(options.output, {});

  ProgressBar bar(session, "cases", !options.output.quiet);
  bar.follow(work);
  summary.report = crosscheck(executors, work);
  write_report(session, options.output, targets, summary);
  if (summary.report.partial) return kInterrupted;
  return summary.report.mismatches() == 0 ? kDone : kExitNo;
}

}  // namespace

extern const Command kCrosscheck;
const Command kCrosscheck{
    .name = "crosscheck",
    .summary = "kernels against the orders they claim, bit for bit",
    .example = "orderlab crosscheck --kernel spa --device host",
    .define = [](CLI::App& app) -> std::function<int(Session&)> {
      const auto options = std::make_shared<Options>();
      app.add_option("--kernel", options->kernels, "kernel to check (see `orderlab list kernels`); repeat for several")
          ->type_name("NAME");
      app.add_option(
             "--device", options->device,
             "model (the claim's tree against its pipeline), host (the kernel's own source on the CPU) or cuda; "
             "default: all that can run")
          ->type_name("DEVICE");
      app.add_flag("--full", options->full, full_help());
      app.add_option("--n", options->n, "one size instead")->type_name("N");
      app.add_option("--format", options->formats, "format of terms and sums; repeat for several")->type_name("FORMAT");
      app.add_option("--seed", options->seed,
                     "first of " + std::to_string(CrossCheckOptions{}.seeds) +
                         " seeds, of terms, launch shapes and arrivals; 1 if left out")
          ->type_name("S");
      app.add_option("--samples", options->samples, "arrival orders of each case with float atomics; 1 if left out")
          ->type_name("N");
      app.add_option("--threads", options->threads, "threads; 0: all")->type_name("T");
      options->output.add_to(app);
      return [options](Session& session) { return run(*options, session); };
    },
};

}  // namespace orderlab::cli
