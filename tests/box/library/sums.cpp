// Functions that tests of library_box load: sums, and all that can go wrong in one. Not part of the program of tests.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace {

template <class T>
T sum_of(std::size_t n, const T* x) {
  T sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}

template <class T>
T dot_of(std::size_t n, const T* x, const T* y) {
  T sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

extern "C" {

float sum(std::size_t n, const float* x) { return sum_of(n, x); }
double sum64(std::size_t n, const double* x) { return sum_of(n, x); }
float dot(std::size_t n, const float* x, const float* y) { return dot_of(n, x, y); }

// BLAS in both conventions; the increments make a wrong call visible.
float c_dot(int n, const float* x, int step_x, const float* y, int step_y) {
  return step_x == 1 && step_y == 1 ? dot_of(static_cast<std::size_t>(n), x, y) : -1;
}
float fortran_dot_(const int* n, const float* x, const int* step_x, const float* y, const int* step_y) {
  return c_dot(*n, x, *step_x, y, *step_y);
}

// |x| in halves, and a BLAS of one array in both conventions.
float abs_halving(std::size_t n, const float* x) {
  return n == 1 ? (x[0] < 0 ? -x[0] : x[0]) : abs_halving(n / 2, x) + abs_halving(n - n / 2, x + n / 2);
}
float c_asum(int n, const float* x, int step) { return step == 1 ? abs_halving(static_cast<std::size_t>(n), x) : -1; }
float fortran_asum_(const int* n, const float* x, const int* step) { return c_asum(*n, x, *step); }

#ifdef __FLT16_MAX__
__extension__ typedef _Float16 Register16;
Register16 first16(std::size_t, const Register16* x) { return *x; }  // fp16 and, as its bits, bf16
float dot16(std::size_t n, const Register16* x, const Register16* y) {
  float sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<float>(x[i]) * static_cast<float>(y[i]);
  return sum;
}
#endif

float changing_sum(std::size_t n, float* x) {
  for (std::size_t i = 1; i < n; ++i) x[i] += x[i - 1];
  return x[n - 1];
}

// Elements from a multiple of 4096 bytes to x.
float offset_of(std::size_t, const float* x) {
  return static_cast<float>(reinterpret_cast<std::uintptr_t>(x) % 4096 / sizeof(float));
}

float threads_of(std::size_t, const float*) {
  const char* const threads = std::getenv("OMP_NUM_THREADS");
  return threads == nullptr ? 0 : static_cast<float>(std::atoi(threads));
}

// 1 where C writes a half with a point, plus 2 where C++ does.
float points_of(std::size_t, const float*) {
  char text[8];
  std::snprintf(text, sizeof text, "%.1f", 0.5);
  std::ostringstream stream;
  stream << 0.5;
  return static_cast<float>((std::strcmp(text, "0.5") == 0 ? 1 : 0) + (stream.str() == "0.5" ? 2 : 0));
}

// Leaves a daemon behind and gives its number, which is below 2^22.
float daemon_of(std::size_t, const float*) {
  int numbers[2];
  if (pipe(numbers) != 0) std::abort();
  if (fork() == 0) {
    setsid();
    const pid_t daemon = fork();
    if (daemon == 0)
      for (;;) pause();
    _exit(write(numbers[1], &daemon, sizeof daemon) == sizeof daemon ? 0 : 1);
  }
  pid_t daemon = 0;
  if (read(numbers[0], &daemon, sizeof daemon) != sizeof daemon) std::abort();
  close(numbers[0]);
  close(numbers[1]);
  return static_cast<float>(daemon);
}

float printing_sum(std::size_t n, const float* x) {
  for (const int file : {STDOUT_FILENO, STDERR_FILENO})
    if (write(file, "d\nd\nd\n", 6) != 6) std::abort();
  return sum_of(n, x);
}

float aborting_sum(std::size_t, const float*) { std::abort(); }
float faulting_sum(std::size_t, const float* x) { return *reinterpret_cast<const volatile float*>(x[0] > 0 ? 16 : 32); }
float throwing_sum(std::size_t, const float*) { throw std::runtime_error("no\nsum"); }
float exiting_sum(std::size_t, const float*) {
  constexpr char kText[] = "first\n\033[31mgiven up\n\n";  // and a 0 behind it
  if (write(STDERR_FILENO, kText, sizeof kText) != sizeof kText) std::abort();
  std::exit(3);
}
float hanging_sum(std::size_t, const float*) {
  for (;;) pause();
}
}
