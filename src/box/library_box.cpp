// Functions of shared libraries, loaded and called in a child. orderlab itself never loads them.
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string_view>

#include "box/one_line.hpp"
#include "box/served_box.hpp"
#include "core/float_environment.hpp"

namespace orderlab {

namespace {

enum class CallForm { sum, dot, c_blas, fortran_blas, c_blas_of_one, fortran_blas_of_one };

bool takes_two(CallForm form) {
  return form == CallForm::dot || form == CallForm::c_blas || form == CallForm::fortran_blas;
}

struct LibraryName {
  std::string file;
  std::string symbol;
  CallForm form = CallForm::sum;
  std::optional<Format> answers = {};  // that of the terms where it is empty
};

LibraryName parse_library(const std::string& text, bool one_array) {
  LibraryName name;
  std::string_view rest = text;
  const auto take_last = [&] {
    const std::size_t colon = rest.rfind(':');
    const std::string_view part = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    rest = rest.substr(0, colon == std::string_view::npos ? 0 : colon);
    return std::string(part);
  };
  std::string last = rest.ends_with(":dot") || rest.ends_with(":blas") ? take_last() : "";
  name.symbol = take_last();
  name.file = rest;
  if (name.file.empty() || name.symbol.empty() || name.file.size() > 4000 || name.symbol.size() > 4000)
    throw Error(ErrorKind::usage, one_line(text) + ": give FILE:SYMBOL, FILE:SYMBOL:dot or FILE:SYMBOL:blas");
  if (last == "dot") name.form = CallForm::dot;
  const bool fortran = name.symbol.ends_with('_');
  if (last == "blas" && one_array)
    name.form = fortran ? CallForm::fortran_blas_of_one : CallForm::c_blas_of_one;
  else if (last == "blas")
    name.form = fortran ? CallForm::fortran_blas : CallForm::c_blas;
  // The dynamic linker looks for a name without a folder elsewhere, not here.
  if (name.file.find('/') == std::string::npos && ::access(name.file.c_str(), F_OK) == 0) name.file = "./" + name.file;
  return name;
}

#ifdef __FLT16_MAX__
__extension__ using Register16 = _Float16;  // Returned in the same register as __bf16, which g++ 12 lacks.
#else
struct Register16 {};
#endif

template <class R, class T>
R call_library(CallForm form, void* symbol, std::size_t n, const T* x, const T* y) {
  const CallersFloatEnvironment environment;
  const int count = static_cast<int>(n);
  const int step = 1;
  switch (form) {
    case CallForm::dot:
      return reinterpret_cast<R (*)(std::size_t, const T*, const T*)>(symbol)(n, x, y);
    case CallForm::c_blas:
      return reinterpret_cast<R (*)(int, const T*, int, const T*, int)>(symbol)(count, x, step, y, step);
    case CallForm::fortran_blas:
      return reinterpret_cast<R (*)(const int*, const T*, const int*, const T*, const int*)>(symbol)(&count, x, &step,
                                                                                                     y, &step);
    case CallForm::c_blas_of_one:
      return reinterpret_cast<R (*)(int, const T*, int)>(symbol)(count, x, step);
    case CallForm::fortran_blas_of_one:
      return reinterpret_cast<R (*)(const int*, const T*, const int*)>(symbol)(&count, x, &step);
    default:
      return reinterpret_cast<R (*)(std::size_t, const T*)>(symbol)(n, x);
  }
}

// `as(type)` is given a null pointer of the type that C has for the format.
template <class As>
double with_c_type(Format format, As as) {
  if (format == Format::fp64) return as(static_cast<double*>(nullptr));
  if (format == Format::fp32) return as(static_cast<float*>(nullptr));
#ifdef __FLT16_MAX__
  return as(static_cast<Register16*>(nullptr));
#else
  return 0;
#endif
}

double call_in_formats(const CallShape& shape, Format answers, CallForm form, void* symbol, const void* x,
                       const void* y) {
  return with_c_type(shape.format, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    return with_c_type(answers, [&](auto* answer) {
      using R = std::remove_pointer_t<decltype(answer)>;
      const R result = call_library<R>(form, symbol, shape.n, static_cast<const T*>(x), static_cast<const T*>(y));
#ifdef __FLT16_MAX__
      if constexpr (std::is_same_v<R, Register16>) return value_of_bits(answers, std::bit_cast<std::uint16_t>(result));
#endif
      return static_cast<double>(result);
    });
  });
}

// All of this runs in the child.
class LibraryServer {
 public:
  LibraryServer(LibraryName name, const CallShape& shape, std::size_t offset, std::byte* memory, int control)
      : name_(std::move(name)), shape_(shape), offset_(offset), memory_(memory), control_(control) {}

