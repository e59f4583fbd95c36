// Runs a program as a child of this one, with the same terminal.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

namespace orderlab::cli {

struct HostProcess {
  std::vector<std::string> arguments;         ///< the program and its arguments
  std::vector<std::string> environment = {};  ///< "NAME=VALUE" beside that of this process
  std::string input = {};                     ///< file for standard input; empty: that of this process
  std::string output = {};                    ///< file for standard output; empty: that of this process
  std::string errors = {};                    ///< the same of standard error
  bool output_is_errors = false;              ///< standard output goes where standard error goes
};

struct ProcessEnd {
  int status = -1;  ///< exit status; -1 where a signal ended it
  int signal = 0;
  int error = 0;         ///< errno where the program could not be run
  bool stopped = false;  ///< by a stop that was requested
};

/// Its end. Where a stop is requested, the program and all that it started are ended first.
///
/// Error(unsupported) where no process can be made.
ProcessEnd run_process(const HostProcess& process, const std::stop_token& stop);

/// "SIGSEGV".
std::string signal_name(int signal);

/// The folder for temporary files. Error(usage) where there is none.
std::string temporary_place();

/// A new folder of this process, removed with this. Error(unsupported) where it cannot be made.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& beginning);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// Content of a file; empty where it cannot be read.
std::string content_of(const std::string& file);

}  // namespace orderlab::cli
