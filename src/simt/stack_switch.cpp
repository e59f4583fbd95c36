#include "simt/stack_switch.hpp"

#include "simt/fiber_annotations.hpp"

#if defined(__x86_64__) && !defined(ORDERLAB_ADDRESS_SANITIZER)

// The registers that a function must keep: System V ABI for AMD64, "Registers". A new stack begins with those that
// orderlab_start_stack looks for.
__asm__(R"(
.text
.globl orderlab_switch_stack
.type orderlab_switch_stack, @function
orderlab_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size orderlab_switch_stack, .-orderlab_switch_stack
.type orderlab_start_stack, @function
orderlab_start_stack:
  movq %rbx, %rdi
  callq *%rbp
  ud2
.size orderlab_start_stack, .-orderlab_start_stack
)");

extern "C" void orderlab_start_stack();

namespace orderlab::simt {

void* new_context(std::byte* top, std::size_t, void (*body)(void*), void* argument) {
  auto** const stack = reinterpret_cast<void**>(top) - 3;  // a call has 8 bytes more than a multiple of 16
  stack[0] = reinterpret_cast<void*>(&orderlab_start_stack);
  stack[-1] = reinterpret_cast<void*>(body);  // rbp
  stack[-2] = argument;                       // rbx
  return stack - 6;
}

}  // namespace orderlab::simt

#else

#include <boost/context/detail/fcontext.hpp>

namespace orderlab::simt {
namespace {

namespace context = boost::context::detail;

/// What new stacks call. All those of one OS thread call the same.
struct Start {
  void (*body)(void*);
  void* argument;
};
thread_local Start start;

void begin(context::transfer_t transfer) {
  *static_cast<void**>(transfer.data) = transfer.fctx;
  start.body(start.argument);
}

}  // namespace

extern "C" void orderlab_switch_stack(void** left, void* to) {
  const context::transfer_t transfer = context::jump_fcontext(to, left);
  *static_cast<void**>(transfer.data) = transfer.fctx;
}

void* new_context(std::byte* top, std::size_t bytes, void (*body)(void*), void* argument) {
  start = {body, argument};
  return context::make_fcontext(top, bytes, &begin);
}

}  // namespace orderlab::simt

#endif
