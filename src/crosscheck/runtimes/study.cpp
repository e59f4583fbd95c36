// The question of the study about runtimes.
#include <algorithm>
#include <exception>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "crosscheck/runtimes/model_of_case.hpp"
#include "crosscheck/runtimes/runtime.hpp"
#include "crosscheck/runtimes/runtime_program.hpp"
#include "engine/arena.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/crosscheck.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

constexpr std::uint64_t kRuntimeInputs = 2;
constexpr std::uint64_t kRuntimeInputsInFull = 4;

std::uint64_t inputs_of(const RuntimeCase& one, const RuntimeCheckRequest& request) {
  if (one.outputs > 1) return 1;  // each has terms of its own
  return request.full ? kRuntimeInputsInFull : kRuntimeInputs;
}

RuntimeRow row_of(const Runtime& runtime, const RuntimeCase& one) {
  RuntimeRow row;
  row.runtime = runtime.name;
  row.call = one.label;
  row.format = one.format;
  row.n = one.n;
  row.outputs = one.outputs;
  row.workers = one.workers;
  row.rule = one.rule;
  row.order = one.orders.empty() ? "" : one.orders.front().order;
  row.terms = one.terms;
  return row;
}

void add_to(RuntimeRow& row, const RuntimeJob& job, JudgedJob judged, std::uint64_t seed) {
  row.inputs += 1;
  row.calls += job.one->calls;
  row.sums += judged.sums;
  row.matching += judged.matching;
  if (judged.differs_elsewhere) row.differs_elsewhere = row.differs_elsewhere.value_or(0) + *judged.differs_elsewhere;
  row.distinct = std::max(row.distinct, judged.distinct);
  if (judged.possible) row.possible = std::max(row.possible.value_or(0), *judged.possible);
  if (judged.p) row.p = std::min(row.p.value_or(1), *judged.p);
  if (judged.first && !row.first) {
    judged.first->seed = seed;
    row.first = judged.first;
  }
}

// The cases of one process: run, then compared on all threads. False when stopped.
bool run_setting(const Runtime& runtime, RuntimeProgram& program, const RuntimeSetting& setting,
                 const RuntimeCheckRequest& request, const Watch& watch, RuntimeChecks& checks) {
  std::vector<RuntimeJob> jobs;
  std::vector<std::size_t> row_of_job;
  std::vector<std::uint64_t> seeds;
  for (const RuntimeCase& one : setting.cases) {
    for (std::uint64_t i = 0; i < inputs_of(one, request); ++i) {
      jobs.push_back(make_job(one, request.seed + i));
      row_of_job.push_back(checks.rows.size());
      seeds.push_back(request.seed + i);
    }
    checks.rows.push_back(row_of(runtime, one));
  }
  if (!program.run(setting, jobs, watch.stop)) return false;
  std::vector<JudgedJob> judged(jobs.size());
  loop_on(request.threads)(jobs.size(), [&](std::size_t i) {
    if (!watch.stop.stop_requested()) judged[i] = judge(jobs[i]);
  });
  if (watch.stop.stop_requested()) return false;
  for (std::size_t i = 0; i < jobs.size(); ++i) add_to(checks.rows[row_of_job[i]], jobs[i], judged[i], seeds[i]);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    RuntimeRow& row = checks.rows[row_of_job[i]];
    if (i + 1 == jobs.size() || row_of_job[i + 1] != row_of_job[i])  // the least of several: Bonferroni
      if (row.p) row.p = std::min(1.0, *row.p * static_cast<double>(row.inputs));
  }
  return true;
}

void check_runtime(const Runtime& runtime, const RuntimeCheckRequest& request, const Watch& watch,
                   RuntimeChecks& checks) {
  std::string problem;
  const std::unique_ptr<RuntimeProgram> program = RuntimeProgram::make(runtime, watch.stop, problem);
  checks.partial = watch.stop.stop_requested();
  if (checks.partial) return;
  const std::string name(runtime.name);
  if (!program) {
    checks.skipped.push_back(name + ": skipped, " + problem + ": apt-get install " + std::string(runtime.packages));
    return;
  }
  const std::vector<RuntimeSetting> settings =
      runtime.settings({request.formats, request.sizes, request.full, program->version()}, program->build());
  if (settings.empty()) {
    checks.skipped.push_back(name + ": skipped, no order is known for " + program->version() +
                             (request.sizes.empty() ? "" : ", sums of so many terms"));
    return;
  }
  checks.used.push_back({name, program->version(), program->build().compiler});
  const WatchedStage stage(watch, name);
  for (std::size_t i = 0; i < settings.size() && !checks.partial; ++i) {
    const std::size_t before = checks.rows.size();
    if (!run_setting(runtime, *program, settings[i], request, watch, checks)) {
      checks.rows.resize(before);
      checks.partial = true;
    }
    call_back(watch.advances,
              Progress{i + 1, settings.size(), static_cast<double>(i + 1) / static_cast<double>(settings.size())});
  }
}

void require_runtime_formats(const RuntimeCheckRequest& request) {
  for (const Format format : request.formats)
    if (format != Format::fp64 && format != Format::fp32)
      throw Error(ErrorKind::usage, "--device " + request.device + " --format " + std::string(info(format).name) +
                                        ": its runtimes are checked in fp64 and fp32");
}

}  // namespace

std::vector<std::string> runtime_devices() {
  std::vector<std::string> devices;
  for (const Runtime* runtime : runtimes())
    if (std::find(devices.begin(), devices.end(), runtime->device) == devices.end())
      devices.emplace_back(runtime->device);
  return devices;
}

CrossCheckFinding crosscheck_runtimes(const RuntimeCheckRequest& asked, const Watch& watch) {
  const FloatEnvironment environment;
  RuntimeCheckRequest request = asked;
  const std::vector<std::string> devices = runtime_devices();
  if (std::find(devices.begin(), devices.end(), request.device) == devices.end())
    throw Error(ErrorKind::usage, unknown_name("device", request.device, devices));
  if (request.formats.empty()) request.formats = {Format::fp64, Format::fp32};
  require_runtime_formats(request);
  for (const std::size_t n : request.sizes)
    if (n == 0) throw Error(ErrorKind::usage, "a cross-check needs sizes, each at least 1");

  CrossCheckFinding finding;
  finding.devices = {request.device};
  RuntimeChecks& checks = finding.runtimes.emplace();
  checks.device = request.device;
  checks.inputs = request.full ? kRuntimeInputsInFull : kRuntimeInputs;
  for (const Runtime* runtime : runtimes())
    if (runtime->device == request.device && !checks.partial) check_runtime(*runtime, request, watch, checks);
  if (checks.used.empty() && !checks.partial) {
    std::string reasons;
    for (const std::string& line : checks.skipped) reasons += (reasons.empty() ? "" : "; ") + line;
    throw Error(ErrorKind::device, "--device " + request.device + ": nothing to check: " + reasons);
  }
  finding.options.sizes = request.sizes;
  finding.options.formats = request.formats;
  finding.options.seed = request.seed;
  finding.options.seeds = checks.inputs;
  finding.options.threads = request.threads;
  return finding;
}

}  // namespace orderlab::study
