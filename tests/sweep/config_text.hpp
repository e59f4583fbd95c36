// A config in a file of its own.
#pragma once

#include <filesystem>
#include <string>

#include "sweep/config_file.hpp"
#include "sweep/sweep_plan.hpp"
#include "terms/temporary_file.hpp"

namespace orderlab {

/// A folder with the file sweep.toml, both gone with it.
class ConfigText {
 public:
  explicit ConfigText(const std::string& text) : file_("sweep.toml", text) {}

  std::string path() const { return file_.path(); }
  std::filesystem::path folder() const { return file_.folder(); }
  SweepPlan plan() const { return make_plan(read_config(path())); }

 private:
  TemporaryFile file_;
};

}  // namespace orderlab