  void serve() {
    void* const symbol = load();
    work_x_ = work_array();
    if (shape_.products) work_y_ = work_array();
    say(kDone, "");
    char message = 0;
    while (::recv(control_, &message, 1, 0) == 1) {
      try {
        call(symbol);
      } catch (const std::exception& thrown) {
        give_up(std::string("threw an exception: ") + thrown.what());
      } catch (...) {
        give_up("threw an exception");
      }
      say(kDone, "");
    }
  }

 private:
  // Its functions are called in the environment that it sets when it is loaded, if it does.
  void* loaded() const {
    const CallersFloatEnvironment environment;
    return ::dlopen(name_.file.c_str(), RTLD_NOW | RTLD_LOCAL);
  }

  void* load() const {
    void* const library = loaded();
    if (library == nullptr) {
      const char* const reason = ::dlerror();
      const std::string text = reason == nullptr ? "" : reason;
      if (text == name_.file + ": cannot open shared object file: No such file or directory")
        give_up("no such file, neither here nor where the dynamic linker looks");
      give_up("not a library that can be loaded: " + text);
    }
    void* const symbol = ::dlsym(library, name_.symbol.c_str());
    if (symbol == nullptr) give_up("no symbol " + name_.symbol + " in it; a function of C++ has to be extern \"C\"");
    return symbol;
  }

  std::byte* work_array() const {
    const std::size_t before = offset_ * shape_.number_bytes();
    const std::size_t bytes = (before + shape_.array_bytes() + kArrays - 1) / kArrays * kArrays;
    void* const data = std::aligned_alloc(kArrays, bytes);
    if (data == nullptr) give_up("not enough memory for its input");
    return static_cast<std::byte*>(data) + before;
  }

  // A fresh copy a call: a library may change it, and takes nothing of the last call from its address.
  void call(void* symbol) {
    const std::size_t bytes = shape_.array_bytes();
    const std::byte* const x = memory_ + kArrays;
    const std::byte* const y = memory_ + y_begin(shape_);
    std::memcpy(work_x_, x, bytes);
    if (shape_.products) std::memcpy(work_y_, y, bytes);
    const double result =
        call_in_formats(shape_, name_.answers.value_or(shape_.format), name_.form, symbol, work_x_, work_y_);
    auto* const header = reinterpret_cast<CallHeader*>(memory_);
    header->results[0] = result;
    if (std::memcmp(work_x_, x, bytes) != 0 || (shape_.products && std::memcmp(work_y_, y, bytes) != 0))
      header->changed = 1;
  }

  void say(char what, const std::string& text) const {
    constexpr std::size_t kLongest = 4000;
    const std::string message = what + text.substr(0, kLongest);
    ::send(control_, message.data(), message.size(), MSG_NOSIGNAL);
  }

  [[noreturn]] void give_up(const std::string& problem) const {
    say(kProblem, problem);
    ::_exit(1);
  }

  LibraryName name_;
  CallShape shape_;
  std::size_t offset_;
  std::byte* memory_;
  int control_;
  std::byte* work_x_ = nullptr;
  std::byte* work_y_ = nullptr;
};

class LibraryBox final : public ServedBox {
 public:
  LibraryBox(const std::string& text, LibraryName name, const BoxLimits& limits, const BoxSetting& setting)
      : ServedBox(text, limits, setting, takes_two(name.form)), name_(std::move(name)) {}

 private:
  ChildSetup server(std::byte* memory) final {
    ChildSetup setup;
    setup.call = [this, memory] { LibraryServer(name_, shape(), setting().offset, memory, kControl).serve(); };
    return setup;
  }

  LibraryName name_;
};

}  // namespace

BoxMaker library_box(const std::string& library, const BoxLimits& limits, bool one_array,
                     std::optional<Format> answers) {
  LibraryName name = parse_library(library, one_array);
  name.answers = answers;
  const auto make = [=](const BoxSetting& setting) -> std::unique_ptr<Box> {
    const bool blas = name.form != CallForm::sum && name.form != CallForm::dot;
    if (blas && setting.n > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw Error(ErrorKind::usage, one_line(library) + ": n of a BLAS is an int, at most 2147483647");
#ifndef __FLT16_MAX__
    if (info(setting.format).bits == 16 || info(name.answers.value_or(setting.format)).bits == 16)
      throw Error(ErrorKind::unsupported, one_line(library) + ": formats of 16 bits need a compiler with _Float16");
#endif
    return std::make_unique<LibraryBox>(library, name, limits, setting);
  };
  return {library, takes_two(name.form), make, "library"};
}

}  // namespace orderlab
