// orderlab._core: what the package orderlab is made on. The commands as a table, how to call one, reports, exact sums.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "cli/output_options.hpp"
#include "core/float_environment.hpp"
#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "orderlab/philox.hpp"
#include "python/core/arrays.hpp"
#include "python/core/command_call.hpp"
#include "show/operation.hpp"
#include "show/tree.hpp"
#include "sweep/merge_counts.hpp"
#include "terms/conversion.hpp"

namespace py = pybind11;

namespace orderlab::python {

namespace {

std::string_view name_of(FlagKind kind) {
  switch (kind) {
    case FlagKind::toggle:
      return "toggle";
    case FlagKind::text:
    case FlagKind::rest:
      return "text";
    case FlagKind::count:
      return "count";
    case FlagKind::fraction:
      return "fraction";
    case FlagKind::word:
      return "word";
    case FlagKind::folder:
      return "folder";
    default:
      return "file";
  }
}

py::dict described(const Flag& flag, std::span<const Options* const> options) {
  py::dict one;
  one["name"] = flag.long_name();
  one["kind"] = name_of(flag.kind);
  one["value"] = flag.value;
  one["fallback"] = default_text(flag, options);
  one["help"] = flag.help;
  one["group"] = flag.group;
  one["repeats"] = flag.repeats;
  one["required"] = flag.required;
  one["positional"] = flag.positional;
  one["words"] = std::vector<std::string_view>(flag.words.begin(), flag.words.end());
  return one;
}

py::dict described(const std::string& name) {
  const cli::Command* const command = cli::find_command(name);
  if (command == nullptr) throw std::logic_error("there is no command " + name);
  py::list flags;
  for (const Flag* flag : command->flags) flags.append(described(*flag, command->options));
  py::dict one;
  one["summary"] = command->summary;
  one["notes"] = command->notes == nullptr ? std::string() : command->notes();
  one["flags"] = flags;
  return one;
}

std::optional<GivenCallable> callable_of(const py::object& box) {
  if (box.is_none()) return std::nullopt;
  const auto [function, name, dtype, products, axis] =
      box.cast<std::tuple<py::object, std::string, py::dtype, bool, std::optional<std::size_t>>>();
  return GivenCallable{function, name, dtype, products, axis};
}

// What a process draws of samples that several share: (the part that it draws or None, [(the range, bytes of others)]).
std::optional<study::DividedDraws> divided_of(const py::object& divided) {
  if (divided.is_none()) return std::nullopt;
  const auto [part, made] =
      divided.cast<std::pair<std::optional<SampleRange>, std::vector<std::pair<SampleRange, std::string>>>>();
  return study::DividedDraws{part, made};
}

// In place of an answer: the range that was drawn or is missing, what it is of, and the bytes that were drawn.
py::object draws_of(const CommandOutcome& outcome) {
  if (outcome.drawn)
    return py::make_tuple(outcome.drawn->range.draws, outcome.drawn->range.of, py::bytes(outcome.drawn->bytes));
  if (outcome.missing) return py::make_tuple(outcome.missing->range.draws, outcome.missing->range.of, py::none());
  return py::none();
}

py::tuple run(const std::string& name, std::vector<std::pair<std::string, std::vector<std::string>>> texts,
              const std::vector<std::tuple<std::string, py::array, std::string>>& arrays, const py::object& progress,
              const py::object& box, const py::object& divided) {
  CommandArguments arguments{std::move(texts), {}};
  for (const auto& [flag, array, format] : arrays) arguments.arrays.emplace_back(flag, given_array(array, format));
  CommandOutcome outcome = call_command(name, std::move(arguments), progress, callable_of(box), divided_of(divided));
  py::object report = outcome.report ? py::cast(std::const_pointer_cast<cli::Report>(outcome.report)) : py::none();
  return py::make_tuple(outcome.status, report, py::bytes(outcome.out), outcome.err, draws_of(outcome));
}

// What a report has for each output, or each node of a tree.
py::dict arrays_of(const cli::Report& report) {
  py::dict arrays;
  const auto add_outputs = [&](const auto* operation) {
    if (operation == nullptr) return;
    for (OutputNumbers& column : output_numbers(*operation))
      arrays[py::str(column.name)] = array_of(std::move(column.values));
    arrays["shape"] = py::tuple(py::cast(operation->input.shape));
  };
  add_outputs(report.as<study::OperationSampleFinding>());
  add_outputs(report.as<study::OperationSumFinding>());
  if (const auto* finding = report.as<TreeFinding>()) {
    const SummationTree& tree = finding->tree;
    std::vector<std::int64_t> parents(tree.node_count(), -1);
    for (SummationTree::Node node = tree.term_count(); node < tree.node_count(); ++node)
      for (const SummationTree::Node child : tree.children(node)) parents[child] = static_cast<std::int64_t>(node);
    arrays["parents"] = array_of(std::move(parents));
    arrays["height"] = tree.height();
    arrays["expression"] = finding->expression;
  }
  return arrays;
}

// Empty where the report is of no tree.
std::string tree_text_of(const cli::Report& report, bool newick) {
  const auto* const finding = report.as<TreeFinding>();
  if (finding == nullptr) return {};
  return newick ? tree_newick(finding->tree) : tree_dot(finding->tree, finding->terms.view());
}

std::vector<std::pair<std::string, std::string>> charts_of(const cli::Report& report) {
  std::vector<std::pair<std::string, std::string>> charts;
  for (SpecFile& spec : report.charts()) charts.emplace_back(std::move(spec.name), std::move(spec.json));
  return charts;
}

template <class Call>
auto without_gil(Call call) {
  const OpenCall open;
  const py::gil_scoped_release released;
  return call();
}

ExactValue exact_sum_of(const py::array& x, const std::string& format, const py::object& y) {
  const auto terms_in = [&](const py::array& array) {
    const cli::GivenArray given = given_array(array, format);
    return Terms(*given.format, static_cast<std::size_t>(array.size()), given.data);
  };
  Terms terms = terms_in(x);
  if (!y.is_none()) terms.multiply_by(terms_in(y.cast<py::array>()));
  ExactValue value = without_gil([&] { return exact_sum(terms.view()); });
  return value;
}

// Files of counts as the one that has all their samples.
py::bytes merged_counts(const std::vector<std::string>& paths) {
  return {without_gil([&] { return to_bytes(merge_counts(paths, [](std::size_t) { return true; }).file); })};
}

/// Samples that some order of a file of counts has, as (first, end).
std::vector<SampleRange> counted_samples(const std::string& path) {
  return without_gil([&] {
    SampleRanges all;
    for (const CountedOrder& order : read_counts_file(path).orders) all.add(order.drawn.samples);
    return all.ranges();
  });
}

ExactValue exact_value_of(const std::string& decimal) {
  if (const auto value = ExactValue::from_decimal(decimal)) return *value;
  ExactSum sum;
  sum.add(std::stod(decimal));  // inf, -inf, nan
  return sum.value();
}

/// FloatEnvironment for `with` in Python, where the package itself reads or computes numbers.
class OpenEnvironment {
 public:
  void enter() { environment_.emplace(); }
  void exit(const py::args&) { environment_.reset(); }

