// --counts: samples kept in a file as they are drawn.
#pragma once

#include <optional>
#include <string>

#include "cli/command_line.hpp"
#include "cli/kept_file.hpp"
#include "orderlab/study/sample.hpp"
#include "sweep/counts_file.hpp"

namespace orderlab::cli {

inline constexpr Flag kCounts{.key = "counts",
                              .kind = FlagKind::writes_store,
                              .value = "FILE",
                              .help =
                                  "keep exact counts of the samples in a file: samples in it are not drawn again, and "
                                  "`orderlab merge` joins files",
                              .group = "Output"};

/// The file of --counts while `sample` runs.
class KeptCounts {
 public:
  /// Nothing is kept where the flag was left out. Error(usage) for a file that cannot be written.
  explicit KeptCounts(const CommandLine& line);

  bool wanted() const { return file_.has_value(); }

  /// Gives the request what the file has, and lets it keep what is drawn.
  ///
  /// Errors: usage where no order is drawn, for samples in the file that are beyond those asked for, or not of the
  /// shard; input for a file of other samples, and those of counts_from_bytes.
  void follow(const study::InputFacts& input, study::SampleRequest& request, Session& session);

  /// "512 of 1000 samples are in FILE", of all orders together.
  std::string state() const;

 private:
  void take_over(const CountsFile& there, const study::SampleRequest& request);

  const CommandLine& line_;
  std::optional<KeptFile> file_;
  CountsFile content_;
};

/// A file of counts as what was asked for: the command line, and the finding on what is there. Nothing is drawn but
/// what fixed orders give. `more` has the flags of the command that asks: --threads, --quiet.
///
/// Errors: input where the terms came from a program, or are not those of the file; those of sample_as_asked.
study::SampleFinding finding_of(const CountsFile& file, const std::string& path, const CommandLine& more,
                                Session& session);

}  // namespace orderlab::cli
