// orderlab crosscheck: kernels against the orders they claim.
#include "orderlab/crosscheck.hpp"

#include <algorithm>

#include "cli/command.hpp"
#include "cli/devices.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "cli/sampling.hpp"
#include "core/text.hpp"
#include "crosscheck/known_kernels.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

// Around every power of two up to a thread block's width, around a large tile, and one that fills many thread blocks.
const std::vector<std::size_t> kSizes{1,   2,   3,   31,  32,   33,   63,   64,   65,   127,  128,  129,  255,  256,
                                      257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 20000};
constexpr std::size_t kEverySizeTo = 1025;
const std::vector<std::size_t> kLargeSizes{4095, 4096, 4097, 100'000, 1'000'000};

constexpr Flag kKernel{.name = "--kernel",
                       .value = "NAME",
                       .help = "kernel to check (see `orderlab list kernels`); repeat for several",
                       .repeats = true,
                       .names = [] { return names_in("kernels"); }};
constexpr Flag kDevice{.name = "--device",
                       .value = "DEVICE",
                       .help =
                           "model (the claim's tree against its pipeline), host (the kernel's own source on the "
                           "CPU) or cuda; default: all that can run",
                       .names = device_names};
constexpr Flag kFull{.name = "--full",
                     .kind = FlagKind::toggle,
                     .help = "check fp32 and fp64, every size up to one thread block, and large sizes"};
constexpr Flag kSize{.name = "--n", .kind = FlagKind::count, .value = "COUNT", .help = "check this size only"};
constexpr Flag kFormats{.name = "--format",
                        .value = "FORMAT",
                        .help = "format of terms and sums; repeat for several",
                        .repeats = true,
                        .names = [] { return names_in("formats"); }};
constexpr Flag kFirstSeed{.name = "--seed",
                          .kind = FlagKind::count,
                          .value = "COUNT",
                          .fallback = "1",
                          .help = "first seed of terms and schedules; the others follow it"};
constexpr Flag kCrosscheckSamples{.name = "--samples",
                                  .kind = FlagKind::count,
                                  .value = "COUNT",
                                  .fallback = "1",
                                  .help = "arrival orders of each case with float atomics"};
constexpr auto kCrosscheckFlags =
    joined(std::array{&kKernel, &kDevice, &kFull, &kSize, &kFormats, &kFirstSeed, &kCrosscheckSamples, &kThreads},
           kOutputFlags);

// Why none of these devices has the kernel.
std::string kernel_problem(const std::string& name, const std::vector<std::string>& known) {
  for (const KernelInfo* kernel : known_kernels())
    if (kernel->name == name)
      return "--kernel " + name + ": is not on this device; leave out --device, or take --device " +
             (kernel->runs == Runs::gpu_only ? "cuda" : "host");
  return unknown_name("kernel", name, known);
}

// The kernels on these devices: those that --kernel names, or all. A device may lack some.
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

std::vector<std::size_t> sizes_of(const CommandLine& line) {
  if (line.has(kSize)) return {line.count(kSize, 1)};
  if (!line.has(kFull)) return kSizes;
  std::vector<std::size_t> sizes;
  for (std::size_t n = 1; n <= kEverySizeTo; ++n) sizes.push_back(n);
  sizes.insert(sizes.end(), kLargeSizes.begin(), kLargeSizes.end());
  return sizes;
}

std::vector<Format> formats_of(const CommandLine& line) {
  if (!line.has(kFormats))
    return line.has(kFull) ? std::vector<Format>{Format::fp32, Format::fp64}
                           : std::vector<Format>{Format::fp32, Format::fp64, Format::fp16, Format::bf16};
  std::vector<Format> formats;
  for (const std::string& text : line.texts(kFormats)) {
    const Formats parsed = parse_formats(text);
    if (parsed != Formats{parsed.terms, parsed.terms, parsed.terms})
      throw Error(ErrorKind::usage, "--format " + text + ": a kernel has one format; give one, such as fp32");
    if (std::find(formats.begin(), formats.end(), parsed.terms) == formats.end()) formats.push_back(parsed.terms);
  }
  return formats;
}

int run_crosscheck(const CommandLine& line, Session& session) {
  study::CrossCheckFinding summary;
  summary.devices = line.has(kDevice) ? std::vector<std::string>{line.text(kDevice)} : usable_devices();
  summary.kernels = line.texts(kKernel);
  const std::vector<Executor> executors = chosen_executors(summary.devices, summary.kernels);
  CrossCheckOptions& work = summary.options;
  work.sizes = sizes_of(line);
  work.formats = formats_of(line);
  work.seed = line.count(kFirstSeed);
  work.samples = line.count(kCrosscheckSamples, 1, kMostSamples);
  work.threads = threads_of(line);
  colored(line, session);
  OutputTargets targets(line);

  ProgressBar bar(session, "cases", !line.has(kQuiet));
  bar.follow(work);
  summary.report = crosscheck(executors, work);
  write_report(session, line, targets, summary);
  if (const std::string unchecked = simt::unchecked(); !unchecked.empty())
    session.err << "orderlab: crosscheck: " << unchecked << "\n";
  if (summary.report.partial) return kInterrupted;
  return summary.report.mismatches() == 0 ? kDone : kExitNo;
}

}  // namespace

extern const Command kCrosscheck;
const Command kCrosscheck{
    .name = "crosscheck",
    .summary = "kernels against the orders they claim, bit for bit",
    .example = "orderlab crosscheck --kernel spa --device host",
    .flags = kCrosscheckFlags,
    .run = run_crosscheck,
};

}  // namespace orderlab::cli
