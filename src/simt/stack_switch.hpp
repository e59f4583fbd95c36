// Leaving one stack for another: own code for x86-64, Boost.Context elsewhere and where AddressSanitizer watches
// stacks. Boost's also keeps the control words of floating-point arithmetic, which no kernel changes; loading them
// takes half of a switch (bench: switches).
#pragma once

#include <cstddef>

namespace orderlab::simt {

/// Keeps in *left where the running stack goes on, and goes on at `context`.
extern "C" void orderlab_switch_stack(void** left, void* context);

/// A context that calls body(argument), which never returns, on the `bytes` bytes of stack that end at `top`, a
/// multiple of 16. All contexts of one OS thread have the same body and argument.
void* new_context(std::byte* top, std::size_t bytes, void (*body)(void*), void* argument);

}  // namespace orderlab::simt
