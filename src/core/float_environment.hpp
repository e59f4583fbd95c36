// The floating-point environment that everything here is computed in, whatever the caller's is: round to nearest,
// subnormal numbers kept, no traps, x87 in its full precision. Every entrance sets it, and only here is it known how.
//
// An entrance is main(), the first function of a thread, a function that Python calls, and every function of a public
// header that computes with floating-point numbers, or reads or prints them. What a caller gives to be called, a Box or
// a function of Watch, runs in the caller's environment. What takes part in a computation, as kernels, stages and
// bodies of programs do, runs in this one, so that no result depends on the thread that it is computed on.
#pragma once

#include <cfenv>
#include <cstdint>
#include <functional>
#include <utility>

#include "orderlab/loop.hpp"

namespace orderlab {

#if defined(__x86_64__) || defined(__aarch64__)
/// What decides the results of instructions, and the exceptions that they have raised.
struct FloatRegisters {
  std::uint64_t control;  ///< MXCSR, and from bit 32 on the control word of x87; FPCR
  std::uint64_t raised;   ///< flags, likewise; FPSR
};
#else
struct FloatRegisters {
  std::fenv_t all;
};
#endif

/// While it lives, this thread computes in orderlab's environment. Afterwards the environment is what it was, with the
/// flags of exceptions.
///
/// Inside of another one only a task does anything: a part of a loop, on whose threads others may have set something,
/// or code of the user's, which may set something.
///
/// Cost: 3 ns inside of another one, else 20 ns where the environment is right already.
class FloatEnvironment {
 public:
  enum class Of : std::uint8_t { call, task };

  explicit FloatEnvironment(Of of = Of::call) noexcept;
  ~FloatEnvironment();
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  FloatRegisters before_;  ///< where it does anything
  bool outermost_;
  bool restores_;
};

/// While it lives, this thread computes in the environment that the outermost FloatEnvironment found. What the code in
/// between makes of it, by loading a library that sets it for instance, stays the caller's.
class CallersFloatEnvironment {
 public:
  CallersFloatEnvironment() noexcept;
  ~CallersFloatEnvironment();
  CallersFloatEnvironment(const CallersFloatEnvironment&) = delete;
  CallersFloatEnvironment& operator=(const CallersFloatEnvironment&) = delete;

 private:
  FloatRegisters* callers_;
};

/// What `work` returns, computed in orderlab's environment: for the initialisers of a constructor.
template <class Work>
auto in_float_environment(const Work& work) {
  const FloatEnvironment environment;
  return work();
}

/// Calls a function of the caller's in the caller's environment, if there is one.
template <class... Parameters, class... Arguments>
void call_back(const std::function<void(Parameters...)>& function, Arguments&&... arguments) {
  if (!function) return;
  const CallersFloatEnvironment environment;
  function(std::forward<Arguments>(arguments)...);
}

/// The same loop, whose parts are computed in orderlab's environment on any thread. `loop` has to outlive it.
Loop in_float_environment_each(const Loop& loop);

}  // namespace orderlab
