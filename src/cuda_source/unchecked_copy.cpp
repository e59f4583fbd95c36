#include "cuda_source/unchecked_copy.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace orderlab::cuda_source {
namespace {

// Of all instances of host_program::run_body.
constexpr std::string_view kRunBody = "_ZN8orderlab12host_program8run_bodyI";

bool is_of_symbol(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

template <class F>
void for_each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    f(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// Calls f(token, whether it is a symbol) for all of a line. What is in quotes and comments is not a symbol.
template <class F>
void for_each_token(std::string_view line, F&& f) {
  while (!line.empty()) {
    std::size_t end = 1;
    const bool is_symbol = is_of_symbol(line[0]);
    if (line[0] == '#') {
      end = line.size();
    } else if (line[0] == '"') {
      while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2u : 1u;
      end = std::min(end + 1, line.size());
    } else {
      while (end < line.size() && is_of_symbol(line[end]) == is_symbol && line[end] != '"' && line[end] != '#') ++end;
    }
    f(line.substr(0, end), is_symbol);
    line.remove_prefix(end);
  }
}

/// A line's symbols, and what stands in quotes: `.section`, `.tbss.x`, `"awT"`, `nobits`.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for_each_token(line, [&](std::string_view token, bool is_symbol) {
    if (is_symbol || token[0] == '"') words.push_back(token);
  });
  return words;
}

bool is_label(std::string_view line, std::string_view symbol) {
  return line.size() > symbol.size() && line.starts_with(symbol) && line[symbol.size()] == ':';
}

using Names = std::set<std::string_view>;

/// What one source defines.
struct Symbols {
  Names functions;
  Names variables;
  Names global;  ///< of both, what other sources see
  Names thread_locals;
  Names groups;  ///< of sections of which the linker keeps one

  /// Variables that only this source knows, with a name that the compiler did not number.
  bool is_internal(std::string_view name) const {
    return variables.contains(name) && !global.contains(name) && !thread_locals.contains(name) &&
           name.find('.') == std::string_view::npos;
  }
};

Symbols symbols_of(std::string_view assembly) {
  Symbols found;
  Names typed_functions;
  Names typed_variables;
  Names defined;
  std::vector<std::pair<std::string_view, std::string_view>> aliases;
  bool is_thread_local = false;
  for_each_line(assembly, [&](std::string_view line) {
    if (line[0] != '.' && line[0] != '\t' && !is_of_symbol(line[0])) return;
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) return;
    const std::string_view first = words[0];
    if (is_label(line, first)) {
      defined.insert(first);
      if (is_thread_local) found.thread_locals.insert(first);
    } else if (words.size() == 1) {
      if (first == ".text" || first == ".data" || first == ".bss") is_thread_local = false;
    } else if (first == ".section") {
      is_thread_local = words.size() > 2 && words[2][0] == '"' && words[2].find('T') != std::string_view::npos;
      if (words.back() == "comdat") found.groups.insert(words[words.size() - 2]);
    } else if (first == ".type" && words.size() > 2) {
      (words[2] == "function" ? typed_functions : typed_variables).insert(words[1]);
    } else if (first == ".globl" || first == ".weak") {
      found.global.insert(words[1]);
    } else if (first == ".comm") {
      typed_variables.insert(words[1]);
      defined.insert(words[1]);
    } else if (first == ".set" && words.size() > 2) {
      aliases.emplace_back(words[1], words[2]);
    }
  });
  std::set_intersection(typed_functions.begin(), typed_functions.end(), defined.begin(), defined.end(),
                        std::inserter(found.functions, found.functions.end()));
  std::set_intersection(typed_variables.begin(), typed_variables.end(), defined.begin(), defined.end(),
                        std::inserter(found.variables, found.variables.end()));
  for (const auto& [alias, target] : aliases) {
    if (found.functions.contains(target)) found.functions.insert(alias);
    if (found.variables.contains(target)) found.variables.insert(alias);
  }
  return found;
}

std::string unchecked_name(std::string_view function) { return std::string(function) + ".unchecked"; }
std::string shared_name(std::string_view variable, std::size_t source) {
  return std::string(variable) + ".of_source_" + std::to_string(source);
}

bool is_run_body(std::string_view function) {
  return function.starts_with(kRunBody) && function.find('.') == std::string_view::npos;
}

/// One source's unchecked copy, changed line by line.
class UncheckedCopy {
 public:
  /// `functions`: those that the unchecked copies of all sources have for one another.
  /// `addresses`: of those that the checked copies have too, the names of these.
  UncheckedCopy(const Symbols& symbols, const Names& functions, std::map<std::string_view, std::string> addresses,
                std::size_t source)
      : symbols_(symbols), addresses_(std::move(addresses)) {
    for (const std::string_view each : functions) renamed_[each] = unchecked_name(each);
    for (const std::string_view each : symbols.functions) renamed_[each] = unchecked_name(each);
    for (const std::string_view each : symbols.groups)
      if (!symbols.variables.contains(each)) renamed_[each] = unchecked_name(each);
    for (const std::string_view each : symbols.variables)
      if (symbols.is_internal(each)) text_ += "\t.weak\t" + (renamed_[each] = shared_name(each, source)) + "\n";
  }

