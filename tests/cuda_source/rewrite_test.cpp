#include "cuda_source/rewrite.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reference/hard_inputs.hpp"

using namespace orderlab::cuda_source;

namespace {

/// The text after rewriting, which has as many lines.
std::string rewritten(std::string_view source) {
  const Rewritten result = rewrite(source);
  CHECK(result.problems.empty());
  CHECK(std::count(result.text.begin(), result.text.end(), '\n') == std::count(source.begin(), source.end(), '\n'));
  return result.text;
}

struct Case {
  std::string_view before;
  std::string_view after;
};

void check_cases(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    CAPTURE(each.before);
    CHECK(rewritten(each.before) == each.after);
  }
}

}  // namespace

TEST_CASE("a backslash with only a comment behind it goes; others stay") {
  check_cases({
      {"a + \\ // b\n c;", "a +   // b\n c;"},
      {"a + \\ /* b */ \n c;", "a +   /* b */ \n c;"},
      {"f<<<1, \\ // b\n 2>>>(x);", "ORDERLAB_LAUNCH((f), 1,   // b\n 2)(x);"},
      {"a \\ \n b;", "a \\ \n b;"},
      {"a \\ b;\n", "a \\ b;\n"},
      {"#define A b \\ // c\nd", "#define A b \\ // c\nd"},
      {"#define A { \\ \n extern \\ \n __shared__ float s[]; }\n",
       "#define A { \\ \n float* const s = ::orderlab::host_program::dynamic_shared<float>()\\\n; }\n"},
  });
}

TEST_CASE("launches are calls of ORDERLAB_LAUNCH") {
  check_cases({
      {"f<<<1, 2>>>(x);", "ORDERLAB_LAUNCH((f), 1, 2)(x);"},
      {"f <<< g, b, s, st >>> (x);", "ORDERLAB_LAUNCH((f ),  g, b, s, st ) (x);"},
      {"f<T, 4><<<g, b>>>(x);", "ORDERLAB_LAUNCH((f<T, 4>), g, b)(x);"},
      {"f<(a > b)><<<g, b>>>(x);", "ORDERLAB_LAUNCH((f<(a > b)>), g, b)(x);"},
      {"n::m::f<T><<<g, b>>>(x);", "ORDERLAB_LAUNCH((n::m::f<T>), g, b)(x);"},
      {"::f<<<g, b>>>(x);", "ORDERLAB_LAUNCH((::f), g, b)(x);"},
      {"A<T>::f<<<g, b>>>(x);", "ORDERLAB_LAUNCH((A<T>::f), g, b)(x);"},
      {"p->k<<<g, b>>>(x);", "ORDERLAB_LAUNCH((p->k), g, b)(x);"},
      {"(*k)<<<g, b>>>(x);", "ORDERLAB_LAUNCH(((*k)), g, b)(x);"},
      {"k[i]<<<g, b>>>(x);", "ORDERLAB_LAUNCH((k[i]), g, b)(x);"},
      {"pick(i)<<<g, b>>>(x);", "ORDERLAB_LAUNCH((pick(i)), g, b)(x);"},
      {"if (c) f<<<n >> 2, dim3(a >> 1)>>>(x);", "if (c) ORDERLAB_LAUNCH((f), n >> 2, dim3(a >> 1))(x);"},
      {"f<<<1, 2, sizeof(V<V<V<int>>>)>>>(x);", "ORDERLAB_LAUNCH((f), 1, 2, sizeof(V<V<V<int>>>))(x);"},
      {"[&] { f<<<1, 2>>>(x); };", "[&] { ORDERLAB_LAUNCH((f), 1, 2)(x); };"},
      {"f<<<\n  1,\n  2>>>(\n x);", "ORDERLAB_LAUNCH((f), \n  1,\n  2)(\n x);"},
      {"#define L(k, g) k<<<g, 1>>>(x)\n", "#define L(k, g) ORDERLAB_LAUNCH((k), g, 1)(x)\n"},
      {"#define L(k) k##_2<<<1, \\\n  1>>>(x)\n", "#define L(k) ORDERLAB_LAUNCH((k##_2), 1, \\\n  1)(x)\n"},
  });
}

TEST_CASE("what only looks like a launch stays") {
  check_cases({
      {"// f<<<1, 2>>>(x);", "// f<<<1, 2>>>(x);"},
      {"puts(\"f<<<1, 2>>>(x)\");", "puts(\"f<<<1, 2>>>(x)\");"},
      {"R\"(f<<<1, 2>>>(x))\";", "R\"(f<<<1, 2>>>(x))\";"},
      {"std::cout << 1 << 2; V<V<V<int>>> v;", "std::cout << 1 << 2; V<V<V<int>>> v;"},
  });
}

