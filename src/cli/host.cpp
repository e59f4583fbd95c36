// orderlab host: a CUDA program, unmodified, on a simulated GPU that checks every access.
#include "show/host.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>

#include "cli/command.hpp"
#include "cli/host_build.hpp"
#include "cli/host_process.hpp"
#include "cli/output_file.hpp"
#include "cli/output_options.hpp"
#include "core/text.hpp"
#include "host_program/settings.hpp"
#include "orderlab/error.hpp"
#include "page/page_contents.hpp"

namespace orderlab::cli {

namespace {

namespace fs = std::filesystem;
using host_program::FindingKind;
using host_program::ProgramRun;

constexpr std::string_view kWarpSyncWords[] = {"volta", "legacy"};
// Each fails at what those before it fail at, too.
enum class FailsFrom : std::uint8_t { nothing, fault, varies, leak, never };
constexpr std::string_view kFailOnWords[] = {"nothing", "fault", "varies", "leak"};

/// The first word of --fail-on that fails at a finding of this kind.
constexpr FailsFrom fails_from(FindingKind kind) {
  if (host_program::is_fault(kind)) return FailsFrom::fault;
  if (kind == FindingKind::varies) return FailsFrom::varies;
  return kind == FindingKind::leak ? FailsFrom::leak : FailsFrom::never;
}

/// What is said of a program that came to its end: one that did not had no chance to free or copy anything.
constexpr bool shows_at_the_end(FindingKind kind) { return kind == FindingKind::leak || kind == FindingKind::note; }

constexpr Flag kHostFiles{.key = "files",
                          .positional = true,
                          .kind = FlagKind::reads_file,
                          .value = "FILE.cu",
                          .help = "sources of one program",
                          .repeats = true,
                          .required = true};
constexpr Flag kHostArguments{.key = "args",
                              .positional = true,
                              .kind = FlagKind::rest,
                              .value = "ARGUMENT",
                              .help = "behind --: arguments of the program",
                              .repeats = true};
constexpr Flag kIncludeFolder{
    .key = "include", .letter = 'I', .value = "DIR", .help = "folder of headers", .repeats = true};
constexpr Flag kDefine{
    .key = "define", .letter = 'D', .value = "NAME[=VALUE]", .help = "macro to define", .repeats = true};
constexpr Flag kStandard{.key = "std",
                         .value = "STANDARD",
                         .fallback = "c++20",
                         .help = "language of the sources; an older one than c++20 is compiled as that"};
constexpr Flag kBuildOnly{.key = "build",
                          .kind = FlagKind::writes,
                          .value = "PROGRAM",
                          .help =
                              "compile to this file and do not run it; by itself it writes what it finds to standard "
                              "error"};
constexpr Flag kHostRuns{.key = "runs",
                         .kind = FlagKind::count,
                         .value = "COUNT",
                         .fallback = "1",
                         .help =
                             "number of runs, each with another order of thread blocks, atomics and streams; results "
                             "are compared",
                         .low = 1};
constexpr Flag kHostSeed{
    .key = "seed", .kind = FlagKind::count, .value = "SEED", .fallback = "1", .help = "seed of the orders"};
constexpr Flag kWatchName{.key = "watch",
                          .value = "NAME",
                          .help = "compare only copies to or from this variable; may be repeated",
                          .repeats = true};
constexpr Flag kChecked{.key = "check",
                        .value = "all|COUNT|auto",
                        .fallback = "auto",
                        .help =
                            "thread blocks of each launch to check: all, the first COUNT, or auto: the first and a "
                            "sample of the others"};
constexpr Flag kGpus{.key = "gpus",
                     .kind = FlagKind::count,
                     .value = "COUNT",
                     .fallback = "1",
                     .help =
                         "number of GPUs that the program sees; a kernel needs cudaDeviceEnablePeerAccess for memory "
                         "of another GPU",
                     .low = 1,
                     .high = 64};
constexpr Flag kWarpSync{.key = "warp_sync",
                         .kind = FlagKind::word,
                         .value = "KIND",
                         .fallback = "volta",
                         .help = "volta, or legacy: the lanes of a warp run in step, as before compute capability 7.0",
                         .words = kWarpSyncWords};
constexpr Flag kFailOn{.key = "fail_on",
                       .kind = FlagKind::word,
                       .value = "WHAT",
                       .fallback = "varies",
                       .help =
                           "what gives status 1: nothing, fault, varies (a fault or a number that varies) or leak "
                           "(these or memory that is never freed)",
                       .words = kFailOnWords};
constexpr auto kHostFlags =
    joined(std::array{&kHostFiles, &kIncludeFolder, &kDefine, &kStandard, &kBuildOnly, &kHostRuns, &kWatchName,
                      &kHostSeed, &kChecked, &kGpus, &kWarpSync, &kFailOn},
           kOutputFlags, std::array{&kHtml, &kHostArguments});

// Exit statuses of `host` beside those of all commands.
constexpr int kProgramFailed = 3;

// Of --check auto: thread blocks from the start, and of the others.
constexpr std::size_t kAutoFirst = 16;
constexpr std::size_t kAutoSampled = 16;

std::vector<std::string> given(const CommandLine& line, const Flag& flag) {
  return line.has(flag) ? line.texts(flag) : std::vector<std::string>();
}

host_program::Settings settings_of(const CommandLine& line) {
  host_program::Settings settings;
  settings.seed = line.count(kHostSeed);
  settings.gpus = line.count(kGpus);
  settings.warp_synchronous = line.word(kWarpSync) == "legacy";
  const std::string& check = line.text(kChecked);
  if (check == "auto") {
    settings.checked_first = kAutoFirst;
    settings.checked_sample = kAutoSampled;
  } else if (check != "all") {
    settings.checked_first = parse_count("--check", check);
  }
  return settings;
}

struct HostJob {
  std::string program;
  std::vector<std::string> arguments;
  host_program::Settings settings;
  bool shows_errors = true;  ///< of a run whose output is kept
};

struct HostRun : ProgramRun {
  ProcessEnd end;

