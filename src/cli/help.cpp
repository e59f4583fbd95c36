// orderlab help: what --help says, a manual page, completion for shells, schemas of documents.
#include <algorithm>

#include "cli/command.hpp"
#include "cli/completion.hpp"
#include "cli/documents.hpp"
#include "cli/man_page.hpp"
#include "cli/output_file.hpp"
#include "cli/parse.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "show/fields_schema.hpp"
#include "show/input_json.hpp"
#include "show/schemas_by_hand.hpp"

namespace orderlab::cli {

namespace {

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

constexpr Flag kTopic{
    .key = "command", .positional = true, .help = "command to explain; default: all", .list = "commands"};
constexpr Flag kMan{.key = "man", .kind = FlagKind::toggle, .help = "print the manual page instead"};
constexpr Flag kCompletion{.key = "completion",
                           .kind = FlagKind::word,
                           .value = "SHELL",
                           .help = "print a completion script instead: bash, zsh or fish",
                           .words = kShells};
constexpr Flag kSchemas{.key = "schemas",
                        .kind = FlagKind::folder,
                        .value = "FOLDER",
                        .help = "write the JSON Schemas of what commands write as JSON into this folder instead"};
constexpr std::array kHelpFlags{&kTopic, &kMan, &kCompletion, &kSchemas};

void write_schemas(const std::string& folder, Session& session) {
  for (const described::Table* document : documents())
    OutputFile(folder + "/" + std::string(document->key) + ".json")
        .commit(session, json_document(described::schema(*document)));
  for (const SchemaByHand& one : schemas_by_hand()) {
    Json json = Json::parse(one.text);
    if (json.contains("$defs")) add_shared(json["$defs"], documents());
    OutputFile(folder + "/" + std::string(one.file)).commit(session, json_document(json));
  }
}

std::string completion_of(std::string_view shell) {
  if (shell == "fish") return fish_completion();
  return shell == "bash" ? bash_completion() : zsh_completion();
}

int run_help(const CommandLine& line, Session& session) {
  const auto asked = std::count_if(kHelpFlags.begin(), kHelpFlags.end(), [&](const Flag* f) { return line.has(*f); });
  if (asked > 1) throw Error(ErrorKind::usage, "give one of a command, --man, --completion and --schemas");
  const std::string& topic = line.text(kTopic);
  const Command* command = find_command(topic);
  if (line.has(kTopic) && command == nullptr)
    throw Error(ErrorKind::usage, unknown_name("command", topic, command_names()));
  if (line.has(kMan))
    session.out << man_page();
  else if (line.has(kCompletion))
    session.out << completion_of(line.word(kCompletion));
  else if (line.has(kSchemas))
    write_schemas(line.text(kSchemas), session);
  else
    session.out << help_text(command, session.width);
  return kDone;
}

std::string places() {
  return "`cmake --install` puts the manual page and completion in place. Without it:\n"
         "  orderlab help --man > orderlab.1 && man ./orderlab.1\n"
         "  source <(orderlab help --completion bash)\n"
         "  source <(orderlab help --completion zsh)\n";
}

}  // namespace

extern const Command kHelp;
const Command kHelp{
    .name = "help",
    .summary = "what a command does and takes; a manual page; completion for shells",
    .example = "orderlab help sample",
    .flags = kHelpFlags,
    .run = run_help,
    .notes = places,
};

}  // namespace orderlab::cli