 private:
  std::optional<FloatEnvironment> environment_;
};

void define_errors(py::module_& module) {
  static py::object usage = module.attr("UsageError");
  static py::object input = module.attr("InputError");
  static py::object unsupported = module.attr("UnsupportedError");
  static py::object device = module.attr("DeviceError");
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      const py::object& type = error.kind() == ErrorKind::usage    ? usage
                               : error.kind() == ErrorKind::input  ? input
                               : error.kind() == ErrorKind::device ? device
                                                                   : unsupported;
      PyErr_SetString(type.ptr(), error.what());
    }
  });
}

void define(py::module_& module) {
  const py::module_ errors = py::module_::import("orderlab._errors");
  for (const char* name : {"UsageError", "InputError", "UnsupportedError", "DeviceError"})
    module.attr(name) = errors.attr(name);
  define_errors(module);

  module.attr("version") = std::string(cli::program_version().substr(std::string_view("orderlab ").size()));
  module.attr("bits_version") = kBitsVersion;
  const py::call_guard<FloatEnvironment> ours;  // for every function that computes, or reads or prints numbers
  py::class_<OpenEnvironment>(module, "FloatEnvironment")
      .def(py::init<>())
      .def("__enter__", &OpenEnvironment::enter)
      .def("__exit__", &OpenEnvironment::exit);

  module.def("command_names", &cli::command_names, ours);
  module.def("command", py::overload_cast<const std::string&>(&described), ours);
  module.def("run", &run, ours);

  py::class_<cli::Report, std::shared_ptr<cli::Report>>(module, "Report")
      .def(
          "json", [](const cli::Report& report) { return py::bytes(without_gil([&] { return report.json(); })); }, ours)
      .def(
          "csv", [](const cli::Report& report) { return without_gil([&] { return report.csv(); }); }, ours)
      .def(
          "text",
          [](const cli::Report& report, int width) {
            return report.text({width, false});
          },
          ours)
      .def(
          "html", [](const cli::Report& report) { return without_gil([&] { return report.html(); }); }, ours)
      .def(
          "charts", [](const cli::Report& report) { return without_gil([&] { return charts_of(report); }); }, ours)
      .def("arrays", &arrays_of, ours)
      .def(
          "newick", [](const cli::Report& report) { return tree_text_of(report, true); }, ours)
      .def(
          "dot", [](const cli::Report& report) { return tree_text_of(report, false); }, ours);

  py::class_<ExactValue>(module, "ExactValue")
      .def_property_readonly("finite", &ExactValue::finite)
      .def(
          "bits",
          [](const ExactValue& value, const std::string& name) { return value.round_to(parse_formats(name).terms); },
          ours)
      .def(
          "value",
          [](const ExactValue& value, const std::string& name) {
            const Format format = parse_formats(name).terms;
            return value_of_bits(format, value.round_to(format));
          },
          ours)
      .def("decimal", &ExactValue::decimal, ours);
  module.def("merge_counts", &merged_counts, ours);
  module.def("counted_samples", &counted_samples, ours);
  module.def("exact_sum", &exact_sum_of, ours);
  module.def("exact_value", &exact_value_of, ours);
  py::module_::import("atexit").attr("register")(py::cpp_function(&end_calls));
}