  bool crashed() const { return end.signal != 0; }

  /// A program may have this status of its own.
  bool stopped_at_fault() const {
    return end.status == host_program::kStoppedStatus &&
           std::any_of(record.findings.begin(), record.findings.end(),
                       [](const auto& each) { return host_program::is_fault(each.kind); });
  }

  std::string ending() const {
    if (crashed()) return "crashed (" + signal_name(end.signal) + ")";
    return stopped_at_fault() ? "stopped at the fault" : "exit status " + std::to_string(end.status);
  }
};

/// What becomes of the program's own output.
enum class ProgramOutput : std::uint8_t { shown, on_standard_error, kept };

HostRun run_once(const HostJob& job, std::uint64_t sample, ProgramOutput output, const ScratchFolder& folder,
                 const std::stop_token& stop) {
  host_program::Settings settings = job.settings;
  settings.sample = sample;
  settings.record = folder.file("record");
  fs::remove(settings.record);
  HostProcess process{{job.program}, {std::string(host_program::kSettingsVariable) + "=" + text_of(settings)}};
  process.arguments.insert(process.arguments.end(), job.arguments.begin(), job.arguments.end());
  process.output_is_errors = output == ProgramOutput::on_standard_error;
  if (output == ProgramOutput::kept) {
    process.input = "/dev/null";  // the same for all runs
    process.output = folder.file("output");
    if (!job.shows_errors) process.errors = "/dev/null";
  }
  HostRun run;
  run.end = run_process(process, stop);
  if (run.end.error != 0)
    throw Error(ErrorKind::unsupported, job.program + ": cannot be run: " + std::strerror(run.end.error) +
                                            "; set TMPDIR to a folder from which programs may run");
  run.record = host_program::parse_record(content_of(settings.record));
  if (output == ProgramOutput::kept) run.output = content_of(process.output);
  return run;
}

/// Error(usage) for a name that no copy of the run has.
void check_watched(const std::vector<std::string>& watched, const host_program::Record& record) {
  std::set<std::string> there;
  for (const auto& copy : record.copies) {
    there.insert(copy.to);
    there.insert(copy.from);
  }
  there.erase("");
  for (const std::string& name : watched) {
    if (there.contains(name)) continue;
    std::string names;
    for (const std::string& each : there) names += (names.empty() ? "" : ", ") + each;
    throw Error(ErrorKind::usage, "--watch " + name + ": no copy to the host has this name; " +
                                      (names.empty() ? "none has a name" : "there are " + names));
  }
}

/// Runs with another order each, and what is found in them.
class HostRuns {
 public:
  HostRuns(HostJob job, std::uint64_t runs, HostFinding& finding)
      : job_(std::move(job)), runs_(runs), finding_(finding) {}

