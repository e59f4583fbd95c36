#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "box/box_kit.hpp"

using namespace orderlab;
using namespace orderlab::box_kit;

namespace {

// The interpreter that the build found, and whether it has numpy.
constexpr std::string_view kPython = ORDERLAB_TEST_PYTHON;
constexpr bool kPythonThere = !kPython.empty();
constexpr bool kNumpyThere = ORDERLAB_TEST_NUMPY;

// Modules of the tests, in a folder that is the current one while the object lives.
class Modules {
 public:
  Modules() : before_(std::filesystem::current_path()) {
    ::setenv("ORDERLAB_PYTHON", kPython.data(), 1);
    folder_.write("mine.py", R"(
import os, sys, time
from types import SimpleNamespace
inner = SimpleNamespace(deep=SimpleNamespace(total=lambda x: float(sum(x.tolist()))))
number = 3
def crash(x): os.abort()
def leave(x): sys.exit("gave up")
def hang(x): time.sleep(100)
def raise_(x): raise ValueError("two\nlines")
def text(x): return "abc"
def nothing(x): pass
def printing(x):
    print("d\n" * 100000)
    os.write(1, b"d" * 100)
    os.write(2, b"d" * 100000)
    return x.sum()
def sorting(x):
    x[::-1].sort()
    return x.sum()
def offset(x): return x.ctypes.data % 4096 / x.itemsize
def threads(x): return int(os.environ.get("OMP_NUM_THREADS", 0))
def kind(x): return {"float16": 16, "float32": 32, "float64": 64}[x.dtype.name]
def one(x, axis): return x.sum()
def three(x, axis): return x.sum(axis=axis)[:3]
)");
    folder_.write("torch.py", R"(
bfloat16 = "bf16"
class Tensor:
    def __init__(self, x, wide=False): self.x, self.wide = x, wide
    def view(self, dtype): return Tensor(self.x, dtype == bfloat16)  # of the same memory
    def sum(self): return (self.x.astype("u4") << 16).view("f4").sum() if self.wide else self.x.sum()
def from_numpy(x): return Tensor(x)
)");
    folder_.write("broken.py", "import no_such_module\n");
    folder_.write("wrong.py", "1 +\n");
    std::filesystem::current_path(folder_.file(""));
  }
  ~Modules() {
    std::filesystem::current_path(before_);
    ::unsetenv("ORDERLAB_PYTHON");
  }
  Modules(const Modules&) = delete;
  Modules& operator=(const Modules&) = delete;

 private:
  Folder folder_;
  std::filesystem::path before_;
};

std::string failure_of_python(const std::string& function, double seconds = 10, std::optional<std::size_t> axis = {}) {
  BoxLimits limits;
  limits.seconds = seconds;
  const std::string text = failure(python_box(function, axis, limits));
  CHECK(text.starts_with(function + ": "));
  return text.substr(std::min(text.size(), function.size() + 2));
}

}  // namespace

