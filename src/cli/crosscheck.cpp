// orderlab crosscheck: kernels against the orders they claim, runtimes of this machine against those they are said to
// add in.
#include "orderlab/study/crosscheck.hpp"

#include <algorithm>

#include "cli/devices.hpp"
#include "cli/one_order.hpp"
#include "cli/progress.hpp"
#include "core/text.hpp"
#include "crosscheck/crosscheck_options.hpp"
#include "crosscheck/instructions/instruction.hpp"
#include "crosscheck/known_kernels.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kKernel{.key = "kernel",
                       .value = "NAME",
                       .help = "kernel to check (see `orderlab list kernels`); repeat for several",
                       .repeats = true,
                       .list = "kernels"};
constexpr Flag kDevice{.key = "device",
                       .value = "DEVICE",
                       .help =
                           "model (the claim's tree against its pipeline), host (the kernel's own source on the "
                           "CPU) or cuda; default: all of these that can run. cpu: instructions of this CPU that add "
                           "products, and their default. openmp, tbb, mpi or blas: the runtimes of this machine, "
                           "called by small programs that are compiled for it",
                       .list = "devices"};
constexpr Flag kFull{.key = "full",
                     .kind = FlagKind::toggle,
                     .help =
                         "check fp32 and fp64, every size up to one thread block, and large sizes; for runtimes: "
                         "more threads or ranks, long messages, and algorithms used only on request"};
constexpr Flag kSize{.key = "n",
                     .kind = FlagKind::count,
                     .value = "COUNT",
                     .help = "check this size only; for mpi, elements of a message",
                     .low = 1};
constexpr Flag kFormats{.key = "format",
                        .value = "FORMAT",
                        .help = "format of terms and sums; repeat for several",
                        .repeats = true,
                        .list = "formats"};
constexpr auto kCrosscheckFlags = joined(std::array{&kKernel, &kDevice, &kFull, &kSize, &kFormats, &study::kFirstSeed,
                                                    &study::kCrosscheckSeeds, &study::kCrosscheckSamples, &kThreads},
                                         kOutputFlags);
constexpr const Options* kCrosscheckTables[] = {&study::kCrosscheckOptions};

// Why none of these devices has the kernel.
std::string kernel_problem(const std::string& name, const std::vector<std::string>& known) {
  if (const Instruction* instruction = find_instruction(name)) {
    const std::string problem = instruction->problem();
    return "--kernel " + name + ": " + (problem.empty() ? "is not on this device; take --device cpu" : problem);
  }
  for (const KernelInfo* kernel : known_kernels())
    if (kernel->name == name)
      return "--kernel " + name + ": is not on this device; leave out --device, or take --device " +
             (kernel->runs == Runs::gpu_only ? "cuda" : "host");
  return unknown_name("kernel", name, known);
}

