// What the files of loaded modules say: where their variables begin and end, and which source line an instruction
// comes from. Read by libdw; simt/absent has the version for builds without it, in which nothing is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simt/image.hpp"

namespace orderlab::simt {

/// One variable of a module.
struct Variable {
  std::size_t begin;  ///< offset in the thread-local segment, or address in the file
  std::size_t bytes;
  std::string name;      ///< as in the symbol table
  bool of_the_compiler;  ///< it guards an initialiser

  std::size_t end() const { return begin + bytes; }
};

/// Variables that do not overlap, by place.
class VariableTable {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  /// Among variables that share bytes the largest stays.
  explicit VariableTable(std::vector<Variable> variables);

  const Variable& operator[](std::size_t i) const { return variables_[i]; }
  std::size_t size() const { return variables_.size(); }

  /// Index of the variable that holds all of [begin, begin + bytes), or kNone.
  std::size_t find(std::size_t begin, std::size_t bytes) const {
    const std::size_t granule = (begin - origin_) / kGranule;
    if (begin < origin_ || granule >= first_.size()) return kNone;
    std::size_t i = first_[granule];
    while (i < variables_.size() && variables_[i].end() <= begin) ++i;
    const bool holds = i < variables_.size() && variables_[i].begin <= begin && begin + bytes <= variables_[i].end();
    return holds ? i : kNone;
  }

  /// The variable whose bytes are nearest to `place`, or null where there is none.
  const Variable* nearest(std::size_t place) const;

 private:
  static constexpr std::size_t kGranule = 16;

  std::vector<Variable> variables_;
  std::vector<std::uint32_t> first_;  ///< for each granule, the first variable that does not end before it
  std::size_t origin_ = 0;
};

/// Variables of a module's thread-local segment, by offset; null where the module has no symbol table.
const VariableTable* thread_local_variables(const LoadedModule& module);

/// Variables in a module's memory, by address in the file; null where the module has no symbol table.
const VariableTable* global_variables(const LoadedModule& module);

/// "file.cu:12", the line that an instruction comes from; where it was inlined out of the headers of orderlab or of the
/// system, the line that called what is there. Empty where no line table says it.
std::string source_line(const void* instruction);

/// A name of a symbol table as its source has it: `shared` of `kernel<float>`.
struct SourceName {
  std::string variable;
  std::string function;  ///< that it is local to, without namespaces and parameters; empty: none
};
SourceName source_name(const std::string& symbol);

/// The name of a file without its folders.
std::string_view file_name(std::string_view path);

}  // namespace orderlab::simt