TEST_CASE("functions of Python take an array, or a list, call after call" * doctest::skip(!kNumpyThere)) {
  const Modules modules;
  for (const char* function :
       {"numpy:sum", "numpy:ndarray.sum", "mine:inner.deep.total", "math:fsum", "builtins:sum"}) {
    CAPTURE(function);
    const auto box = make(python_box(function), 4);
    for (int i = 0; i < 3; ++i) CHECK(sum_of_counts(*box, 4) == 10);
    CHECK_FALSE(box->changes_input());
    CHECK(box->digits() == Box::kAllDigits);
  }
  CHECK(sum_of_counts(python_box("statistics:fmean")) == 2.5);
  CHECK(python_box("numpy:dot:dot").products);
  CHECK(sum_of_counts(python_box("numpy:dot:dot")) == 30);
  CHECK(sum_of_counts(python_box("numpy:sum"), 100'000) > 4e9);
}

TEST_CASE("lists need no numpy, and are exact in every format" * doctest::skip(!kPythonThere)) {
  const Modules modules;
  const std::vector<double> doubles{0.1, -0.0};
  CHECK(make(python_box("math:fsum"), 2, Format::fp64)->sum(view_of(doubles.data(), 2)) == 0.1);
  const std::vector<Half> halves{Half(0x1p-24), Half(1)};
  const std::vector<double> with_nan{1, std::numeric_limits<double>::quiet_NaN()};
  const auto nan = make(python_box("math:fsum"), 2, Format::fp64);
  CHECK(std::isnan(nan->sum(view_of(with_nan.data(), 2))));
  CHECK_FALSE(nan->changes_input());
  CHECK(make(python_box("math:fsum"), 2, Format::fp16)->sum(view_of(halves.data(), 2)) == 1 + 0x1p-24);
  const std::vector<Bfloat16> wide{Bfloat16(-0x1p127), Bfloat16(0x1p-127)};
  CHECK(make(python_box("builtins:min"), 2, Format::bf16)->sum(view_of(wide.data(), 2)) == -0x1p127);
  CHECK(make(python_box("builtins:max"), 2, Format::bf16)->sum(view_of(wide.data(), 2)) == 0x1p-127);
}

TEST_CASE("a function of Python finds its terms at the offset and in their format" * doctest::skip(!kNumpyThere)) {
  const Modules modules;
  for (const std::size_t offset : std::vector<std::size_t>{0, 1, 1023}) {
    BoxSetting setting;
    setting.n = 4;
    setting.offset = offset;
    setting.threads = offset + 1;
    CHECK(sum_of_counts(*python_box("mine:offset").make(setting), 4) == static_cast<double>(offset));
    CHECK(sum_of_counts(*python_box("mine:threads").make(setting), 4) == static_cast<double>(offset + 1));
    CHECK(sum_of_counts(*python_box("numpy:sum").make(setting), 4) == 10);
  }
  CHECK(sum_of_counts(python_box("mine:kind")) == 32);
  const std::vector<Half> halves = counts<Half>(4);
  CHECK(make(python_box("mine:kind"), 4, Format::fp16)->sum(view_of(halves.data(), 4)) == 16);
  const std::vector<double> doubles = counts<double>(4);
  CHECK(make(python_box("mine:kind"), 4, Format::fp64)->sum(view_of(doubles.data(), 4)) == 64);
}

TEST_CASE("functions of torch take tensors" * doctest::skip(!kNumpyThere)) {
  const Modules modules;
  CHECK(sum_of_counts(python_box("torch:Tensor.sum")) == 10);
  const std::vector<Bfloat16> terms = counts<Bfloat16>(4);
  CHECK(make(python_box("torch:Tensor.sum"), 4, Format::bf16)->sum(view_of(terms.data(), 4)) == 10);
}

TEST_CASE("a function of Python may print and change its input" * doctest::skip(!kNumpyThere)) {
  const Modules modules;
  CHECK(sum_of_counts(python_box("mine:printing")) == 10);
  const auto sorting = make(python_box("mine:sorting"), 4);
  for (int i = 0; i < 2; ++i) CHECK(sum_of_counts(*sorting, 4) == 10);
  CHECK(sorting->changes_input());
}

TEST_CASE("along an axis, 64 inputs are summed in a call" * doctest::skip(!kNumpyThere)) {
  const Modules modules;
  for (const std::size_t axis : std::vector<std::size_t>{0, 1}) {
    CAPTURE(axis);
    const auto box = make(python_box("numpy:sum", axis), 4);
    CHECK(box->together() == 64);
    CHECK(sum_of_counts(*box, 4) == 10);
    std::vector<std::vector<float>> inputs;
    std::vector<TermView> views;
    for (int i = 0; i < 70; ++i) inputs.push_back({static_cast<float>(i), 1, 2, 3});
    for (const auto& input : inputs) views.push_back(view_of(input.data(), 4));
    std::vector<double> results(70);
    box->sums(views, results);
    for (int i = 0; i < 70; ++i) CHECK(results[static_cast<std::size_t>(i)] == i + 6);
  }
  CHECK(has(failure_of_python("mine:one", 10, 1), "raised TypeError"));
  CHECK(failure_of_python("mine:three", 10, 1) == "answered 3 numbers along axis 1; 64 are needed");
}

TEST_CASE("a function of Python that crashes, ends, hangs or raises is refused in one line" *
          doctest::skip(!kNumpyThere)) {
  const Modules modules;
  CHECK(failure_of_python("mine:crash") == "crashed (SIGABRT)");
  CHECK(failure_of_python("mine:leave") == "exited with status 1: gave up");
  CHECK(failure_of_python("mine:hang", 2).starts_with("no answer within 2 s"));
  CHECK(failure_of_python("mine:raise_") == "raised ValueError: two lines");
  CHECK(failure_of_python("mine:text") == "raised ValueError: could not convert string to float: 'abc'");
  CHECK(has(failure_of_python("mine:nothing"), "raised TypeError: "));
  CHECK(has(failure_of_python("numpy:cumsum"), "raised TypeError: "));
}

TEST_CASE("a module or a function that is not there is named" * doctest::skip(!kPythonThere)) {
  const Modules modules;
  CHECK(has(failure_of_python("no_such:sum"), " has no module no_such; ORDERLAB_PYTHON names another interpreter"));
  CHECK(has(failure_of_python("os.no_such:sum"), " has no module os.no_such;"));
  CHECK(failure_of_python("broken:sum") == "cannot be imported: ModuleNotFoundError: No module named 'no_such_module'");
  CHECK(has(failure_of_python("wrong:sum"), "cannot be imported: SyntaxError: "));
  CHECK(failure_of_python("math:no_such") == "no function no_such in math");
  CHECK(failure_of_python("math:pi") == "pi of math is not a function");
  CHECK(failure_of_python("math:fsum", 0.0001) == "no answer within 1e-04 s while it was loaded");
}

TEST_CASE("an interpreter that is not there is named") {
  ::setenv("ORDERLAB_PYTHON", "no_such_python", 1);
  CHECK(failure(python_box("math:fsum")) ==
        "math:fsum: needs no_such_python, which is not there; install Python 3 or name it in ORDERLAB_PYTHON");
  ::setenv("ORDERLAB_PYTHON", "/bin/false", 1);
  CHECK(failure(python_box("math:fsum")) == "math:fsum: exited with status 1 while it was loaded");
  ::unsetenv("ORDERLAB_PYTHON");
}

TEST_CASE("a text that names no function of Python is refused") {
  for (const char* text : {"", ":", "numpy", "numpy:", ":sum", "numpy:a:b", "numpy::dot", "a b:c", "numpy:.sum",
                           "a..b:c", "numpy:sum:dot:dot"})
    CHECK(has(refusal([&] { python_box(text); }), "MODULE:FUNCTION"));
  CHECK(has(refusal([] { python_box("numpy:sum", 2); }), "axis 2: must be 0 or 1"));
  CHECK(has(refusal([] { python_box("math:fsum", 0); }), "has no axis"));
  CHECK(has(refusal([] { python_box("numpy:dot:dot", 0); }), "has no axis"));
}