// The device that is named; without a name all that can run, but for instructions theirs.
std::vector<std::string> chosen_devices(const CommandLine& line) {
  if (line.has(kDevice)) return {line.text(kDevice)};
  const std::vector<std::string>& names = line.texts(kKernel);
  const auto is_instruction = [](const std::string& name) { return find_instruction(name) != nullptr; };
  const auto instruction = std::find_if(names.begin(), names.end(), is_instruction);
  if (instruction == names.end()) return usable_devices();
  const auto other = std::find_if_not(names.begin(), names.end(), is_instruction);
  if (other == names.end()) return {std::string(kCpuDevice)};
  throw Error(ErrorKind::usage, "--kernel " + *instruction + " is an instruction of this CPU, --kernel " + *other +
                                    " is not: check them one by one, or name a --device that has both, such as model");
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

std::vector<Format> formats_of(const CommandLine& line) {
  std::vector<Format> formats;
  for (const std::string& text : line.texts(kFormats)) {
    const Formats parsed = parse_formats(text);
    if (parsed != formats_of_terms(parsed.terms))
      throw Error(ErrorKind::usage, "--format " + text + ": a kernel has one format; give one, such as fp32");
    if (std::find(formats.begin(), formats.end(), parsed.terms) == formats.end()) formats.push_back(parsed.terms);
  }
  return formats;
}

study::CrossCheckRequest parse_request(const CommandLine& line, const std::vector<std::string>& devices) {
  study::CrossCheckRequest request = line.has(kFull) ? study::full_crosscheck() : study::CrossCheckRequest{};
  if (line.has(kSize)) request.sizes = {line.count(kSize)};
  if (line.has(kFormats))
    request.formats = formats_of(line);
  else if (devices == std::vector<std::string>{std::string(kCpuDevice)})
    request.formats = {Format::bf16};
  take(line, study::kCrosscheckOptions, request);
  return request;
}

bool is_runtime_device(const CommandLine& line) {
  const std::vector<std::string> devices = study::runtime_devices();
  return line.has(kDevice) && std::find(devices.begin(), devices.end(), line.text(kDevice)) != devices.end();
}

// Of runtimes.
study::CrossCheckFinding check_runtimes(const CommandLine& line, Session& session) {
  const std::string asked = "--device " + line.text(kDevice);
  if (line.has(kKernel)) throw Error(ErrorKind::usage, asked + ": runtimes have no kernels; leave out --kernel");
  if (line.has(study::kCrosscheckSamples))
    throw Error(ErrorKind::usage, asked + ": the runtime draws no arrival orders; leave out --samples");
  if (line.has(study::kCrosscheckSeeds))
    throw Error(ErrorKind::usage, asked + ": the number of inputs of runtimes is fixed; leave out --seeds");
  const study::CrossCheckRequest request = parse_request(line, {line.text(kDevice)});
  study::RuntimeCheckRequest of_runtimes;
  of_runtimes.device = line.text(kDevice);
  if (line.has(kSize)) of_runtimes.sizes = request.sizes;
  if (line.has(kFormats)) of_runtimes.formats = request.formats;
  of_runtimes.full = line.has(kFull);
  of_runtimes.seed = request.seed;
  of_runtimes.threads = request.threads;
  return study::crosscheck_runtimes(of_runtimes, watch_of(session, line, "crosscheck"));
}

int exit_status(const study::CrossCheckFinding& finding) {
  if (finding.partial()) return kInterrupted;
  return finding.mismatches() == 0 ? kDone : kExitNo;
}

int run_crosscheck(const CommandLine& line, Session& session) {
  if (is_runtime_device(line)) {
    colored(line, session);
    OutputTargets targets(line);
    const study::CrossCheckFinding finding = check_runtimes(line, session);
    write_report(session, line, targets, finding);
    return exit_status(finding);
  }
  const std::vector<std::string> devices = chosen_devices(line);
  const std::vector<std::string>& kernels = line.texts(kKernel);
  const std::vector<Executor> executors = chosen_executors(devices, kernels);
  const study::CrossCheckRequest request = parse_request(line, devices);
  colored(line, session);
  OutputTargets targets(line);

  study::CrossCheckFinding finding = study::crosscheck(executors, request, watch_of(session, line, "crosscheck"));
  finding.devices = devices;
  finding.kernels = kernels;
  if (kernels.empty())
    for (const std::string& device : devices)
      for (std::string& text : skipped_kernels(device)) finding.skipped.push_back(std::move(text));
  write_report(session, line, targets, finding);
  if (!finding.unchecked.empty()) session.err << "orderlab: crosscheck: " << finding.unchecked << "\n";
  return exit_status(finding);
}

}  // namespace

extern const Command kCrosscheck;
const Command kCrosscheck{
    .name = "crosscheck",
    .summary = "kernels, and runtimes of this machine, against their orders, bit for bit",
    .example = "orderlab crosscheck --kernel spa --device host",
    .flags = kCrosscheckFlags,
    .options = kCrosscheckTables,
    .run = run_crosscheck,
};

}  // namespace orderlab::cli
