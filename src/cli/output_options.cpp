#include "cli/output_options.hpp"

#include <cstdlib>

#include "cli/file_place.hpp"

namespace orderlab::cli {

OutputTarget::OutputTarget(const CommandLine& line, const Flag& flag) {
  const std::string& path = line.text(flag);
  if (path.empty()) return;
  to_stdout_ = path == "-" || place_of(path).standard_output;
  if (!to_stdout_) file_ = std::make_unique<OutputFile>(path);
}

void OutputTarget::write(Session& session, const std::string& text) const {
  if (to_stdout_) session.out.raw() << text;
  if (file_ != nullptr) file_->commit(session, text);
}

OutputTarget OutputTargets::further(const CommandLine& line, const Flag& flag) {
  OutputTarget target(line, flag);
  text_replaced = text_replaced || target.to_stdout();
  return target;
}

bool colored(const CommandLine& line, const Session& session) {
  const std::string& when = line.word(kColor);
  return when == "always" || (when == "auto" && session.out_is_terminal && std::getenv("NO_COLOR") == nullptr);
}

}  // namespace orderlab::cli
