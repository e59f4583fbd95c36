// A config in a file of its own.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "experiment/config_file.hpp"
#include "experiment/sweep_plan.hpp"

namespace orderlab {

/// A folder with the file sweep.toml, both gone with it.
class ConfigText {
 public:
  explicit ConfigText(const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "orderlab_config_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
    std::ofstream(path()) << text;
  }
  ~ConfigText() { std::filesystem::remove_all(folder_); }
  ConfigText(const ConfigText&) = delete;
  ConfigText& operator=(const ConfigText&) = delete;

  std::string path() const { return (folder_ / "sweep.toml").string(); }
  std::filesystem::path folder() const { return folder_; }
  SweepPlan plan() const { return make_plan(read_config(path())); }

 private:
  std::filesystem::path folder_;
};

}  // namespace orderlab
