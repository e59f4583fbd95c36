// orderlab host: a CUDA program, unmodified, on a simulated GPU that checks every access.
#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "cli/host_build.hpp"
#include "cli/host_process.hpp"
#include "cli/output_options.hpp"
#include "core/text.hpp"
#include "host_program/settings.hpp"
#include "orderlab/error.hpp"
#include "show/host.hpp"

namespace orderlab::cli {

namespace {

namespace fs = std::filesystem;
using host_program::FindingKind;
using host_program::ProgramRun;

constexpr std::string_view kWarpSyncWords[] = {"volta", "legacy"};
// Each fails at what those before it fail at, too.
constexpr std::string_view kFailOnWords[] = {"nothing", "fault", "varies", "leak"};

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
constexpr Flag kHostRuns{.key = "runs",
                         .kind = FlagKind::count,
                         .value = "COUNT",
                         .fallback = "1",
                         .help = "run so often, each with another order of thread blocks and atomics, and compare",
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
                        .help = "thread blocks of each launch whose accesses are checked: auto are the first 16 and 16 "
                                "of the others"};
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
                       .help = "what gives status 1: nothing, fault, varies (a fault or a number that varies) or leak "
                               "(these or memory that is never freed)",
                       .words = kFailOnWords};
constexpr auto kHostFlags = joined(std::array{&kHostFiles, &kIncludeFolder, &kDefine, &kStandard, &kHostRuns,
                                              &kWatchName, &kHostSeed, &kChecked, &kWarpSync, &kFailOn},
                                   kOutputFlags, std::array{&kHostArguments});

// Exit statuses of `host` beside those of all commands.
constexpr int kProgramFailed = 3;

// Of --check auto: thread blocks from the start, and of the others.
constexpr std::size_t kAutoFirst = 16;
constexpr std::size_t kAutoSampled = 16;

/// A folder for what runs leave, removed with it.
class RunFolder {
 public:
  RunFolder() {
    std::string name = (fs::temp_directory_path() / "orderlab-run-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw Error(ErrorKind::unsupported, name + ": cannot be made: " + std::strerror(errno));
    path_ = name;
  }
  ~RunFolder() {
    std::error_code code;
    fs::remove_all(path_, code);
  }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string text_of_file(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> given(const CommandLine& line, const Flag& flag) {
  return line.has(flag) ? line.texts(flag) : std::vector<std::string>();
}

host_program::Settings settings_of(const CommandLine& line) {
  host_program::Settings settings;
  settings.seed = line.count(kHostSeed);
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
};

struct HostRun : ProgramRun {
  ProcessEnd end;
};

/// `shows`: the program's output is this command's.
HostRun run_once(const HostJob& job, std::uint64_t sample, bool shows, const RunFolder& folder) {
  host_program::Settings settings = job.settings;
  settings.sample = sample;
  settings.record = folder.file("record");
  fs::remove(settings.record);
  const std::string output = shows ? "" : folder.file("output");
  HostProcess process{{job.program},
                      {std::string(host_program::kSettingsVariable) + "=" + text_of(settings)},
                      output,
                      shows || sample == 0 ? "" : "/dev/null"};
  process.arguments.insert(process.arguments.end(), job.arguments.begin(), job.arguments.end());
  HostRun run;
  run.end = run_process(process);
  run.record = host_program::parse_record(text_of_file(settings.record));
  if (!shows) run.output = text_of_file(output);
  return run;
}

std::string ending_of(const ProcessEnd& end) {
  if (end.signal != 0) {
    const char* const name = ::sigabbrev_np(end.signal);
    return "crashed (SIG" + std::string(name == nullptr ? "?" : name) + ")";
  }
  if (end.status == host_program::kStoppedStatus) return "stopped at the fault";
  return "exit status " + std::to_string(end.status);
}

int status_of(const HostFinding& finding, const std::string& fail_on) {
  const auto level = std::find(std::begin(kFailOnWords), std::end(kFailOnWords), fail_on) - std::begin(kFailOnWords);
  for (const auto& each : finding.findings)
    if (level >= (each.kind == FindingKind::leak ? 3 : 1)) return kExitNo;
  if (level >= 2 && !finding.varying.empty()) return kExitNo;
  return finding.exit_status == 0 ? kDone : kProgramFailed;
}

int run_host(const CommandLine& line, Session& session) {
  if (!line.has(kHostFiles)) throw Error(ErrorKind::usage, "no program: give the FILE.cu that holds its main()");
  colored(line, session);
  OutputTargets targets(line);
  HostJob job{{}, given(line, kHostArguments), settings_of(line)};
  const std::uint64_t runs = line.count(kHostRuns);
  line.word(kFailOn);

  std::string complaints;
  job.program = build_host_program(
      {line.texts(kHostFiles), given(line, kIncludeFolder), given(line, kDefine), line.text(kStandard)}, complaints);
  if (job.program.empty()) {
    session.err << complaints;
    complain(session, "host: the compiler refuses the program; its messages are above");
    return kFailed;
  }

  const RunFolder folder;
  const bool compares = runs > 1;
  const bool shows = !compares && !targets.silent();
  std::vector<ProgramRun> all;
  HostFinding finding;
  for (std::uint64_t sample = 0; sample < runs && !session.stop.stop_requested(); ++sample) {
    const HostRun run = run_once(job, sample, shows, folder);
    if (sample == 0) {
      if (!shows && !targets.silent()) session.out.raw() << run.output << std::flush;
      finding.findings = run.record.findings;
      finding.launches = run.record.launches;
      finding.exit_status = run.end.status == host_program::kStoppedStatus ? -1 : run.end.status;
      finding.ending = ending_of(run.end);
    }
    all.push_back(run);
    if (run.end.status == host_program::kStoppedStatus) {
      if (sample != 0) finding.findings = run.record.findings;  // a fault that this order shows
      break;
    }
  }
  if (finding.exit_status != 0)  // it had no chance to free anything
    std::erase_if(finding.findings, [](const auto& each) { return each.kind == FindingKind::leak; });
  finding.files = line.texts(kHostFiles);
  finding.arguments = job.arguments;
  finding.seed = job.settings.seed;
  finding.runs = all.size();
  finding.check = line.text(kChecked);
  finding.warp_sync = line.word(kWarpSync);
  finding.watched = given(line, kWatchName);
  finding.partial = session.stop.stop_requested();
  if (compares && all.size() > 1)
    finding.varying = host_program::varying(all, run_once(job, 0, false, folder), finding.watched);
  write_report(session, line, targets, finding);
  if (session.stop.stop_requested()) return kInterrupted;
  return status_of(finding, line.word(kFailOn));
}

std::string host_notes() {
  return "The program's own output passes through. Status 0: it ended with status 0 and nothing was found; 1: a finding\n"
         "(--fail-on says which count); 2: it cannot be compiled; 3: its own status was not 0.\n";
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
