#include "cli/completion.hpp"

#include <vector>

#include "cli/command.hpp"
#include "cli/listing.hpp"

namespace orderlab::cli {

namespace {

enum class Completed { nothing, words, files, folders };

Completed completed_kind(const Flag& flag) {
  switch (flag.kind) {
    case FlagKind::reads:
    case FlagKind::writes:
    case FlagKind::reads_file:
    case FlagKind::reads_store:
    case FlagKind::writes_store:
      return Completed::files;
    case FlagKind::folder:
      return Completed::folders;
    default:
      return flag.words.empty() && flag.list.empty() ? Completed::nothing : Completed::words;
  }
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

std::string words_for(const Flag& flag) {
  if (!flag.list.empty()) return joined_names(names_in(flag.list));
  return joined_names({flag.words.begin(), flag.words.end()});
}

// "-o", "--output".
std::vector<std::string> spellings(const Flag& flag) {
  if (flag.letter == 0) return {flag.long_name()};
  return {std::string("-") + flag.letter, flag.long_name()};
}

// ---- bash

std::string bash_action(const Flag& flag) {
  switch (completed_kind(flag)) {
    case Completed::words:
      return "words='" + words_for(flag) + "'";
    case Completed::files:
      return flag.list.empty() ? "kind=file" : "kind=file words='" + words_for(flag) + "'";
    case Completed::folders:
      return "kind=directory";
    default:
      return ":";
  }
}

std::string bash_command(const Command& command) {
  std::string cases;
  std::string flags = kHelpFlag.long_name();
  std::string positional;
  for (const Flag* flag : command.flags) {
    if (flag->positional) {
      if (positional.empty()) positional = bash_action(*flag);
      continue;
    }
    flags += " " + flag->long_name();
    if (flag->kind == FlagKind::toggle) continue;
    std::string pattern;
    for (const std::string& spelling : spellings(*flag)) pattern += (pattern.empty() ? "" : "|") + spelling;
    cases += "        " + pattern + ") " + bash_action(*flag) + " ;;\n";
  }
  const std::string otherwise =
      positional.empty() ? "words='" + flags + "'"
                         : "if [[ $current == -* ]]; then words='" + flags + "'; else " + positional + "; fi";
  return "    " + std::string(command.name) + ")\n      case $before in\n" + cases + "        *) " + otherwise +
         " ;;\n      esac\n      ;;\n";
}

constexpr std::string_view kBashHead = R"(# bash completion of orderlab, from `orderlab help --completion bash`
_orderlab() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command='' words='' kind=word i
  if [[ $current == '=' ]]; then  # --flag=value comes as three words
    current=''
  elif [[ $before == '=' ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; break; fi
  done
  case $command in
)";

constexpr std::string_view kBashTail = R"(  esac
  case $kind in
    word) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
    *)
      compopt -o filenames 2> /dev/null
      mapfile -t COMPREPLY < <(compgen -A "$kind" -W "$words" -- "$current")
      ;;
  esac
}
complete -F _orderlab orderlab
)";

// ---- zsh

std::string zsh_escaped(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += R"('\'')";
      continue;
    }
    if (c == '\\' || special.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// ":COUNT: ", ":FILE:_files", ":ORDER:(warp ao)".
std::string zsh_value(const Flag& flag) {
  const std::string title = ":" + zsh_escaped(flag.positional ? flag.key : flag.value, ":") + ":";
  switch (completed_kind(flag)) {
    case Completed::words:
      return title + "(" + words_for(flag) + ")";
    case Completed::files:
      return title + (flag.list.empty() ? "_files" : "{compadd -- " + words_for(flag) + "; _files}");
    case Completed::folders:
      return title + "_files -/";
    default:
      return title + " ";
  }
}

std::string zsh_flag(const Flag& flag) {
  const std::string about = "[" + zsh_escaped(flag.help, "[]:") + "]";
  const std::vector<std::string> names = spellings(flag);
  std::string others;
  if (names.size() > 1 && !flag.repeats) others = "(" + names[0] + " " + names[1] + ")";
  std::string specs;
  for (const std::string& name : names) {
    const bool is_long = name.starts_with("--");
    const std::string value = flag.kind == FlagKind::toggle ? about : (is_long ? "=" : "+") + about + zsh_value(flag);
    specs += " \\\n        '" + (flag.repeats ? "*" : others) + name + value + "'";
  }
  return specs;
}

std::string zsh_command(const Command& command) {
  std::string specs = zsh_flag(kHelpFlag);
  for (const Flag* flag : command.flags) {
    if (!flag->positional)
      specs += zsh_flag(*flag);
    else
      specs += std::string(" \\\n        '") + (flag->repeats ? "*" : "") + zsh_value(*flag) + "'";
  }
  return "    " + std::string(command.name) + ")\n      _arguments -s" + specs + "\n      ;;\n";
}

constexpr std::string_view kZshHead = R"(#compdef orderlab
# zsh completion of orderlab, from `orderlab help --completion zsh`
_orderlab() {
  local context state state_descr line
  typeset -A opt_args
)";

constexpr std::string_view kZshTail = R"(  esac
}

