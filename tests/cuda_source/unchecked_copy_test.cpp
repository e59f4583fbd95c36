#include "cuda_source/unchecked_copy.hpp"

#include <doctest/doctest.h>

using namespace orderlab::cuda_source;

namespace {

/// A function, an internal variable in both ways that compilers have, and one that all sources see.
std::string assembly(const std::string& call) {
  return "\t.text\n\t.globl\tf\n\t.type\tf, @function\nf:\n" + call +
         "\tmovl\t_ZL1x(%rip), %eax\n\taddl\ty(%rip), %eax\n\tret\n\t.size\tf, .-f\n"
         "\t.section\t.init_array,\"aw\"\n\t.quad\tf\n"
         "\t.local\t_ZL1x\n\t.comm\t_ZL1x,4,4\n"
         "\t.data\n\t.type\t_ZL1z, @object\n_ZL1z:\n\t.long\t1\n"
         "\t.globl\ty\n\t.type\ty, @object\ny:\n\t.long\t2\n"
         "\t.section\t.tbss._ZL1s,\"awT\",@nobits\n\t.type\t_ZL1s, @object\n_ZL1s:\n\t.zero\t4\n";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the unchecked copy has functions of its own and the variables of the checked one") {
  std::vector<CompiledTwice> sources = {{assembly("\tcall\t__tsan_read4@PLT\n"), assembly("")}};
  join_copies(sources);
  const std::string& copy = sources[0].unchecked;
  CHECK(has(copy, "\nf.unchecked:\n"));
  CHECK(has(copy, "\t.size\tf.unchecked, .-f.unchecked\n"));
  CHECK(has(copy, "_ZL1x.of_source_0(%rip)"));
  CHECK(has(copy, "\t.weak\t_ZL1x.of_source_0\n"));
  CHECK(has(copy, "\n_ZL1x.of_source_0:\n\t.zero\t4\n"));
  CHECK(has(copy, "\n_ZL1z.of_source_0:\n"));
  CHECK(has(copy, "\t.weak\ty\n"));
  CHECK_FALSE(has(copy, ".globl\ty\n"));
  CHECK(has(copy, "\n_ZL1s:\n"));  // shared memory: a thread block has one of them
  CHECK(has(copy, "\t.section\t.unused.init_array,\"aw\"\n"));
  CHECK(has(sources[0].checked, "\t.globl\t_ZL1x.of_source_0\n\t.set\t_ZL1x.of_source_0,_ZL1x\n"));
  CHECK(has(sources[0].checked, "\t.set\t_ZL1z.of_source_0,_ZL1z\n"));
  CHECK_FALSE(has(sources[0].checked, "_ZL1s.of_source"));
}

TEST_CASE("unchecked copies of several sources call one another") {
  const std::string caller =
      "\t.globl\tg\n\t.type\tg, @function\ng:\n\tcall\tf@PLT\n\tcall\tputs@PLT\n# f\n\t.string\t\"f\"\n";
  std::vector<CompiledTwice> sources = {{assembly(""), assembly("")}, {caller, caller}};
  join_copies(sources);
  CHECK(has(sources[1].unchecked, "\tcall\tf.unchecked@PLT\n\tcall\tputs@PLT\n# f\n\t.string\t\"f\"\n"));
  CHECK(sources[1].checked == caller);
}

TEST_CASE("functions of one name of which the linker keeps one are one in each copy") {
  const std::string text =
      "\t.section\t.text._Z1hv,\"axG\",@progbits,_Z1hv,comdat\n\t.weak\t_Z1hv\n\t.type\t_Z1hv, @function\n_Z1hv:\n"
      "\t.section\t.bss._ZZ1hvE1v,\"awG\",@nobits,_ZZ1hvE1v,comdat\n\t.weak\t_ZZ1hvE1v\n"
      "\t.type\t_ZZ1hvE1v, @gnu_unique_object\n_ZZ1hvE1v:\n";
  std::vector<CompiledTwice> sources = {{text, text}};
  join_copies(sources);
  CHECK(has(sources[0].unchecked, "@progbits,_Z1hv.unchecked,comdat\n"));
  CHECK(has(sources[0].unchecked, "@nobits,_ZZ1hvE1v,comdat\n"));
}

TEST_CASE("what threads of a launch run is in a table, in both copies") {
  const std::string run = "_ZN8orderlab12host_program8run_bodyIZ4mainE1aEEvPKv";
  const std::string text = "\t.type\t" + run + ", @function\n" + run + ":\n\tret\n";
  std::vector<CompiledTwice> sources = {{text, text}};
  join_copies(sources);
  CHECK(has(sources[0].checked, "\t.globl\t" + run + ".of_source_0\n"));
  CHECK(has(sources[0].unchecked, "\t.section\torderlab_unchecked,\"aw\",@progbits\n\t.balign\t8\n\t.quad\t" + run +
                                      ".of_source_0\n\t.quad\t" + run + ".unchecked\n"));
}

TEST_CASE("volatile accesses of kernels are calls that an unchecked copy does not have") {
  CHECK(has_volatile_accesses("\tcall\t__tsan_volatile_read4@PLT\n"));
  CHECK(has_volatile_accesses("\tcall\t__tsan_unaligned_volatile_write8\n"));
  CHECK_FALSE(has_volatile_accesses("\tcall\t__tsan_read4@PLT\n"));
}
