#include <mutex>

#include "core/float_environment.hpp"
#include "engine/task_list.hpp"
#include "orderlab/program.hpp"

namespace orderlab {

void run_samples(const ProgramSamples& what, const std::function<void(ProgramRun&)>& body) {
  const FloatEnvironment environment;
  std::mutex reporting;
  std::uint64_t done = 0;
  const auto threads = static_cast<std::size_t>(threads_used(what.threads));
  run_task_list(what.samples, what.threads, threads, [&](std::size_t i) {
    if (what.stop.stop_requested()) return;
    ProgramRun run(what.seed, what.first + i, what.reductions);
    {
      const FloatEnvironment of_body(FloatEnvironment::Of::task);
      body(run);
    }
    if (!what.progress) return;
    const std::lock_guard lock(reporting);
    what.progress(++done, what.samples);
  });
}

}  // namespace orderlab
