// A command of the program, called by Python: on a thread of its own, while the calling thread looks after signals and
// progress; or on the calling thread, where that is to call a function of Python for it.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/given_array.hpp"
#include "cli/report_on.hpp"
#include "orderlab/study/divided_draws.hpp"
#include "python/core/callable_box.hpp"

namespace orderlab::python {

/// What a command is given: texts and arrays, by the long name of the flag.
struct CommandArguments {
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;
  std::vector<std::pair<std::string, cli::GivenArray>> arrays;
};

/// What a command did.
struct CommandOutcome {
  int status = 0;                              ///< the exit status
  std::shared_ptr<const cli::Report> report;   ///< null where the command found nothing to show
  std::string out;                             ///< what it printed to standard output
  std::string err;                             ///< and to standard error
  std::optional<study::DrawnPart> drawn;       ///< the part of draws that it was to make, in place of an answer
  std::optional<study::DrawsMissing> missing;  ///< draws that others have to make before it can answer
};

/// Runs the command without the GIL. `progress`, unless None, is called as progress(stage, done, total, fraction), ten
/// times a second at most, on the calling thread. What it raises, and what handlers of signals raise, stops the command
/// and is raised when the command has stopped. A black box runs on the calling thread, between whose calls all that is
/// done; what its function raises is raised as it is. `divided`: what this process draws of samples that several share.
///
/// Errors: Error, std::bad_alloc; std::logic_error for a flag or command that there is not.
CommandOutcome call_command(const std::string& name, CommandArguments arguments, const pybind11::object& progress,
                            const std::optional<GivenCallable>& box, const std::optional<study::DividedDraws>& divided);

/// A call of C++ that lets go of the GIL, for as long as it lives: see end_calls. Error(unsupported) after that.
class OpenCall {
 public:
  OpenCall();
  ~OpenCall();
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;
};

/// Stops all calls of other threads and waits until they have returned: for the end of the interpreter, after which no
/// thread can take the GIL. Later calls are refused.
void end_calls();

}  // namespace orderlab::python
