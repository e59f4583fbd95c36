#include "cli/shard.hpp"

#include <array>
#include <utility>
#include <vector>

#include "cli/numbered_files.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

constexpr std::string_view kAuto = "auto";

/// Variables of a scheduler that numbers the processes of one launch from 0.
struct Ranks {
  const char* number;
  const char* count;
};

constexpr Ranks kOpenMpi{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"};
constexpr Ranks kPmi{"PMI_RANK", "PMI_SIZE"};
constexpr Ranks kSlurm{"SLURM_PROCID", "SLURM_NTASKS"};
constexpr const char* kStepTasks = "SLURM_STEP_NUM_TASKS";  // tasks that srun started; the job may have asked for more
constexpr const char* kSlurmJob = "SLURM_JOB_ID";
constexpr const char* kTask = "SLURM_ARRAY_TASK_ID";
constexpr const char* kTaskCount = "SLURM_ARRAY_TASK_COUNT";
constexpr const char* kLeastTask = "SLURM_ARRAY_TASK_MIN";
constexpr const char* kGreatestTask = "SLURM_ARRAY_TASK_MAX";
constexpr const char* kTaskStep = "SLURM_ARRAY_TASK_STEP";
constexpr const char* kCompletionIndex = "JOB_COMPLETION_INDEX";

/// A shard, and the variable that it is known from.
struct Found {
  Shard shard;
  std::string variable;
};

class Schedulers {
 public:
  Schedulers(std::string typed, std::optional<std::uint64_t> wanted, const Environment& environment)
      : what_("--shard " + std::move(typed) + ": "), wanted_(wanted), environment_(environment) {}

  Shard shard() const {
    const std::optional<Found> found = found_in_all();
    if (!found)
      refuse(std::string("no scheduler set OMPI_COMM_WORLD_RANK, PMI_RANK, SLURM_PROCID, ") + kTask + " or " +
             kCompletionIndex + "; give i/N, such as 1/4 for the first of four");
    if (wanted_ && *wanted_ > 1 && found->shard.count == 1)
      refuse(found->variable + " is set, but nothing numbers " + std::to_string(*wanted_) +
             " processes; start as many, such as an array with --array=1-" + std::to_string(*wanted_) +
             ", or give i/N");
    if (found->shard.count > kMostShards)
      refuse(std::to_string(found->shard.count) + " shards are too many (the limit is " + std::to_string(kMostShards) +
             ")");
    return found->shard;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw Error(ErrorKind::usage, what_ + why); }

  std::optional<std::uint64_t> value(const char* name) const {
    const char* const text = environment_(name);
    if (text == nullptr || *text == '\0') return std::nullopt;
    return parse_count(what_ + name, text);
  }

  std::uint64_t value_beside(const char* name, const char* other) const {
    if (const auto there = value(name)) return *there;
    refuse(std::string(other) + " is set and " + name + " is not; give i/N");
  }

  // "SLURM_ARRAY_TASK_ID 9"
  static std::string said(const char* name, std::uint64_t value) {
    return std::string(name) + " " + std::to_string(value);
  }

  std::optional<Found> found_in_all() const {
    std::vector<Found> all;
    for (auto found : {of_ranks(kOpenMpi), of_ranks(kPmi), of_slurm()})
      if (found) all.push_back(*std::move(found));
    std::optional<Found> one = first_of_several(all);
    for (const auto& more : {of_array(), of_index()}) {
      if (!more) continue;
      if (one && one->shard.count > 1 && more->shard.count > 1)
        refuse(more->variable + " and " + one->variable +
               " both number this process, and only one of them can be the shard's; give i/N");
      if (!one || more->shard.count > 1) one = more;
    }
    if (!one) require_started_by_srun();
    return one;
  }

  // A batch script is one process, however many tasks its job asked for.
  bool is_batch_script() const { return value(kSlurmJob) && !value(kStepTasks) && value(kSlurm.number) == 0; }

  void require_started_by_srun() const {
    const auto tasks = value(kSlurm.count);
    if (is_batch_script() && tasks && *tasks > 1)
      refuse(said(kSlurm.count, *tasks) +
             ", but srun did not start this process; put srun before orderlab, or give i/N");
  }

  std::optional<Found> of_slurm() const {
    const auto rank = value(kSlurm.number);
    const auto tasks = value(kStepTasks);
    if (rank && tasks) return of_rank(kSlurm.number, *rank, kStepTasks, *tasks);
    const auto asked = value(kSlurm.count);
    if (is_batch_script() && asked && *asked > 1) return std::nullopt;
    return of_ranks(kSlurm);
  }

  static std::optional<Found> first_of_several(const std::vector<Found>& all) {
    for (const Found& found : all)
      if (found.shard.count > 1) return found;
    return all.empty() ? std::nullopt : std::optional(all.front());
  }

  // A batch script has a SLURM_PROCID of 0, and a count only where one was asked for.
  std::optional<Found> of_ranks(const Ranks& ranks) const {
    const auto rank = value(ranks.number);
    if (!rank) return std::nullopt;
    const std::uint64_t count = *rank == 0 ? value(ranks.count).value_or(1) : value_beside(ranks.count, ranks.number);
    return of_rank(ranks.number, *rank, ranks.count, count);
  }

  Found of_rank(const char* number, std::uint64_t rank, const char* of, std::uint64_t count) const {
    if (rank >= count) refuse(said(number, rank) + " is not below " + said(of, count) + "; give i/N");
    if (count > 1 && wanted_ && *wanted_ != count)
      refuse(said(of, count) + " is another number than " + std::to_string(*wanted_) +
             "; leave that out, or start as many processes");
    return {{rank + 1, count}, number};
  }

  // With a number of shards the ID is the shard's number: so tasks can be repeated alone. The array's own numbers count
  // the tasks of this submission.
  std::optional<Found> of_array() const {
    const auto id = value(kTask);
    if (!id) return std::nullopt;
    if (wanted_) {
      if (*id < 1 || *id > *wanted_)
        refuse(said(kTask, *id) + " is no shard of these " + std::to_string(*wanted_) + "; submit with --array=1-" +
               std::to_string(*wanted_));
      return Found{{*id, *wanted_}, kTask};
    }
    const std::uint64_t count = value_beside(kTaskCount, kTask);
    const std::uint64_t least = value_beside(kLeastTask, kTask);
    const std::uint64_t step = value(kTaskStep).value_or(1);
    const std::uint64_t greatest = value(kGreatestTask).value_or(*id);
    const auto before = [&](std::uint64_t task) { return (task - least) / step; };
    const bool without_gaps = step > 0 && least <= *id && *id <= greatest && (*id - least) % step == 0 &&
                              before(*id) < count && (!value(kGreatestTask) || before(greatest) == count - 1);
    const bool again = count == 1 && *id > 1;  // one task of an array that was larger
    if (!without_gaps || again)
      refuse(said(kTask, *id) + " of an array of " + std::to_string(count) + (count == 1 ? " task" : " tasks") +
             " does not tell the shard; give auto/N with the number of shards, and submit with IDs from 1 to N");
    return Found{{before(*id) + 1, count}, kTask};
  }

  std::optional<Found> of_index() const {
    const auto index = value(kCompletionIndex);
    if (!index) return std::nullopt;
    if (!wanted_)
      refuse(std::string(kCompletionIndex) +
             " comes without the number of pods; give auto/N with the job's completions");
    if (*index >= *wanted_)
      refuse(said(kCompletionIndex, *index) + " is not below " + std::to_string(*wanted_) + ", the number of shards");
    return Found{{*index + 1, *wanted_}, kCompletionIndex};
  }

  std::string what_;
  std::optional<std::uint64_t> wanted_;
  const Environment& environment_;
};

// Flags of files that are written and have `{shard}` in their names.
std::vector<const Flag*> marked_files(const CommandLine& line) {
  std::vector<const Flag*> marked;
  for (const Flag* flag : line.flags()) {
    const bool written =
        flag->kind == FlagKind::writes || flag->kind == FlagKind::writes_store || flag->kind == FlagKind::folder;
    if (written && line.has(*flag) && line.text(*flag).find(kShardMark) != std::string::npos) marked.push_back(flag);
  }
  return marked;
}

}  // namespace

