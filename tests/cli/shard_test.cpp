#include "cli/shard.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "cli/program.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

using Variables = std::map<std::string, std::string>;

Environment environment_of(const Variables& variables) {
  return [&variables](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

Shard shard(const std::string& text, const Variables& variables = {}) {
  return parse_shard(text, environment_of(variables));
}

std::string refusal(const std::string& text, const Variables& variables = {}) {
  try {
    shard(text, variables);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "taken";
}

Variables array(const char* id, const char* count, const char* least, const char* greatest, const char* step = "1") {
  return {{"SLURM_ARRAY_TASK_ID", id},
          {"SLURM_ARRAY_TASK_COUNT", count},
          {"SLURM_ARRAY_TASK_MIN", least},
          {"SLURM_ARRAY_TASK_MAX", greatest},
          {"SLURM_ARRAY_TASK_STEP", step},
          {"SLURM_JOB_ID", "12"},
          {"SLURM_PROCID", "0"}};  // a batch script has that too
}

Variables with(Variables variables, const Variables& more) {
  variables.insert(more.begin(), more.end());
  return variables;
}

const Variables kOpenMpi{{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}};
const Variables kPmi{{"PMI_RANK", "0"}, {"PMI_SIZE", "3"}};
const Variables kTasks{{"SLURM_PROCID", "7"}, {"SLURM_NTASKS", "8"}};

}  // namespace

TEST_CASE("a shard as typed") {
  CHECK(shard("1/1") == Shard{1, 1});
  CHECK(shard("3/8", kOpenMpi) == Shard{3, 8});  // what is typed holds
  CHECK(refusal("0/2") == "--shard 0/2: i must be a whole number from 1 to N, such as 1/4 for the first of four");
  CHECK(refusal("3") == "--shard 3: must be i/N, such as 1/4 for the first of four, or auto");
  CHECK(refusal("automatic/4") ==
        "--shard automatic/4: i must be a whole number from 1 to N, such as 1/4 for the first of four");
  CHECK(refusal("1/") == "--shard 1/: has no N; give i/N, such as 1/4 for the first of four");
  for (const char* text : {"", "/", "1/", "/2", "1/0", "auto/", "auto/0", "auto/x", "1/2/3", "auto/2/3"})
    CHECK(refusal(text) != "taken");
}

TEST_CASE("a shard as ranks say") {
  CHECK(shard("auto", kOpenMpi) == Shard{3, 4});
  CHECK(shard("auto/4", kOpenMpi) == Shard{3, 4});
  CHECK(shard("auto", kPmi) == Shard{1, 3});
  CHECK(shard("auto", kTasks) == Shard{8, 8});
  // mpirun in an allocation of Slurm: its own ranks come first; one process of it is not among them.
  CHECK(shard("auto", with(kOpenMpi, kTasks)) == Shard{3, 4});
  CHECK(shard("auto", with(kPmi, kTasks)) == Shard{1, 3});
  CHECK(shard("auto", with({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}, kTasks)) == Shard{8, 8});
  CHECK(shard("auto", {{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}) == Shard{1, 1});
  CHECK(shard("auto", {{"SLURM_PROCID", "0"}}) == Shard{1, 1});  // a batch script of one task
  CHECK(refusal("auto/8", {{"SLURM_JOB_ID", "7"}, {"SLURM_PROCID", "0"}}) ==
        "--shard auto/8: SLURM_PROCID is set, but nothing numbers 8 processes; start as many, such as an array with "
        "--array=1-8, or give i/N");
  CHECK(refusal("auto", {{"PMI_RANK", "2"}, {"PMI_SIZE", "99999999999"}}) ==
        "--shard auto: 99999999999 shards are too many (the limit is 10000000)");
  CHECK(refusal("auto/8", kOpenMpi) ==
        "--shard auto/8: OMPI_COMM_WORLD_SIZE 4 is another number than 8; leave that out, or start as many processes");
  // A batch script of `sbatch -n 4` is one process, whatever it asked for; what srun starts has the step's number.
  const Variables script{{"SLURM_JOB_ID", "12"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}};
  CHECK(refusal("auto", script) ==
        "--shard auto: SLURM_NTASKS 4, but srun did not start this process; put srun before orderlab, or give i/N");
  CHECK(shard("auto", with({{"SLURM_STEP_NUM_TASKS", "2"}}, script)) == Shard{1, 2});
  CHECK(shard("auto", with({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}, script)) == Shard{1, 1});
  CHECK(shard("auto", with(array("3", "8", "1", "8"), {{"SLURM_NTASKS", "2"}})) == Shard{3, 8});
  CHECK(shard("auto", with(kPmi, {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "3"}, {"SLURM_STEP_NUM_TASKS", "1"}})) ==
        Shard{1, 3});  // hydra starts its proxies by srun
  CHECK(refusal("auto", {{"PMI_RANK", "2"}}) == "--shard auto: PMI_RANK is set and PMI_SIZE is not; give i/N");
  CHECK(refusal("auto", {{"PMI_RANK", "2"}, {"PMI_SIZE", "2"}}) ==
        "--shard auto: PMI_RANK 2 is not below PMI_SIZE 2; give i/N");
  CHECK(refusal("auto", {{"PMI_RANK", "two"}, {"PMI_SIZE", "3"}}) != "taken");
}

TEST_CASE("a shard as an array of jobs says") {
  CHECK(shard("auto", array("3", "8", "1", "8")) == Shard{3, 8});
  CHECK(shard("auto", array("0", "8", "0", "7")) == Shard{1, 8});
  CHECK(shard("auto", array("11", "4", "5", "11", "2")) == Shard{4, 4});  // --array=5-12:2
  CHECK(shard("auto/8", array("3", "8", "1", "8")) == Shard{3, 8});
  // --array=3,7: two lost tasks, submitted again; the array counts these two.
  CHECK(shard("auto/8", array("7", "2", "3", "7")) == Shard{7, 8});
  CHECK(shard("auto/8", array("7", "1", "7", "7")) == Shard{7, 8});
  CHECK(refusal("auto", array("3", "2", "3", "7")) != "taken");
  CHECK(refusal("auto", array("3", "1", "3", "3"))
            .starts_with(
                "--shard auto: SLURM_ARRAY_TASK_ID 3 of an array of 1 task does not tell the shard; give auto/N"));
  CHECK(shard("auto", array("0", "1", "0", "0")) == Shard{1, 1});
  CHECK(refusal("auto", array("18446744073709551615", "8", "0", "7")) != "taken");
  CHECK(
      refusal("auto", array("7", "2", "3", "7")) ==
      "--shard auto: SLURM_ARRAY_TASK_ID 7 of an array of 2 tasks does not tell the shard; give auto/N with the number "
      "of shards, and submit with IDs from 1 to N");
  CHECK(refusal("auto/8", array("0", "8", "0", "7")) ==
        "--shard auto/8: SLURM_ARRAY_TASK_ID 0 is no shard of these 8; submit with --array=1-8");
  CHECK(refusal("auto/8", array("9", "9", "1", "9")) != "taken");
  CHECK(refusal("auto", {{"SLURM_ARRAY_TASK_ID", "3"}}) ==
        "--shard auto: SLURM_ARRAY_TASK_ID is set and SLURM_ARRAY_TASK_COUNT is not; give i/N");
  CHECK(refusal("auto", with(kOpenMpi, array("3", "8", "1", "8"))) ==
        "--shard auto: SLURM_ARRAY_TASK_ID and OMPI_COMM_WORLD_RANK both number this process, and only one of them can "
        "be "
        "the shard's; give i/N");
  CHECK(shard("auto", with(kOpenMpi, array("1", "1", "1", "1"))) == Shard{3, 4});  // an array of one job
}

TEST_CASE("a shard as Kubernetes says") {
  CHECK(shard("auto/5", {{"JOB_COMPLETION_INDEX", "0"}}) == Shard{1, 5});
  CHECK(shard("auto/5", {{"JOB_COMPLETION_INDEX", "4"}}) == Shard{5, 5});
  CHECK(refusal("auto", {{"JOB_COMPLETION_INDEX", "4"}}) ==
        "--shard auto: JOB_COMPLETION_INDEX comes without the number of pods; give auto/N with the job's completions");
  CHECK(refusal("auto/4", {{"JOB_COMPLETION_INDEX", "4"}}) ==
        "--shard auto/4: JOB_COMPLETION_INDEX 4 is not below 4, the number of shards");
}

TEST_CASE("without a scheduler there is no shard") {
  for (const Variables& variables : {Variables{}, Variables{{"SLURM_JOB_ID", "12"}}, Variables{{"PMI_RANK", ""}}})
    CHECK(refusal("auto", variables) ==
          "--shard auto: no scheduler set OMPI_COMM_WORLD_RANK, PMI_RANK, SLURM_PROCID, SLURM_ARRAY_TASK_ID or "
          "JOB_COMPLETION_INDEX; give i/N, such as 1/4 for the first of four");
}
