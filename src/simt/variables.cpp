// Tables of variables, and their names.
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <tuple>
#include <utility>

#include "simt/symbols.hpp"

namespace orderlab::simt {
namespace {

/// Index of the last `wanted` that stands in no brackets, or npos.
std::size_t last_outside(std::string_view text, std::string_view wanted) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    const char c = text[i];
    if (c == ')' || c == '>' || c == '}') ++depth;
    if (c == '(' || c == '<' || c == '{') --depth;
    if (depth == 0 && text.substr(i).starts_with(wanted)) return i;
  }
  return std::string_view::npos;
}

/// kernel<float> of "void space::kernel<float>(float*, int)".
std::string_view short_function(std::string_view function) {
  if (const std::size_t suffix = function.rfind(')'); suffix != std::string_view::npos)
    function = function.substr(0, suffix + 1);  // " const"
  if (function.ends_with(')')) {
    int depth = 0;
    std::size_t i = function.size();
    do {
      --i;
      depth += function[i] == ')' ? 1 : function[i] == '(' ? -1 : 0;
    } while (depth != 0 && i > 0);
    function = function.substr(0, i);
  }
  if (const std::size_t at = last_outside(function, "::"); at != std::string_view::npos)
    function = function.substr(at + 2);
  if (const std::size_t at = last_outside(function, " "); at != std::string_view::npos)
    function = function.substr(at + 1);
  return function == "operator()" ? "a lambda" : function;
}

}  // namespace

VariableTable::VariableTable(std::vector<Variable> variables) {
  std::erase_if(variables, [](const Variable& each) { return each.bytes == 0; });
  // A variable may have a second name, which is its own with something behind it.
  std::sort(variables.begin(), variables.end(), [](const Variable& a, const Variable& b) {
    return std::tuple(a.begin, b.bytes, a.name.size()) < std::tuple(b.begin, a.bytes, b.name.size());
  });
  for (Variable& each : variables)
    if (variables_.empty() || each.begin >= variables_.back().end()) variables_.push_back(std::move(each));
  if (variables_.empty()) return;
  origin_ = variables_.front().begin / kGranule * kGranule;
  first_.resize((variables_.back().end() - origin_ + kGranule - 1) / kGranule);
  std::size_t i = 0;
  for (std::size_t granule = 0; granule < first_.size(); ++granule) {
    while (variables_[i].end() <= origin_ + granule * kGranule) ++i;
    first_[granule] = static_cast<std::uint32_t>(i);
  }
}

const Variable* VariableTable::nearest(std::size_t place) const {
  const Variable* best = nullptr;
  std::size_t least = 0;
  for (const Variable& each : variables_) {
    const std::size_t distance = place < each.begin ? each.begin - place : place < each.end() ? 0 : place - each.end();
    if (best != nullptr && distance >= least) continue;
    best = &each;
    least = distance;
  }
  return best;
}

SourceName source_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  if (status != 0) return {symbol.substr(0, symbol.find('.')), {}};  // a local variable of C: name.number
  const std::string_view all = text.get();
  const std::size_t at = last_outside(all, "::");
  if (at == std::string_view::npos) return {std::string(all), {}};
  const std::string_view owner = all.substr(0, at);
  const bool in_function = owner.find('(') != std::string_view::npos && !owner.ends_with("(anonymous namespace)");
  return {std::string(all.substr(at + 2)), in_function ? std::string(short_function(owner)) : std::string()};
}

std::string_view file_name(std::string_view path) {
  path.remove_prefix(path.find_last_of('/') + 1);  // npos + 1 is 0
  return path;
}

}  // namespace orderlab::simt