  void run(Session& session, bool silent) {
    const ScratchFolder folder(temporary_place() + "/orderlab-run-");
    const ProgramOutput output = runs_ > 1 ? ProgramOutput::kept
                                 : silent  ? ProgramOutput::on_standard_error
                                           : ProgramOutput::shown;
    bool goes_on = true;
    for (std::uint64_t sample = 0; sample < runs_ && goes_on && !session.stop.stop_requested(); ++sample) {
      job_.shows_errors = sample == 0;
      const HostRun run = run_once(job_, sample, output, folder, session.stop);
      if (run.end.stopped) break;
      ++finding_.runs;
      if (sample == 0) {
        if (output == ProgramOutput::kept) {
          (silent ? session.err : session.out).raw() << run.output << std::flush;
          if (!run.crashed() && !run.stopped_at_fault()) check_watched(finding_.watched, run.record);
        }
        take_first(run);
      } else {
        take_further(run, sample);
      }
      goes_on = !run.stopped_at_fault();
    }
    job_.shows_errors = false;
    if (compared_.size() > 1) compare(session, folder);
    if (finding_.runs == 0) throw Stopped{};
    finding_.partial = session.stop.stop_requested();
  }

 private:
  void take_first(const HostRun& run) {
    finding_.findings = run.record.findings;
    finding_.launches = run.record.launches;
    finding_.exit_status = run.stopped_at_fault() ? -1 : run.end.status;
    finding_.crashed = run.crashed();
    finding_.ending = first_ending_ = run.ending();
    compared_.push_back(run);
  }

  void take_further(const HostRun& run, std::uint64_t sample) {
    if (run.stopped_at_fault()) {  // that only this order shows
      finding_.findings = run.record.findings;
      finding_.exit_status = -1;
      finding_.ending = run.ending() + " in run " + std::to_string(sample + 1);
      return;
    }
    for (const auto& each : run.record.findings) {
      const auto is_known = [&](const auto& known) {
        return known.kind == each.kind && known.place == each.place &&
               (host_program::is_fault(each.kind) || known.text.starts_with(each.text));
      };
      if (!shows_at_the_end(each.kind) && std::none_of(finding_.findings.begin(), finding_.findings.end(), is_known))
        finding_.findings.push_back(
            {each.kind, each.place, each.text + " (in run " + std::to_string(sample + 1) + ")"});
    }
    if (run.ending() == first_ending_) {
      compared_.push_back(run);
    } else if (!ends_otherwise_) {
      ends_otherwise_ = true;
      finding_.findings.push_back({FindingKind::varies,
                                   {},
                                   "run " + std::to_string(sample + 1) + " ends otherwise: " + run.ending() +
                                       "; the first run: " + first_ending_});
    }
  }

  /// The first order again, several times: a coarse value such as a time in ms may be the same twice.
  void compare(Session& session, const ScratchFolder& folder) {
    std::vector<ProgramRun> again;
    const std::uint64_t times = std::max(kLeastAgain, std::min(kMostAgain, runs_));
    while (again.size() < times && !session.stop.stop_requested()) {
      const HostRun run = run_once(job_, 0, ProgramOutput::kept, folder, session.stop);
      if (!run.end.stopped) again.push_back(run);
    }
    if (again.empty()) return;
    host_program::Comparison found = host_program::compare_runs(compared_, again, finding_.watched);
    finding_.varying = std::move(found.varying);
    finding_.not_compared = found.dropped;
    finding_.was_compared = true;
  }

  static constexpr std::uint64_t kLeastAgain = 2;
  static constexpr std::uint64_t kMostAgain = 3;

