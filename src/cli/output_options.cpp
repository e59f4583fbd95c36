#include "cli/output_options.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace fs = std::filesystem;

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  const auto fail = [this](const std::string& why) {
    throw Error(ErrorKind::usage, path_ + ": cannot be written: " + why);
  };
  std::error_code code;
  if (fs::is_directory(path_, code)) fail("it is a folder; name a file in it");
  if (fs::exists(path_, code) && !fs::is_regular_file(path_, code)) return;  // /dev/null, a pipe: written in place
  if (fs::exists(path_, code) && access(path_.c_str(), W_OK) != 0) fail("no permission");
  temporary_ = path_ + ".part" + std::to_string(getpid());
  const bool writable = std::ofstream(temporary_).good();
  fs::remove(temporary_, code);
  if (writable) return;
  const fs::path folder = fs::path(path_).parent_path();
  fail(folder.empty() || fs::is_directory(folder, code) ? "no permission in its folder" : "its folder does not exist");
}

void OutputFile::commit(const std::string& text) const {
  const std::string& target = temporary_.empty() ? path_ : temporary_;
  std::ofstream file(target, std::ios::binary);
  file << text;
  file.close();
  std::error_code code;
  if (file && !temporary_.empty()) fs::rename(temporary_, path_, code);
  if (file && !code) return;
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
  throw Error(ErrorKind::usage, path_ + ": cannot be written: the disk is full or the folder is gone");
}

void OutputTarget::open(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty()) return;
  std::error_code code;
  for (const std::string& input : inputs)
    if (path != "-" && fs::equivalent(path, input, code))
      throw Error(ErrorKind::usage, path + ": is read by this command, and would be lost; name another file to write");
  to_stdout_ = path == "-";
  if (!to_stdout_) file_ = std::make_unique<OutputFile>(path);
}

void OutputTarget::write(Session& session, const std::string& text) {
  if (to_stdout_) session.out << text;
  if (file_ != nullptr) file_->commit(text);
}

void OutputOptions::add_to(CLI::App& app) {
  const std::string group = "Output";
  app.add_option("--json", json, "write JSON to a file, or - for standard output")->type_name("FILE")->group(group);
  app.add_option("--csv", csv, "write the results as CSV to a file, or - for standard output")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--quiet", quiet, "no text and no progress bar, only files and errors")
      ->disable_flag_override()
      ->group(group);
  app.add_option("--color", color, "auto, always or never")->type_name("WHEN")->capture_default_str()->group(group);
}

bool OutputOptions::colored(const Session& session) const {
  if (color == "always") return true;
  if (color == "never") return false;
  if (color != "auto") throw Error(ErrorKind::usage, "--color " + color + ": must be auto, always or never");
  return session.out_is_terminal && std::getenv("NO_COLOR") == nullptr;
}

OutputTargets::OutputTargets(const OutputOptions& options, const std::vector<std::string>& inputs) {
  if (options.json == "-" && options.csv == "-")
    throw Error(ErrorKind::usage, "--json - and --csv -: both want standard output; name a file for one of them");
  std::error_code code;
  const auto place = [&code](const std::string& path) { return fs::weakly_canonical(fs::absolute(path, code), code); };
  const bool two_files = !options.json.empty() && !options.csv.empty() && options.json != "-" && options.csv != "-";
  if (two_files && place(options.json) == place(options.csv) &&
      (!fs::exists(options.json, code) || fs::is_regular_file(options.json, code)))
    throw Error(ErrorKind::usage, "--json and --csv name the same file " + options.json + "; name two");
  json.open(options.json, inputs);
  csv.open(options.csv, inputs);
}

}  // namespace orderlab::cli
