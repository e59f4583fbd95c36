// orderlab fake: a command that tests add, with a document of its own.
#include "cli/input_flags.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "show/fake_fields.hpp"

namespace orderlab::cli {

namespace {

constexpr auto kFakeFlags = joined(kInputFlags, kOutputFlags);

int run_fake(const CommandLine& line, Session& session) {
  OutputTargets targets(line);
  const study::Input input = load_input(line, watch_of(session, line, "fake"));
  write_report(session, line, targets, FakeFinding{input.facts.n});
  return kDone;
}

}  // namespace

extern const Command kFake;
const Command kFake{
    .name = "fake",
    .summary = "counts terms",
    .example = "orderlab fake --n 10",
    .flags = kFakeFlags,
    .run = run_fake,
};

}  // namespace orderlab::cli
