// Runs a program as a child of this one, with the same terminal.
#pragma once

#include <string>
#include <vector>

namespace orderlab::cli {

struct HostProcess {
  std::vector<std::string> arguments;    ///< the program and its arguments
  std::vector<std::string> environment;  ///< "NAME=VALUE" beside that of this process
  std::string output;                    ///< file for standard output; empty: that of this process
  std::string errors;                    ///< the same of standard error
};

struct ProcessEnd {
  int status = -1;  ///< exit status; -1 where a signal ended it
  int signal = 0;
};

/// Error(unsupported) where it cannot be started.
ProcessEnd run_process(const HostProcess& process);

}  // namespace orderlab::cli
