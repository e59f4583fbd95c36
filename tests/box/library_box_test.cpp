#include <limits>

#include "box/box_kit.hpp"

using namespace orderlab;
using namespace orderlab::box_kit;

namespace {

const std::string kSums = ORDERLAB_TEST_SUMS;

BoxMaker function_of_sums(const std::string& symbol, double seconds = 10) {
  BoxLimits limits;
  limits.seconds = seconds;
  return library_box(kSums + ":" + symbol, limits);
}

std::string failure_of_sums(const std::string& symbol, double seconds = 10) {
  const std::string text = failure(function_of_sums(symbol, seconds));
  const std::string name = kSums + ":" + symbol + ": ";
  CHECK(text.starts_with(name));
  return text.substr(std::min(text.size(), name.size()));
}

}  // namespace

TEST_CASE("a library's function sums, in every form of its arguments") {
  CHECK(sum_of_counts(function_of_sums("sum")) == 10);
  CHECK_FALSE(function_of_sums("sum").products);
  for (const char* symbol : {"dot:dot", "c_dot:blas", "fortran_dot_:blas"}) {
    CHECK(function_of_sums(symbol).products);
    CHECK(sum_of_counts(function_of_sums(symbol)) == 30);
  }
  CHECK(sum_of_counts(function_of_sums("sum"), 100'000) > 4e9);
}

#ifdef __FLT16_MAX__
TEST_CASE("a library's function answers in a format of its own") {
  const std::vector<Half> x{Half(1), Half(0x1p-11)};
  const std::vector<Half> y{Half(1), Half(0x1p-12)};
  const BoxMaker maker = library_box(kSums + ":dot16:dot", {}, false, Format::fp32);
  CHECK(make(maker, 2, Format::fp16)->sum(view_of(x.data(), 2, y.data())) == 1 + 0x1p-23);
}
#endif

TEST_CASE("a BLAS function of one array is called where one is asked for") {
  for (const char* symbol : {"abs_halving", "c_asum:blas", "fortran_asum_:blas"}) {
    const BoxMaker maker = library_box(kSums + ":" + symbol, {}, true);
    CHECK_FALSE(maker.products);
    CHECK(sum_of_counts(maker) == 10);
  }
  CHECK(library_box(kSums + ":dot:dot", {}, true).products);
}

TEST_CASE("the order of a library's sum of |x| is named") {
  BoxMaker maker = library_box(kSums + ":fortran_asum_:blas", {}, true);
  maker.summands = Summands::magnitudes;
  const auto found = probe_setting(maker, {.n = 48, .format = Format::fp32});
  REQUIRE(found);
  CHECK(found->verdict == ProbeVerdict::named);
  CHECK(found->certified);
  REQUIRE(found->tree);
  CHECK(found->tree->height() == 6);
}

TEST_CASE("a library's function takes terms in their format") {
  const std::vector<double> terms{1, 0x1p-52};
  CHECK(make(function_of_sums("sum64"), 2, Format::fp64)->sum(view_of(terms.data(), 2)) == 1 + 0x1p-52);
#ifdef __FLT16_MAX__
  const std::vector<Half> halves{Half(-0x1p-24), Half(1)};
  CHECK(make(function_of_sums("first16"), 2, Format::fp16)->sum(view_of(halves.data(), 2)) == -0x1p-24);
  const std::vector<Bfloat16> wide{Bfloat16(0x1p127), Bfloat16(1)};
  CHECK(make(function_of_sums("first16"), 2, Format::bf16)->sum(view_of(wide.data(), 2)) == 0x1p127);
#endif
}

TEST_CASE("a library's function finds its terms at the offset, and the number of threads in its environment") {
  for (const std::size_t offset : std::vector<std::size_t>{0, 1, 7, 1023}) {
    BoxSetting setting;
    setting.n = 4;
    setting.offset = offset;
    setting.threads = offset + 1;
    CHECK(sum_of_counts(*function_of_sums("offset_of").make(setting), 4) == static_cast<double>(offset));
    CHECK(sum_of_counts(*function_of_sums("threads_of").make(setting), 4) == static_cast<double>(offset + 1));
    CHECK(sum_of_counts(*function_of_sums("sum").make(setting), 4) == 10);
  }
}

TEST_CASE("a library may print and change its input") {
  const auto printing = make(function_of_sums("printing_sum"), 4);
  for (int i = 0; i < 30'000; ++i) REQUIRE(sum_of_counts(*printing, 4) == 10);  // more than a pipe holds
  CHECK_FALSE(printing->changes_input());
  const auto changing = make(function_of_sums("changing_sum"), 4);
  CHECK_FALSE(changing->changes_input());
  for (int i = 0; i < 3; ++i) CHECK(sum_of_counts(*changing, 4) == 10);
  CHECK(changing->changes_input());
}

TEST_CASE("a library's function that crashes, ends, hangs or throws is refused in one line") {
  CHECK(failure_of_sums("aborting_sum") == "crashed (SIGABRT)");
  CHECK(failure_of_sums("faulting_sum") == "crashed (SIGSEGV)");
  CHECK(failure_of_sums("exiting_sum") == "exited with status 3: [31mgiven up");
  CHECK(failure_of_sums("hanging_sum", 0.2) == "no answer within 0.2 s");
  CHECK(failure_of_sums("throwing_sum") == "threw an exception: no sum");
}

TEST_CASE("a library or a symbol that is not there is named") {
  const Folder folder;
  CHECK(failure_of_sums("no_such") == "no symbol no_such in it; a function of C++ has to be extern \"C\"");
  CHECK(failure(library_box("no_such.so:sum")) ==
        "no_such.so:sum: no such file, neither here nor where the dynamic linker looks");
  CHECK(failure(library_box("./no:such.so:sum:dot")) ==
        "./no:such.so:sum:dot: no such file, neither here nor where the dynamic linker looks");
  CHECK(has(failure(library_box(folder.write("text.so", "text") + ":sum")), ": not a library that can be loaded: "));
}

TEST_CASE("a library without a folder in its name is looked for here first") {
  const Folder folder;
  std::filesystem::copy_file(kSums, folder.file("sums:here.so"));
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.file(""));
  CHECK(sum_of_counts(library_box("sums:here.so:sum")) == 10);
  std::filesystem::current_path(before);
}

TEST_CASE("a text that names no function of a library is refused") {
  for (const char* text : {"", ":", "libm.so", "libm.so:", ":sum", ":sum:dot", "libm.so::dot", "a:dot"})
    CHECK(has(refusal([&] { library_box(text); }), "FILE:SYMBOL"));
  CHECK(has(refusal([] { make(library_box("a:b:blas"), std::size_t{1} << 31); }), "at most 2147483647"));
}