if [[ ${funcstack[1]} == _orderlab ]]; then
  _orderlab "$@"  # loaded as a file of $fpath
else
  compdef _orderlab orderlab
fi
)";

// ---- fish

// Text in single quotes.
std::string fish_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

// The command is the first word that is no flag.
constexpr std::string_view kFishHead = R"(# fish completion of orderlab, from `orderlab help --completion fish`
function __orderlab_command -a name
  set -l words (commandline -opc)
  set -e words[1]
  for word in $words
    if not string match -q -- '-*' $word
      test $word = "$name"
      return
    end
  end
  test -z "$name"
end
complete -c orderlab -f
)";

// What follows a flag, or stands alone.
std::string fish_values(const Flag& flag) {
  const std::string words = " -a " + fish_quoted(words_for(flag));
  switch (completed_kind(flag)) {
    case Completed::words:
      return " -x" + words;
    case Completed::files:
      return flag.list.empty() ? " -r -F" : " -r -F" + words;
    case Completed::folders:
      return " -x -a '(__fish_complete_directories)'";
    default:
      return " -x";
  }
}

std::string fish_flag(const Flag& flag) {
  const std::string letter = flag.letter == 0 ? "" : std::string(" -s ") + flag.letter;
  return letter + " -l " + std::string(flag.key) + " -d " + fish_quoted(flag.help) +
         (flag.kind == FlagKind::toggle ? "" : fish_values(flag));
}

std::string fish_command(const Command& command) {
  const std::string start = "complete -c orderlab -n '__orderlab_command " + std::string(command.name) + "'";
  std::string lines = start + fish_flag(kHelpFlag) + "\n";
  bool takes_positional = false;
  for (const Flag* flag : command.flags) {
    if (!flag->positional) {
      lines += start + fish_flag(*flag) + "\n";
      continue;
    }
    const Completed kind = completed_kind(*flag);
    if (!takes_positional && kind != Completed::nothing)
      lines += start + (kind == Completed::words ? "" : " -F") +
               (words_for(*flag).empty() ? "" : " -a " + fish_quoted(words_for(*flag))) + "\n";
    takes_positional = true;
  }
  return lines;
}

}  // namespace

std::string bash_completion() {
  std::string script(kBashHead);
  script += "    '') words='" + joined_names(command_names()) + " " + kHelpFlag.long_name() + " " +
            kVersionFlag.long_name() + "' ;;\n";
  for (const Command* command : commands()) script += bash_command(*command);
  return script.append(kBashTail);
}

std::string zsh_completion() {
  std::string script(kZshHead);
  script += "  local -a commands=(\n";
  for (const Command* command : commands())
    script += "    '" + std::string(command->name) + ":" + zsh_escaped(command->summary, "") + "'\n";
  script += "  )\n  _arguments -C" + zsh_flag(kHelpFlag) + zsh_flag(kVersionFlag) +
            " \\\n        ': :->command' '*:: :->argument'\n";
  script +=
      "  if [[ $state == command ]]; then\n    _describe command commands\n    return\n  fi\n  case $line[1] in\n";
  for (const Command* command : commands()) script += zsh_command(*command);
  return script.append(kZshTail);
}

std::string fish_completion() {
  std::string script(kFishHead);
  const std::string first = "complete -c orderlab -n '__orderlab_command \"\"'";
  for (const Flag* flag : {&kHelpFlag, &kVersionFlag}) script += first + fish_flag(*flag) + "\n";
  for (const Command* command : commands())
    script += first + " -a " + std::string(command->name) + " -d " + fish_quoted(command->summary) + "\n";
  for (const Command* command : commands()) script += fish_command(*command);
  return script;
}

}  // namespace orderlab::cli