// In a subinterpreter nothing of pybind11 may run: it takes the GIL by a thread state of the main interpreter, and
// waits for it forever. The package says the same where Python itself can tell.
int fill(PyObject* object) {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError, "orderlab: cannot be imported in a subinterpreter; use the main interpreter");
    return -1;
  }
  static PyObject* content = nullptr;  // from the first import: a class is registered once
  if (content != nullptr) return PyDict_Update(PyModule_GetDict(object), content);
  try {
    py::detail::get_internals();
    auto module = py::reinterpret_borrow<py::module_>(object);
    define(module);
    content = PyDict_Copy(PyModule_GetDict(object));
    return content == nullptr ? -1 : 0;
  } catch (py::error_already_set& error) {
    py::raise_from(error, PyExc_ImportError, "orderlab: initialization failed");
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_ImportError, error.what());
  }
  return -1;
}

// Executed in each interpreter that imports it: a module that PYBIND11_MODULE defines would be copied to the second.
PyModuleDef_Slot slots[] = {
    {Py_mod_exec, reinterpret_cast<void*>(&fill)},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},  // so that it is `fill` that refuses
#endif
    {0, nullptr}};
PyModuleDef definition{PyModuleDef_HEAD_INIT, "_core", nullptr, 0, nullptr, slots, nullptr, nullptr, nullptr};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that Python looks for
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  PYBIND11_CHECK_PYTHON_VERSION
  return PyModuleDef_Init(&definition);
}

}  // namespace orderlab::python
