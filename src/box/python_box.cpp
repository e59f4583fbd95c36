// Functions of Python, called by an interpreter of their own that runs server.py.
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "box/one_line.hpp"
#include "box/program_path.hpp"
#include "box/served_box.hpp"

#ifndef ORDERLAB_BOX_SERVER
#error "ORDERLAB_BOX_SERVER: server.py, from the build file"
#endif

// server.py with a 0 behind it, kept out of what a shared library exports.
__asm__(
    ".pushsection .rodata\n"
    ".global orderlab_box_server\n.hidden orderlab_box_server\norderlab_box_server:\n"
    ".incbin \"" ORDERLAB_BOX_SERVER
    "\"\n.byte 0\n"
    ".popsection\n");
extern "C" __attribute__((visibility("hidden"))) const char kBoxServer[] __asm__("orderlab_box_server");

namespace orderlab {

namespace {

struct PythonName {
  std::string module;
  std::string function;
  bool products = false;
};

PythonName parse_python(const std::string& text) {
  PythonName name;
  std::string_view rest = text;
  if (rest.ends_with(":dot") && rest.find(':') + 4 < rest.size()) {
    name.products = true;
    rest.remove_suffix(4);
  }
  const std::size_t colon = rest.find(':');
  if (colon != std::string_view::npos) {
    name.module = rest.substr(0, colon);
    name.function = rest.substr(colon + 1);
  }
  const auto is_dotted = [](std::string_view part) {
    return !part.empty() && !part.starts_with('.') && !part.ends_with('.') &&
           part.find("..") == std::string_view::npos &&
           part.find_first_of(std::string_view(": \t\r\n/\0", 7)) == std::string_view::npos;
  };
  if (!is_dotted(name.module) || !is_dotted(name.function))
    throw Error(ErrorKind::usage, one_line(text) +
                                      ": no function of Python; MODULE:FUNCTION such as numpy:sum, or "
                                      "MODULE:FUNCTION:dot for one of two arrays, is needed");
  return name;
}

class PythonBox final : public ServedBox {
 public:
  PythonBox(const std::string& text, PythonName name, std::optional<std::size_t> axis, const BoxLimits& limits,
            const BoxSetting& setting)
      : ServedBox(text, limits, setting, name.products, axis), name_(std::move(name)) {}

 private:
  ChildSetup server(std::byte*) final {
    const char* const chosen = std::getenv("ORDERLAB_PYTHON");
    const std::string program = chosen == nullptr || *chosen == '\0' ? "python3" : chosen;
    const std::string path = path_of_program(program);
    if (path.empty()) fail("needs " + program + ", which is not there; install Python 3 or name it in ORDERLAB_PYTHON");
    ChildSetup setup;
    setup.arguments = {path,
                       "-c",
                       kBoxServer,
                       name_.module,
                       name_.function,
                       std::string(info(shape().format).name),
                       std::to_string(shape().n),
                       std::to_string(setting().offset),
                       shape().axis ? std::to_string(*shape().axis) : "-",
                       shape().products ? "dot" : "-"};
    return setup;
  }

  PythonName name_;
};

}  // namespace

BoxMaker python_box(const std::string& function, std::optional<std::size_t> axis, const BoxLimits& limits) {
  const PythonName name = parse_python(function);
  if (axis && *axis > 1) throw Error(ErrorKind::usage, "axis " + std::to_string(*axis) + ": must be 0 or 1");
  const bool takes_lists = name.module == "math" || name.module == "builtins" || name.module == "statistics";
  if (axis && takes_lists)
    throw Error(ErrorKind::usage,
                one_line(function) + ": functions of " + name.module + " take a list, which has no axis");
  if (axis && name.products)
    throw Error(ErrorKind::usage, one_line(function) + ": a function of two arrays has no axis here");
  const auto make = [=](const BoxSetting& setting) -> std::unique_ptr<Box> {
    return std::make_unique<PythonBox>(function, name, axis, limits, setting);
  };
  return {function, name.products, make, "python", axis};
}

}  // namespace orderlab
