// Symbol tables and line tables, read by libelf and libdw of elfutils.
#include "simt/symbols.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace orderlab::simt {
namespace {

/// One file, open as long as the program runs.
class ModuleFile {
 public:
  explicit ModuleFile(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) return;
    elf_version(EV_CURRENT);
    elf_ = elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
    if (elf_ == nullptr) return;
    read_symbols();
  }
  ~ModuleFile() {
    if (dwarf_ != nullptr) dwarf_end(dwarf_);
    if (elf_ != nullptr) elf_end(elf_);
    if (descriptor_ >= 0) close(descriptor_);
  }
  ModuleFile(const ModuleFile&) = delete;
  ModuleFile& operator=(const ModuleFile&) = delete;

  std::optional<VariableTable> thread_local_variables;
  std::optional<VariableTable> global_variables;

  std::string line(Dwarf_Addr address);

 private:
  void read_symbols();

  int descriptor_;
  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
};

void ModuleFile::read_symbols() {
  for (Elf_Scn* section = elf_nextscn(elf_, nullptr); section != nullptr; section = elf_nextscn(elf_, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0) continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (data == nullptr) continue;
    std::vector<Variable> thread_local_ones;
    std::vector<Variable> global_ones;
    for (int i = 0; static_cast<GElf_Xword>(i) < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, i, &symbol) == nullptr || symbol.st_shndx == SHN_UNDEF) continue;
      const int type = GELF_ST_TYPE(symbol.st_info);
      if (type != STT_TLS && type != STT_OBJECT) continue;
      const char* const name = elf_strptr(elf_, header.sh_link, symbol.st_name);
      if (name == nullptr) continue;
      const std::string_view text = name;
      (type == STT_TLS ? thread_local_ones : global_ones)
          .push_back({symbol.st_value, symbol.st_size, name, text.starts_with("_ZGV") || text == "__tls_guard"});
    }
    thread_local_variables.emplace(std::move(thread_local_ones));
    global_variables.emplace(std::move(global_ones));
  }
}

/// Whether a kernel's author would not look for a line there.
bool is_a_foreign_header(std::string_view path) {
  return path.find("include/orderlab/") != std::string_view::npos ||
         path.find("/include/c++/") != std::string_view::npos || path.starts_with("/usr/") ||
         path.find("/lib/clang/") != std::string_view::npos;
}

struct Place {
  std::string_view file;
  int line = 0;
};

std::string text_of(const Place& place) {
  return place.line == 0 ? "" : std::string(file_name(place.file)) + ":" + std::to_string(place.line);
}

/// Where a function was called whose code `inlined` is.
Place call_place(Dwarf_Die& unit, Dwarf_Die& inlined) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0;
  Dwarf_Word line = 0;
  Dwarf_Files* files = nullptr;
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_file, &attribute), &file) != 0 ||
      dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_line, &attribute), &line) != 0 ||
      dwarf_getsrcfiles(&unit, &files, nullptr) != 0)
    return {};
  const char* const path = dwarf_filesrc(files, file, nullptr, nullptr);
  return path == nullptr ? Place{} : Place{path, static_cast<int>(line)};
}

Place line_place(Dwarf_Die& unit, Dwarf_Addr address) {
  Dwarf_Line* const line = dwarf_getsrc_die(&unit, address);
  int number = 0;
  const char* const path = line == nullptr ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
  if (path == nullptr || dwarf_lineno(line, &number) != 0) return {};
  return {path, number};
}

std::string ModuleFile::line(Dwarf_Addr address) {
  if (dwarf_ == nullptr && elf_ != nullptr) dwarf_ = dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
  Dwarf_Die unit;
  for (Dwarf_CU* next = nullptr;
       dwarf_ != nullptr && dwarf_get_units(dwarf_, next, &next, nullptr, nullptr, &unit, nullptr) == 0;) {
    if (dwarf_haspc(&unit, address) <= 0) continue;
    const Place innermost = line_place(unit, address);
    Place place = innermost;
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes(&unit, address, &scopes);
    const std::unique_ptr<Dwarf_Die, void (*)(void*)> owner(scopes, std::free);
    for (int i = 0; i < count && (place.line == 0 || is_a_foreign_header(place.file)); ++i)
      if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine) place = call_place(unit, scopes[i]);
    return text_of(place.line == 0 ? innermost : place);
  }
  return {};
}

/// One OS thread at a time: libdw has no locks of its own.
std::mutex symbols_mutex;

ModuleFile& opened(const LoadedModule& module) {
  static std::map<std::string, ModuleFile> files;
  return files.try_emplace(module.file, module.file).first->second;
}

}  // namespace

const VariableTable* thread_local_variables(const LoadedModule& module) {
  const std::lock_guard lock(symbols_mutex);
  const auto& table = opened(module).thread_local_variables;
  return table ? &*table : nullptr;
}

const VariableTable* global_variables(const LoadedModule& module) {
  const std::lock_guard lock(symbols_mutex);
  const auto& table = opened(module).global_variables;
  return table ? &*table : nullptr;
}

std::string source_line(const void* instruction) {
  const auto segment = segment_of(instruction);
  if (!segment) return {};
  const std::lock_guard lock(symbols_mutex);
  return opened(segment->module).line(reinterpret_cast<std::uintptr_t>(instruction) - segment->module.bias);
}

}  // namespace orderlab::simt
