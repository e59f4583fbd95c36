#include "show/host_fields.hpp"

#include <optional>
#include <string>

#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"

namespace orderlab::described {

namespace {

using host_program::Finding;
using host_program::LaunchCount;
using host_program::Varying;
namespace k = kinds;

constexpr std::string_view kPlaceHelp = "FILE:LINE of the source";

constexpr Field kHostFaultFields[] = {
    word<&Finding::kind, host_program::kFindingKindNames>(
        "kind", k::kText,
        "Undefined behaviour in a kernel (fault), a wrong call or access by the host (host_fault), use of the same "
        "memory by two streams or by a stream and the host without an order (unordered), memory that is never freed "
        "(leak), another end than that of the first run (varies). No fault: threads that write the same value to one "
        "place without an order (same_value), accesses that were not checked (unchecked), a result that nothing reads "
        "and other notes (note)",
        {.where = Where::both}),
    value("place", k::kText, kPlaceHelp, [](const Finding& f) { return text_or_none(f.place); },
          {.null = "where it is not known", .where = Where::both}),
    value<&Finding::text>("text", k::kText, "What is wrong there", {.where = Where::both}),
};
constexpr TableOf<Finding> kHostFault{{.key = "host_finding",
                                       .title = "Finding in a program",
                                       .help = "Something wrong in a program or one of its kernels.",
                                       .fields = kHostFaultFields}};

constexpr Field kRunNumberFields[] = {itself<double>(k::kNumber)};
constexpr TableOf<double> kRunNumber{{.key = "number_of_run", .fields = kRunNumberFields}};

constexpr Field kVaryingFields[] = {
    value("place", k::kText, "FILE:LINE of the copy", [](const Varying& v) { return text_or_none(v.place); },
          {.null = "of what was printed"}),
    value<&Varying::what>("what", k::kText, "The line of the output, or the variable that was copied back"),
    value<&Varying::numbers>("numbers", k::kCount, "Numbers there"),
    value<&Varying::varying>("varying", k::kCount, "Numbers of these that differ between runs"),
    value<&Varying::values>("values", k::kCount,
                            "Different values of the number that has most of them; different contents where no number "
                            "differs that is kept"),
    value("least", k::kText, "The least of these", [](const Varying& v) { return text_or_none(v.least); },
          {.null = "where the form differs, not only the numbers"}),
    value("greatest", k::kText, "The greatest of these", [](const Varying& v) { return text_or_none(v.greatest); },
          {.null = "where the form differs, not only the numbers"}),
    part<&Varying::of_runs>(
        "of_runs", kRunNumber,
        "In each run, the number that has the most different values; empty where the form differs, or only bytes "
        "beyond the kept numbers do"),
    value<&Varying::reason>("reason", k::kText, "Which kernels' orders it may come from"),
};
constexpr TableOf<Varying> kVarying{{.key = "varying",
                                     .title = "Varying numbers",
                                     .help = "Numbers that differ between runs with different orders.",
                                     .fields = kVaryingFields}};

constexpr Field kLaunchFields[] = {
    value<&LaunchCount::kernel>("kernel", k::kText, "The kernel, as the launch names it"),
    value<&LaunchCount::place>("place", k::kText, kPlaceHelp),
    value<&LaunchCount::launches>("launches", k::kCount, "Number of launches from there"),
    value<&LaunchCount::blocks>("blocks", k::kCount, "Thread blocks in all of them"),
    value<&LaunchCount::checked>("checked", k::kCount, "Thread blocks whose accesses were checked"),
    value<&LaunchCount::threads>("threads", k::kCount, "Threads in all of them"),
    value<&LaunchCount::float_atomics>("float_atomics", k::kCount, "Additions to floats by atomics"),
    value<&LaunchCount::exchanges>("exchanges", k::kCount, "Times that atomicCAS or atomicExch changed a value"),
};
constexpr TableOf<LaunchCount> kLaunchTable{
    {.key = "launches", .title = "Launches of a kernel", .help = "From one line.", .fields = kLaunchFields}};

constexpr Field kHostConfigFields[] = {
    part<&HostFinding::files>("files", kTexts, "The sources"),
    part<&HostFinding::includes>("include", kTexts, "Folders of headers"),
    part<&HostFinding::defines>("define", kTexts, "Macros that were defined"),
    value<&HostFinding::standard>("std", k::kText, "Language of the sources, as asked"),
    part<&HostFinding::arguments>("arguments", kTexts, "Arguments of the program"),
    value<&HostFinding::seed>("seed", k::kCount, "Seed of the orders"),
    value<&HostFinding::runs>("runs", k::kSome, "Number of runs, each with an order of its own"),
    value<&HostFinding::check>("check", k::kText, "Thread blocks of a launch that are checked: all, auto, or so many"),
    value<&HostFinding::gpus>("gpus", k::kSome, "GPUs that the program found"),
    value<&HostFinding::warp_sync>("warp_sync", k::kText, "Whether warps run in step: volta if not, legacy if so"),
    part<&HostFinding::watched>("watch", kTexts, "Variables that are compared; none: all, and what is printed"),
};
constexpr TableOf<HostFinding> kHostConfig{
    {.key = "config", .title = "Host config", .help = kConfigSentence, .fields = kHostConfigFields}};

constexpr Field kHostFields[] = {
    head<HostFinding>(),
    command<HostFinding>(R"("host")"),
    group("config", kHostConfig),
    part<&HostFinding::findings>("findings", kHostFault, "What is wrong, in the order in which it was found"),
    part<&HostFinding::varying>("varying", kVarying, "What differs between the runs"),
    part<&HostFinding::launches>("launches", kLaunchTable, "What the first run launched"),
    value("exit_status", k::kCount, "Exit status of the program",
          [](const HostFinding& f) {
            return f.exit_status < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(f.exit_status));
          },
          {.null = "where it was stopped or crashed"}),
    value<&HostFinding::crashed>("crashed", k::kTruth, "Whether a signal ended it"),
    value<&HostFinding::ending>("ending", k::kText,
                                "How the program ended; the first run, or the one that was stopped at a fault"),
    value<&HostFinding::not_compared>(
        "not_compared", k::kCount,
        "Lines of the output and copies that differ with the same order, too, such as times"),
    partial<&HostFinding::partial>(),
};

}  // namespace

constexpr TableOf<HostFinding> kHostDocument{
    {.key = "host",
     .title = "Host run",
     .help = "Written by `orderlab host --json`: a CUDA program that was run on the host.",
     .fields = kHostFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_csv(const HostFinding& finding) {
  std::string csv = described::csv_titles(described::kHostFault);
  for (const host_program::Finding& one : finding.findings) csv += described::csv_row(described::kHostFault, one);
  return csv;
}

std::string to_json(const HostFinding& finding) { return json_document(to_json(described::kHostDocument, finding)); }

}  // namespace orderlab
