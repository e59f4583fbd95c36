// The commands, one line each.
#include "cli/command.hpp"

#define ORDERLAB_COMMANDS(COMMAND) \
  COMMAND(kSample)                 \
  COMMAND(kEnumerate)              \
  COMMAND(kSum)                    \
  COMMAND(kTree)                   \
  COMMAND(kCheck)                  \
  COMMAND(kTolerance)              \
  COMMAND(kWorst)                  \
  COMMAND(kExplain)                \
  COMMAND(kAlternatives)           \
  COMMAND(kSolve)                  \
  COMMAND(kTrain)                  \
  COMMAND(kCompare)                \
  COMMAND(kInfer)                  \
  COMMAND(kProbe)                  \
  COMMAND(kVerify)                 \
  COMMAND(kHost)                   \
  COMMAND(kFit)                    \
  COMMAND(kArrivals)               \
  COMMAND(kCrosscheck)             \
  COMMAND(kSweep)                  \
  COMMAND(kMerge)                  \
  COMMAND(kReport)                 \
  COMMAND(kExport)                 \
  COMMAND(kList)                   \
  COMMAND(kDoctor)                 \
  COMMAND(kHelp)

namespace orderlab::cli {

#define ORDERLAB_DECLARE(command) extern const Command command;
ORDERLAB_COMMANDS(ORDERLAB_DECLARE)

std::span<const Command* const> commands() {
#define ORDERLAB_ADDRESS(command) &command,
  static constexpr const Command* kCommands[] = {ORDERLAB_COMMANDS(ORDERLAB_ADDRESS)};
  return kCommands;
}

const Command* find_command(std::string_view name) {
  for (const Command* command : commands())
    if (command->name == name) return command;
  return nullptr;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command* command : commands()) names.emplace_back(command->name);
  return names;
}

}  // namespace orderlab::cli