  void add(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() > 1 && words[0][0] == '.') {
      if (words[0] == ".local" && symbols_.is_internal(words[1])) return;
      if (words[0] == ".comm" && words.size() > 3 && symbols_.is_internal(words[1])) {
        text_ += "\t.pushsection\t.bss\n\t.balign\t" + std::string(words[3]) + "\n" + renamed_.at(words[1]) +
                 ":\n\t.zero\t" + std::string(words[2]) + "\n\t.popsection\n";
        return;
      }
      if (words[0] == ".globl" && symbols_.variables.contains(words[1])) {
        text_ += "\t.weak\t" + std::string(words[1]) + "\n";
        return;
      }
    }
    const bool is_section = !words.empty() && words[0] == ".section";
    const bool takes_addresses = is_value(line, words);
    bool is_register = false;
    bool is_mnemonic = is_instruction(line, words);
    for_each_token(line, [&](std::string_view token, bool is_symbol) {
      const bool is_name = is_symbol && !is_register && !is_mnemonic;
      if (is_symbol) is_mnemonic = false;
      is_register = token.ends_with('%');
      const std::string* const name = is_name ? name_of(token, takes_addresses) : nullptr;
      if (name != nullptr)
        text_ += *name;
      else if (is_section)
        add_of_section(token);
      else
        text_ += token;
    });
  }

  /// Functions that are in `addresses` and whose addresses the code takes.
  const Names& taken() const { return taken_; }

  std::string& text() { return text_; }

 private:
  static bool is_instruction(std::string_view line, const std::vector<std::string_view>& words) {
    return !words.empty() && words[0][0] != '.' && line[0] == '\t' && line.substr(1).starts_with(words[0]);
  }

  /// Not a call, a jump or a definition: its functions are those that host and kernels know by their addresses.
  static bool is_value(std::string_view line, const std::vector<std::string_view>& words) {
    if (words.empty()) return false;
    if (words[0] == ".quad" || words[0] == ".long") return true;
    return is_instruction(line, words) && words[0][0] != 'j' && !words[0].starts_with("call");
  }

  /// Null where the symbol keeps its name.
  const std::string* name_of(std::string_view symbol, bool is_address) {
    if (is_address) {
      const auto address = addresses_.find(symbol);
      if (address != addresses_.end()) {
        taken_.insert(address->first);
        return &address->second;
      }
    }
    const auto renamed = renamed_.find(symbol);
    return renamed == renamed_.end() ? nullptr : &renamed->second;
  }

  /// Tables of functions to call at the beginning or the end become data that nobody looks at.
  void add_of_section(std::string_view token) {
    for (const std::string_view table : {".init_array", ".fini_array", ".ctors", ".dtors", ".preinit_array"}) {
      if (token == table.substr(1)) token = "progbits";
      if (token.starts_with(table)) text_ += ".unused";
    }
    text_ += token;
  }

  const Symbols& symbols_;
  std::map<std::string_view, std::string> renamed_;
  std::map<std::string_view, std::string> addresses_;
  Names taken_;
  std::string text_;
};

void add_global_functions(const Symbols& symbols, Names& functions) {
  for (const std::string_view each : symbols.functions)
    if (symbols.global.contains(each)) functions.insert(each);
}

/// As Symbols::is_internal.
bool is_internal_function(const Symbols& symbols, std::string_view name) {
  return symbols.functions.contains(name) && !symbols.global.contains(name) && name.find('.') == std::string_view::npos;
}

}  // namespace

bool has_volatile_accesses(std::string_view checked) {
  return checked.find("__tsan_volatile_") != std::string_view::npos ||
         checked.find("__tsan_unaligned_volatile_") != std::string_view::npos;
}

void join_copies(std::vector<CompiledTwice>& sources) {
  std::vector<Symbols> unchecked_symbols;
  std::vector<Symbols> checked_symbols;
  Names functions;
  Names checked_functions;
  for (const CompiledTwice& source : sources) {
    unchecked_symbols.push_back(symbols_of(source.unchecked));
    checked_symbols.push_back(symbols_of(source.checked));
    add_global_functions(unchecked_symbols.back(), functions);
    add_global_functions(checked_symbols.back(), checked_functions);
  }
  std::vector<std::string> added;
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Symbols& symbols = unchecked_symbols[i];
    const Symbols& checked = checked_symbols[i];
    std::map<std::string_view, std::string> addresses;
    for (const std::string_view each : checked_functions) addresses[each] = each;
    for (const std::string_view each : checked.functions)
      if (is_internal_function(checked, each)) addresses[each] = shared_name(each, i);
    UncheckedCopy copy(symbols, functions, std::move(addresses), i);
    for_each_line(sources[i].unchecked, [&](std::string_view line) { copy.add(line); });

    std::string more;
    const auto shared = [&](std::string_view name) {  // also where only this source knows it
      const std::string new_name = shared_name(name, i);
      more += "\t.globl\t" + new_name + "\n\t.set\t" + new_name + "," + std::string(name) + "\n";
      return new_name;
    };
    for (const std::string_view each : checked.variables)
      if (checked.is_internal(each) && symbols.is_internal(each)) shared(each);
    for (const std::string_view each : copy.taken())
      if (is_internal_function(checked, each) && !is_run_body(each)) shared(each);
    std::string table;
    for (const std::string_view each : checked.functions) {
      if (!is_run_body(each) || !symbols.functions.contains(each)) continue;
      const std::string name = checked.global.contains(each) ? std::string(each) : shared(each);
      table += "\t.quad\t" + name + "\n\t.quad\t" + unchecked_name(each) + "\n";
    }
    if (!table.empty()) copy.text() += "\t.section\torderlab_unchecked,\"aw\",@progbits\n\t.balign\t8\n" + table;
    changed.push_back(std::move(copy.text()));
    added.push_back(std::move(more));
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {  // not before: all names are parts of these texts
    sources[i].checked += added[i];
    sources[i].unchecked = std::move(changed[i]);
  }
}

}  // namespace orderlab::cuda_source