TEST_CASE("dynamic shared arrays are pointers in functions and declared in front of them") {
  check_cases({
      {"extern __shared__ float s[];", "ORDERLAB_DYNAMIC_SHARED(float, s);"},
      {"namespace a { extern __shared__ float s[]; }", "namespace a { ORDERLAB_DYNAMIC_SHARED(float, s); }"},
      {"void f() { extern __shared__ float s[]; }",
       "void f() { float* const s = ::orderlab::host_program::dynamic_shared<float>(); }"},
      {"void f() { extern volatile __shared__ unsigned int s[]; }",
       "void f() { volatile unsigned int* const s = ::orderlab::host_program::dynamic_shared<volatile unsigned int>(); "
       "}"},
      {"void f() { extern __shared__ __align__(16) T s[]; }",
       "void f() { T* const s = ::orderlab::host_program::dynamic_shared<T>(); }"},
      {"void f() { __shared__ extern int s[]; }",
       "void f() { int* const s = ::orderlab::host_program::dynamic_shared<int>(); }"},
      {"void f() { extern __shared__ float s[][32]; }",
       "void f() { auto* const s = ::orderlab::host_program::dynamic_shared<float[32]>(); }"},
      {"void f() { __shared__ float s[32]; }", "void f() { __shared__ float s[32]; }"},
      {"#ifdef A\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n}\nextern __shared__ int s[];",
       "#ifdef A\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n}\nORDERLAB_DYNAMIC_SHARED(int, s);"},
  });
}

TEST_CASE("variables of the host called as CUDA's are renamed in their scope, and members always") {
  check_cases({
      {"int main() { dim3 blockDim(64); f(blockDim); } __global__ void k() { int i = blockDim.x; }",
       "int main() { dim3 orderlab_blockDim(64); f(orderlab_blockDim); } __global__ void k() { int i = blockDim.x; }"},
      {"void h(dim3 gridDim, dim3 blockDim) { f<<<gridDim, blockDim>>>(x); }",
       "void h(dim3 orderlab_gridDim, dim3 orderlab_blockDim) { ORDERLAB_LAUNCH((f), orderlab_gridDim, "
       "orderlab_blockDim)(x); }"},
      {"void h(dim3 gridDim); int i = gridDim.x;", "void h(dim3 orderlab_gridDim); int i = gridDim.x;"},
      {"int main() { dim3 a(1), gridDim(2); g(gridDim); }",
       "int main() { dim3 a(1), orderlab_gridDim(2); g(orderlab_gridDim); }"},
      {"config.gridDim = 3; return blockDim.x;", "config.orderlab_gridDim = 3; return blockDim.x;"},
  });
}

TEST_CASE("PTX in functions of the device ends a program that comes there") {
  check_cases({
      {"__device__ int f() { asm volatile(\"bar.sync 0;\" : : \"r\"(x)); }",
       "__device__ int f() { ORDERLAB_PTX(\"bar.sync 0;\"); }"},
      {"int main() { asm(\"nop\"); }", "int main() { asm(\"nop\"); }"},
  });
}

TEST_CASE("a cast that hides the parameters of a launched kernel is dropped") {
  check_cases({{"cudaLaunchCooperativeKernel((void*)k, g, b, a);", "cudaLaunchCooperativeKernel(k, g, b, a);"},
               {"cudaLaunchKernel((const void*)k, g, b, a);", "cudaLaunchKernel(k, g, b, a);"}});
}

TEST_CASE("launch bounds that are numbers are marked, for clang") {
  check_cases(
      {{"__global__ void __launch_bounds__(256, 2) k();", "__global__ void ORDERLAB_LITERAL_BOUNDS(256, 2) k();"},
       {"__launch_bounds__(64)", "ORDERLAB_LITERAL_BOUNDS(64)"},
       {"__launch_bounds__(N)", "__launch_bounds__(N)"},
       {"__launch_bounds__(2 * N)", "__launch_bounds__(2 * N)"}});
}

TEST_CASE("what cannot be rewritten is said with its line") {
  CHECK(rewrite("\n1 <<<1, 2>>>(x);").problems ==
        std::vector<Problem>{{2, "a launch <<<...>>> of what is not a kernel's name"}});
  CHECK(rewrite("f<<<1, 2;").problems == std::vector<Problem>{{1, "a launch <<<...>>> has no end"}});
}

TEST_CASE("includes are those of both branches, with the kind of their quotes") {
  CHECK(includes_of("#include \"a.h\"\n# include <b/c.cuh> // d\n#if X\n#include M\n#endif\n// #include <e>\n") ==
        std::vector<Include>{{"a.h", true}, {"b/c.cuh", false}});
}

TEST_CASE("launches nested without end are a problem, and no crash") {
  std::string source;
  for (std::uint64_t i = 0; i < orderlab::testing::trials(300'000); ++i) source += "f<<<";
  const auto found = rewrite(source);
  CHECK(found.text == source);
  CHECK(!found.problems.empty());
}

TEST_CASE("lines that end with CR LF stay as they are") {
  CHECK(rewrite("k<<<1, 2>>>(x);\r\nint i;\r\n").text == "ORDERLAB_LAUNCH((k), 1, 2)(x);\r\nint i;\r\n");
}