  HostJob job_;
  std::uint64_t runs_;
  HostFinding& finding_;
  std::vector<ProgramRun> compared_;
  std::string first_ending_;
  bool ends_otherwise_ = false;
};

int status_of(const HostFinding& finding, const std::string& fail_on) {
  const auto word = std::find(std::begin(kFailOnWords), std::end(kFailOnWords), fail_on);
  const auto asked = static_cast<FailsFrom>(word - std::begin(kFailOnWords));
  const bool fails = std::any_of(finding.findings.begin(), finding.findings.end(),
                                 [&](const auto& each) { return fails_from(each.kind) <= asked; });
  if (fails || (asked >= FailsFrom::varies && !finding.varying.empty())) return kExitNo;
  return finding.exit_status == 0 ? kDone : kProgramFailed;
}

void keep_program(const std::string& program, const std::string& place, Session& session) {
  OutputFile(place).commit(session, content_of(program));
  const auto may_read = [mode = fs::status(place).permissions()](fs::perms who) {
    return (mode & who) != fs::perms::none;
  };
  fs::perms may_run = fs::perms::owner_exec;
  if (may_read(fs::perms::group_read)) may_run |= fs::perms::group_exec;
  if (may_read(fs::perms::others_read)) may_run |= fs::perms::others_exec;
  fs::permissions(place, may_run, fs::perm_options::add);
}

int run_host(const CommandLine& line, Session& session) {
  if (!line.has(kHostFiles)) throw Error(ErrorKind::usage, "no program: give the FILE.cu that holds its main()");
  colored(line, session);
  OutputTargets targets(line);
  const OutputTarget page = targets.further(line, kHtml);
  HostJob job{{}, given(line, kHostArguments), settings_of(line)};
  const std::uint64_t runs = line.count(kHostRuns);
  line.word(kFailOn);
  if (line.has(kBuildOnly) && !job.arguments.empty())
    throw Error(ErrorKind::usage, "--build does not run the program, so it takes no arguments behind --");
  for (const Flag* report : {&kHtml, &kJson, &kCsv})
    if (line.has(kBuildOnly) && line.has(*report))
      throw Error(ErrorKind::usage, "--build does not run the program, so there is no report; leave out " +
                                        std::string(report->long_name()));

  HostFinding finding;
  finding.files = line.texts(kHostFiles);
  finding.includes = given(line, kIncludeFolder);
  finding.defines = given(line, kDefine);
  finding.standard = line.text(kStandard);

  // An interrupt ends what runs, and its folders are removed.
  std::optional<InPhase> working(std::in_place, session, Phase::working);
  std::string complaints;
  job.program = build_host_program({finding.files, finding.includes, finding.defines, finding.standard,
                                    line.has(kBuildOnly) || job.settings.checks_all() || job.settings.warp_synchronous},
                                   complaints, session.stop);
  if (job.program.empty()) {
    session.err << complaints;
    complain(session, "host: the compiler refuses the program; its messages are above");
    return kFailed;
  }

  if (line.has(kBuildOnly)) {
    keep_program(job.program, line.text(kBuildOnly), session);
    return kDone;
  }

  finding.arguments = job.arguments;
  finding.seed = job.settings.seed;
  finding.runs = 0;
  finding.check = line.text(kChecked);
  finding.gpus = job.settings.gpus;
  finding.warp_sync = line.word(kWarpSync);
  finding.watched = given(line, kWatchName);
  HostRuns(std::move(job), runs, finding).run(session, targets.silent());
  working.reset();
  if (finding.exit_status != 0)
    std::erase_if(finding.findings, [](const auto& each) { return shows_at_the_end(each.kind); });
  write_report(session, line, targets, finding);
  if (page.wanted()) page.write(session, page_html(page_content(finding)));
  if (finding.partial) return kInterrupted;
  return status_of(finding, line.word(kFailOn));
}

std::string host_notes() {
  return "The program's own output passes through, to standard error where --json - or --csv - has standard output. "
         "With --runs above 1 its standard input is empty. It runs with your rights, in no sandbox. Status 0: it ended "
         "with status 0 and nothing was found; 1: a finding (--fail-on says which count); 2: wrong usage, or it cannot "
         "be compiled; 3: it crashed, or its own status was not 0.\n";
}

}  // namespace

extern const Command kHost;
const Command kHost{
    .name = "host",
    .summary = "a CUDA program, unmodified, on a simulated GPU: faults by line, numbers that vary from run to run",
    .example = "orderlab host reduction.cu --runs 5 -- 1000000",
    .flags = kHostFlags,
    .run = run_host,
    .notes = host_notes,
};

}  // namespace orderlab::cli