Shard parse_shard(const std::string& text, const Environment& environment) {
  const std::string what = "--shard " + text + ": ";
  const auto slash = text.find('/');
  const std::string first = text.substr(0, slash);
  std::optional<std::uint64_t> count;
  if (text.ends_with('/'))
    throw Error(ErrorKind::usage, what + "has no N; give i/N, such as 1/4 for the first of four");
  if (slash != std::string::npos) count = parse_count(what + "N", text.substr(slash + 1), 1, kMostShards);
  if (first == kAuto) return Schedulers(text, count, environment).shard();
  if (!count) throw Error(ErrorKind::usage, what + "must be i/N, such as 1/4 for the first of four, or auto");
  const CountResult number = read_count(first);
  if (!number.value || *number.value < 1 || *number.value > *count)
    throw Error(ErrorKind::usage, what + "i must be a whole number from 1 to N, such as 1/4 for the first of four");
  return {*number.value, *count};
}

void name_shard(CommandLine& line, const Environment& environment) {
  if (!line.takes(kShard) || !line.has(kShard)) return;
  const Shard shard = parse_shard(line.text(kShard), environment);
  line.give(kShard, {std::to_string(shard.number) + "/" + std::to_string(shard.count)});
  for (const Flag* flag : marked_files(line)) line.give(*flag, {with_number(line.text(*flag), shard.number)});
}

void refuse_marks(const CommandLine& line) {
  for (const Flag* flag : marked_files(line))
    throw Error(ErrorKind::usage, line.quoted(*flag) + ": {shard} is the number of a shard" +
                                      (line.takes(kShard) ? "; give --shard too" : ", and there is none here"));
}

std::optional<Shard> shard_of(const CommandLine& line) {
  if (!line.has(kShard)) {
    refuse_marks(line);
    return std::nullopt;
  }
  return parse_shard(line.text(kShard), [](const char*) { return nullptr; });
}

}  // namespace orderlab::cli
