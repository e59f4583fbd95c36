// Thrust on a simulated GPU: what all of its headers include. Algorithms on device memory are kernels, sums of
// which add as thrust::reduce and cub::DeviceScan do (orderlab/library_on_gpu.hpp); on host memory they are the
// standard library's. Long, as it is the list of Thrust's names.
//
// Sorts, searches and what keeps some of the values are done on the host, on values that a kernel reads and writes
// back: functions that such an algorithm calls must not use device memory.
#pragma once

#include <algorithm>
#include <complex>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <source_location>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../cuda_runtime.h"
#include "orderlab/library_on_gpu.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are Thrust's
#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()
namespace thrust {

namespace gpu = orderlab::host_program;
using std::ptrdiff_t;

// ---- Functions
template <class T = void>
using plus = std::plus<T>;
template <class T = void>
using minus = std::minus<T>;
template <class T = void>
using multiplies = std::multiplies<T>;
template <class T = void>
using divides = std::divides<T>;
template <class T = void>
using modulus = std::modulus<T>;
template <class T = void>
using negate = std::negate<T>;
template <class T = void>
using less = std::less<T>;
template <class T = void>
using less_equal = std::less_equal<T>;
template <class T = void>
using greater = std::greater<T>;
template <class T = void>
using greater_equal = std::greater_equal<T>;
template <class T = void>
using equal_to = std::equal_to<T>;
template <class T = void>
using not_equal_to = std::not_equal_to<T>;
template <class T = void>
using logical_and = std::logical_and<T>;
template <class T = void>
using logical_or = std::logical_or<T>;
template <class T = void>
using logical_not = std::logical_not<T>;
template <class T = void>
using bit_and = std::bit_and<T>;
template <class T = void>
using bit_or = std::bit_or<T>;
template <class T = void>
using bit_xor = std::bit_xor<T>;
template <class T = void>
struct maximum {
  constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <class T = void>
struct minimum {
  constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <>
struct maximum<void> {
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const {
    return a < b ? b : a;
  }
};
template <>
struct minimum<void> {
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const {
    return b < a ? b : a;
  }
};
template <class T = void>
struct identity {
  template <class A>
  constexpr A operator()(const A& a) const {
    return a;
  }
};
template <class T>
struct square {
  constexpr T operator()(const T& a) const { return a * a; }
};
template <class A, class R>
struct unary_function {
  using argument_type = A;
  using result_type = R;
};
template <class A, class B, class R>
struct binary_function {
  using first_argument_type = A;
  using second_argument_type = B;
  using result_type = R;
};
template <class F>
auto not1(F f) {
  return std::not_fn(f);
}

template <class... T>
using tuple = std::tuple<T...>;
template <class A, class B>
using pair = std::pair<A, B>;
using std::get;
using std::make_pair;
using std::make_tuple;
using std::tie;
using std::tuple_element;
using std::tuple_size;
template <class T>
using complex = std::complex<T>;

/// Functions written with _1 and _2.
namespace placeholders {
template <class F>
struct Expression {
  F function;
  template <class... V>
  auto operator()(const V&... values) const {
    return function(values...);
  }
};
template <class F>
Expression(F) -> Expression<F>;
struct First {
  template <class A, class... V>
  A operator()(const A& a, const V&...) const {
    return a;
  }
};
struct Second {
  template <class A, class B>
  B operator()(const A&, const B& b) const {
    return b;
  }
};
inline constexpr Expression<First> _1{};
inline constexpr Expression<Second> _2{};
template <class F, class... V>
auto value_in(const Expression<F>& e, const V&... v) {
  return e(v...);
}
template <class T, class... V>
T value_in(const T& constant, const V&...) {
  return constant;
}
template <class T>
inline constexpr bool is_expression = false;
template <class F>
inline constexpr bool is_expression<Expression<F>> = true;
#define ORDERLAB_PLACEHOLDER(SIGN)                                                                 \
  template <class A, class B>                                                                      \
  requires(is_expression<A> || is_expression<B>) auto operator SIGN(A a, B b) {                    \
    return Expression{[=](const auto&... v) { return value_in(a, v...) SIGN value_in(b, v...); }}; \
  }
ORDERLAB_PLACEHOLDER(+)
ORDERLAB_PLACEHOLDER(-)
ORDERLAB_PLACEHOLDER(*)
ORDERLAB_PLACEHOLDER(/)
ORDERLAB_PLACEHOLDER(%)
ORDERLAB_PLACEHOLDER(<)
ORDERLAB_PLACEHOLDER(>)
ORDERLAB_PLACEHOLDER(<=)
ORDERLAB_PLACEHOLDER(>=)
ORDERLAB_PLACEHOLDER(==)
ORDERLAB_PLACEHOLDER(!=)
ORDERLAB_PLACEHOLDER(&&)
ORDERLAB_PLACEHOLDER(||)
#undef ORDERLAB_PLACEHOLDER
}  // namespace placeholders

// ---- Where an algorithm runs
struct orderlab_policy {
  cudaStream_t stream = nullptr;
};
struct host_execution_policy : orderlab_policy {
  template <class... A>
  auto operator()(const A&...) const {
    return *this;
  }
};
struct device_execution_policy : orderlab_policy {
  template <class... A>
  auto operator()(const A&...) const {
    return *this;
  }
  device_execution_policy on(cudaStream_t queue) const {
    device_execution_policy other = *this;
    other.stream = queue;
    return other;
  }
};
inline constexpr host_execution_policy host;
inline constexpr host_execution_policy seq;
inline constexpr device_execution_policy device;
struct host_system_tag : host_execution_policy {};
struct device_system_tag : device_execution_policy {};
namespace cuda {
inline constexpr device_execution_policy par;
inline constexpr device_execution_policy par_nosync;
}  // namespace cuda
namespace system::cuda {
inline constexpr device_execution_policy par;
}
namespace omp {
inline constexpr host_execution_policy par;
}
template <class P>
concept orderlab_is_policy = std::is_base_of_v<orderlab_policy, P>;

// ---- Pointers and references to device memory
template <class T>
class device_ptr;

/// A number in device memory, which the host reads and writes by copies.
template <class T>
class device_reference {
  using Value = std::remove_cv_t<T>;

 public:
  explicit device_reference(T* p) : p_(p) {}
  device_reference(const device_reference&) = default;
  operator Value() const { return read(); }
  const device_reference& operator=(const Value& value) const {
    const std::source_location where = std::source_location::current();
    if (orderlab::simt::in_kernel())
      *p_ = value;
    else
      gpu::copy((void*)p_, &value, sizeof value, gpu::Direction::host_to_device, gpu::NumberType::bytes, where);
    return *this;
  }
  const device_reference& operator=(const device_reference& other) const { return *this = other.read(); }
  template <class A>
  const device_reference& operator+=(const A& a) const {
    return *this = read() + a;
  }
  template <class A>
  const device_reference& operator-=(const A& a) const {
    return *this = read() - a;
  }
  template <class A>
  const device_reference& operator*=(const A& a) const {
    return *this = read() * a;
  }
  template <class A>
  const device_reference& operator/=(const A& a) const {
    return *this = read() / a;
  }
  const device_reference& operator++() const { return *this += 1; }
  device_ptr<T> operator&() const { return device_ptr<T>(p_); }
  friend std::ostream& operator<<(std::ostream& stream, const device_reference& r) { return stream << r.read(); }

 private:
  Value read() const {
    if (orderlab::simt::in_kernel()) return *p_;
    Value value;
    gpu::copy(&value, (const void*)p_, sizeof value, gpu::Direction::device_to_host, gpu::number_type<Value>(),
              std::source_location::current());
    return value;
  }
  T* p_;
};

/// What random-access iterators have beside operator[] and a place.
#define ORDERLAB_ITERATOR(NAME, PLACE)                                                                 \
  using difference_type = ptrdiff_t;                                                                   \
  using iterator_category = std::random_access_iterator_tag;                                           \
  using pointer = void;                                                                                \
  decltype(auto) operator*() const { return (*this)[0]; }                                              \
  NAME operator+(ptrdiff_t i) const {                                                                  \
    NAME other = *this;                                                                                \
    return other += i;                                                                                 \
  }                                                                                                    \
  friend NAME operator+(ptrdiff_t i, const NAME& a) { return a + i; }                                  \
  NAME operator-(ptrdiff_t i) const { return *this + -i; }                                             \
  NAME& operator-=(ptrdiff_t i) { return *this += -i; }                                                \
  NAME& operator++() { return *this += 1; }                                                            \
  NAME& operator--() { return *this += -1; }                                                           \
  NAME operator++(int) {                                                                               \
    NAME old = *this;                                                                                  \
    *this += 1;                                                                                        \
    return old;                                                                                        \
  }                                                                                                    \
  ptrdiff_t operator-(const NAME& other) const { return static_cast<ptrdiff_t>(PLACE - other.PLACE); } \
  bool operator==(const NAME& other) const { return PLACE == other.PLACE; }                            \
  bool operator!=(const NAME& other) const { return !(*this == other); }                               \
  bool operator<(const NAME& other) const { return *this - other < 0; }

template <class T>
class device_ptr {
 public:
  using value_type = std::remove_cv_t<T>;
  using element_type = T;
  using reference = device_reference<T>;
  device_ptr() = default;
  device_ptr(std::nullptr_t) {}
  explicit device_ptr(T* p) : p_(p) {}
  template <class U>
  requires(std::is_convertible_v<U*, T*>) device_ptr(const device_ptr<U>& other) : p_(other.get()) {}
  T* get() const { return p_; }
  reference operator[](ptrdiff_t i) const { return reference(p_ + i); }
  device_ptr& operator+=(ptrdiff_t i) {
    p_ += i;
    return *this;
  }
  explicit operator bool() const { return p_ != nullptr; }
  ORDERLAB_ITERATOR(device_ptr, p_)

 private:
  T* p_ = nullptr;
};
template <class T>
device_ptr<T> device_pointer_cast(T* p) {
  return device_ptr<T>(p);
}
template <class T>
device_ptr<T> device_pointer_cast(const device_ptr<T>& p) {
  return p;
}
template <class T>
T* raw_pointer_cast(T* p) {
  return p;
}
template <class T>
T* raw_pointer_cast(const device_ptr<T>& p) {
  return p.get();
}
template <class T>
T& raw_reference_cast(T& value) {
  return value;
}
template <class T>
T& raw_reference_cast(const device_reference<T>& r) {
  return *(&r).get();
}
template <class T>
device_ptr<T> device_malloc(std::size_t count, ORDERLAB_WHERE) {
  return device_ptr<T>(static_cast<T*>(gpu::allocate(count * sizeof(T), gpu::Memory::device, where)));
}
template <class T>
void device_free(const device_ptr<T>& p, ORDERLAB_WHERE) {
  gpu::release((void*)p.get(), where);
}

// ---- Iterators
template <class T, class = void, class = void, class = void>
class counting_iterator {
 public:
  using value_type = T;
  using reference = T;
  counting_iterator() = default;
  explicit counting_iterator(T value) : value_(value) {}
  T operator[](ptrdiff_t i) const { return static_cast<T>(value_ + static_cast<T>(i)); }
  counting_iterator& operator+=(ptrdiff_t i) {
    value_ = (*this)[i];
    return *this;
  }
  ORDERLAB_ITERATOR(counting_iterator, value_)

 private:
  T value_{};
};
template <class T>
counting_iterator<T> make_counting_iterator(T value) {
  return counting_iterator<T>(value);
}

template <class T, class = void, class = void>
class constant_iterator {
 public:
  using value_type = T;
  using reference = T;
  explicit constant_iterator(T value, ptrdiff_t at = 0) : value_(value), at_(at) {}
  T operator[](ptrdiff_t) const { return value_; }
  constant_iterator& operator+=(ptrdiff_t i) {
    at_ += i;
    return *this;
  }
  ORDERLAB_ITERATOR(constant_iterator, at_)

 private:
  T value_;
  ptrdiff_t at_;
};
template <class T>
constant_iterator<T> make_constant_iterator(T value) {
  return constant_iterator<T>(value);
}

class discard_iterator {
 public:
  struct Sink {
    template <class T>
    const Sink& operator=(const T&) const {
      return *this;
    }
  };
  using value_type = Sink;
  using reference = Sink;
  explicit discard_iterator(ptrdiff_t at = 0) : at_(at) {}
  Sink operator[](ptrdiff_t) const { return {}; }
  discard_iterator& operator+=(ptrdiff_t i) {
    at_ += i;
    return *this;
  }
  ORDERLAB_ITERATOR(discard_iterator, at_)

 private:
  ptrdiff_t at_;
};
inline discard_iterator make_discard_iterator() { return discard_iterator(); }

template <class F, class I, class = void, class = void>
class transform_iterator {
 public:
  using reference = std::invoke_result_t<F, decltype(std::declval<const I&>()[0])>;
  using value_type = std::remove_cvref_t<reference>;
  explicit transform_iterator(I base, F function = F()) : base_(base), function_(function) {}
  decltype(auto) operator[](ptrdiff_t i) const { return function_(base_[i]); }
  transform_iterator& operator+=(ptrdiff_t i) {
    base_ += i;
    return *this;
  }
  const I& base() const { return base_; }
  const F& functor() const { return function_; }
  ORDERLAB_ITERATOR(transform_iterator, base_)

 private:
  I base_;
  F function_;
};
template <class F, class I>
transform_iterator<F, I> make_transform_iterator(I base, F function) {
  return transform_iterator<F, I>(base, function);
}

template <class Elements, class Map>
class permutation_iterator {
 public:
  using reference = decltype(std::declval<const Elements&>()[0]);
  using value_type = typename std::iterator_traits<Elements>::value_type;
  permutation_iterator(Elements elements, Map map) : elements_(elements), map_(map) {}
  decltype(auto) operator[](ptrdiff_t i) const { return elements_[map_[i]]; }
  permutation_iterator& operator+=(ptrdiff_t i) {
    map_ += i;
    return *this;
  }
  const Elements& elements() const { return elements_; }
  const Map& map() const { return map_; }
  ORDERLAB_ITERATOR(permutation_iterator, map_)

 private:
  Elements elements_;
  Map map_;
};
template <class Elements, class Map>
permutation_iterator<Elements, Map> make_permutation_iterator(Elements elements, Map map) {
  return {elements, map};
}

template <class Tuple>
class zip_iterator;
template <class... I>
class zip_iterator<std::tuple<I...>> {
 public:
  using value_type = std::tuple<typename std::iterator_traits<I>::value_type...>;
  using reference = std::tuple<decltype(std::declval<const I&>()[0])...>;
  explicit zip_iterator(std::tuple<I...> iterators) : iterators_(iterators) {}
  reference operator[](ptrdiff_t i) const {
    return std::apply([i](const auto&... each) { return reference(each[i]...); }, iterators_);
  }
  zip_iterator& operator+=(ptrdiff_t i) {
    std::apply([i](auto&... each) { ((each += i), ...); }, iterators_);
    return *this;
  }
  const std::tuple<I...>& get_iterator_tuple() const { return iterators_; }
  ptrdiff_t place() const { return 0; }
  using difference_type = ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  using pointer = void;
  reference operator*() const { return (*this)[0]; }
  zip_iterator operator+(ptrdiff_t i) const {
    zip_iterator other = *this;
    return other += i;
  }
  zip_iterator& operator++() { return *this += 1; }
  ptrdiff_t operator-(const zip_iterator& other) const {
    return static_cast<ptrdiff_t>(std::get<0>(iterators_) - std::get<0>(other.iterators_));
  }
  bool operator==(const zip_iterator& other) const { return *this - other == 0; }
  bool operator!=(const zip_iterator& other) const { return !(*this == other); }

 private:
  std::tuple<I...> iterators_;
};
template <class... I>
zip_iterator<std::tuple<I...>> make_zip_iterator(const std::tuple<I...>& iterators) {
  return zip_iterator<std::tuple<I...>>(iterators);
}
template <class... I>
requires(sizeof...(I) > 1) zip_iterator<std::tuple<I...>> make_zip_iterator(I... iterators) {
  return zip_iterator<std::tuple<I...>>(std::tuple<I...>(iterators...));
}
template <class F>
struct zip_function {
  F function;
  template <class Tuple>
  decltype(auto) operator()(Tuple&& values) const {
    return std::apply(function, values);
  }
};
template <class F>
zip_function<F> make_zip_function(F function) {
  return {function};
}

// ---- Iterators as kernels use them: pointers in place of device_ptr
namespace orderlab_detail {
template <class I>
struct OnGpu {
  static constexpr bool kIsDevice = false;
  static I of(const I& i) { return i; }
};
template <class T>
struct OnGpu<device_ptr<T>> {
  static constexpr bool kIsDevice = true;
  static T* of(const device_ptr<T>& p) { return p.get(); }
};
template <class F, class I>
struct OnGpu<transform_iterator<F, I>> {
  static constexpr bool kIsDevice = OnGpu<I>::kIsDevice;
  static auto of(const transform_iterator<F, I>& i) {
    return transform_iterator<F, decltype(OnGpu<I>::of(i.base()))>(OnGpu<I>::of(i.base()), i.functor());
  }
};
template <class E, class M>
struct OnGpu<permutation_iterator<E, M>> {
  static constexpr bool kIsDevice = OnGpu<E>::kIsDevice;
  static auto of(const permutation_iterator<E, M>& i) {
    return make_permutation_iterator(OnGpu<E>::of(i.elements()), OnGpu<M>::of(i.map()));
  }
};
template <class... I>
struct OnGpu<zip_iterator<std::tuple<I...>>> {
  static constexpr bool kIsDevice = (OnGpu<I>::kIsDevice || ...);
  static auto of(const zip_iterator<std::tuple<I...>>& zip) {
    return std::apply([](const auto&... each) { return make_zip_iterator(std::make_tuple(on_gpu(each)...)); },
                      zip.get_iterator_tuple());
  }
  template <class J>
  static auto on_gpu(const J& i) {
    return OnGpu<J>::of(i);
  }
};
template <class I>
auto on_gpu(const I& i) {
  return OnGpu<I>::of(i);
}
template <class... I>
inline constexpr bool any_device = (OnGpu<I>::kIsDevice || ...);
template <class P>
inline constexpr bool is_device_policy = std::is_base_of_v<device_execution_policy, P>;
template <class... I>
auto policy_of() {
  if constexpr (any_device<I...>)
    return device_execution_policy();
  else
    return host_execution_policy();
}
/// Device memory through iterators of a vector: no pointer to CUB, which then loads no four neighbours at a time.
template <class T>
struct Numbers {
  T* data;
  T& operator[](ptrdiff_t i) const { return data[i]; }
};
template <class I>
auto summed(const I& i) {
  return on_gpu(i);
}
template <class T>
Numbers<T> summed(const device_ptr<T>& p) {
  return {p.get()};
}
template <class I>
using value_of = typename std::iterator_traits<I>::value_type;
template <class I>
auto values(std::string_view name, const I& first, std::size_t n, const gpu::LibraryCall& call) {
  return gpu::gathered(name, on_gpu(first), n, call);
}
/// Calls body(i) for i < n where the policy says.
template <class P, class Body>
void loop(P policy, std::string_view name, ptrdiff_t n, const std::source_location& where, const Body& body) {
  if constexpr (is_device_policy<P>)
    gpu::for_each_index(name, static_cast<std::size_t>(n), {where, policy.stream}, body);
  else
    for (ptrdiff_t i = 0; i < n; ++i) body(static_cast<std::size_t>(i));
}
}  // namespace orderlab_detail
namespace od = orderlab_detail;

template <class I>
ptrdiff_t distance(I first, I last) {
  return last - first;
}
template <class I>
void advance(I& i, ptrdiff_t n) {
  i += n;
}
template <class I>
I next(I i, ptrdiff_t n = 1) {
  return i + n;
}
template <class I>
I prev(I i, ptrdiff_t n = 1) {
  return i - n;
}

// ---- Vectors
template <class T>
class device_vector;

template <class T, class = std::allocator<T>>
class host_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  host_vector() = default;
  host_vector(const std::vector<T>& other) : std::vector<T>(other) {}
  template <class U>
  host_vector(const device_vector<U>& other, ORDERLAB_WHERE) : std::vector<T>(other.size()) {
    take(other, where);
  }
  template <class I>
  requires(od::any_device<I>) host_vector(I first, I last, ORDERLAB_WHERE) : std::vector<T>(last - first) {
    const auto values = od::values("thrust::copy", first, this->size(), where);
    std::copy(values.begin(), values.end(), this->begin());
  }
  template <class U>
  host_vector& operator=(const device_vector<U>& other) {
    this->resize(other.size());
    take(other, std::source_location::current());
    return *this;
  }

 private:
  template <class U>
  void take(const device_vector<U>& other, const std::source_location& where) {
    std::vector<U> values(other.size());
    gpu::copy(values.data(), other.data().get(), values.size() * sizeof(U), gpu::Direction::device_to_host,
              gpu::number_type<U>(), where);
    std::copy(values.begin(), values.end(), this->begin());
  }
};

template <class T>
class device_vector {
 public:
  using value_type = T;
  using iterator = device_ptr<T>;
  using const_iterator = device_ptr<const T>;
  using pointer = device_ptr<T>;
  using reference = device_reference<T>;
  using size_type = std::size_t;

  device_vector() = default;
  explicit device_vector(std::size_t n, ORDERLAB_WHERE) { assign_values(std::vector<T>(n), where); }
  device_vector(std::size_t n, const T& value, ORDERLAB_WHERE) { assign_values(std::vector<T>(n, value), where); }
  device_vector(const device_vector& other) { *this = other; }
  device_vector(device_vector&& other) noexcept { swap(other); }
  template <class U, class A>
  device_vector(const std::vector<U, A>& values, ORDERLAB_WHERE) {
    assign_values(std::vector<T>(values.begin(), values.end()), where);
  }
  device_vector(std::initializer_list<T> values, ORDERLAB_WHERE) { assign_values(values, where); }
  template <class I>
  requires(!std::is_arithmetic_v<I>) device_vector(I first, I last, ORDERLAB_WHERE) {
    if constexpr (od::any_device<I>)
      assign_values(od::values("thrust::copy", first, static_cast<std::size_t>(last - first), where), where);
    else
      assign_values(std::vector<T>(first, last), where);
  }
  ~device_vector() { clear_memory(); }

  device_vector& operator=(const device_vector& other) {
    if (this == &other) return *this;
    make_room(other.size_, std::source_location::current());
    gpu::copy(data_, other.data_, size_ * sizeof(T), gpu::Direction::device_to_device, gpu::NumberType::bytes,
              std::source_location::current());
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class U, class A>
  device_vector& operator=(const std::vector<U, A>& values) {
    assign_values(std::vector<T>(values.begin(), values.end()), std::source_location::current());
    return *this;
  }
  template <class I>
  void assign(I first, I last) {
    *this = device_vector(first, last);
  }
  void assign(std::size_t n, const T& value) { *this = device_vector(n, value); }

  iterator begin() { return iterator(data_); }
  iterator end() { return iterator(data_ + size_); }
  const_iterator begin() const { return const_iterator(data_); }
  const_iterator end() const { return const_iterator(data_ + size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  pointer data() { return pointer(data_); }
  device_ptr<const T> data() const { return device_ptr<const T>(data_); }
  reference operator[](std::size_t i) { return reference(data_ + i); }
  device_reference<const T> operator[](std::size_t i) const { return device_reference<const T>(data_ + i); }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[size_ - 1]; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return size_; }
  bool empty() const { return size_ == 0; }
  void reserve(std::size_t) {}
  void shrink_to_fit() {}
  void clear() { clear_memory(); }
  void resize(std::size_t n, const T& value = T(), ORDERLAB_WHERE) {
    std::vector<T> kept = host_values(where);
    kept.resize(n, value);
    assign_values(kept, where);
  }
  void push_back(const T& value) { resize(size_ + 1, value); }
  void pop_back() { resize(size_ - 1); }
  iterator erase(iterator first, iterator last) {
    const ptrdiff_t at = first - begin();
    const ptrdiff_t count = last - first;
    std::vector<T> kept = host_values(std::source_location::current());
    kept.erase(kept.begin() + at, kept.begin() + at + count);
    assign_values(kept, std::source_location::current());
    return begin() + at;
  }
  void swap(device_vector& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  friend void swap(device_vector& a, device_vector& b) noexcept { a.swap(b); }
  friend bool operator==(const device_vector& a, const device_vector& b) {
    const std::source_location where = std::source_location::current();
    return a.host_values(where) == b.host_values(where);
  }

 private:
  std::vector<T> host_values(const std::source_location& where) const {
    return size_ == 0 ? std::vector<T>() : gpu::gathered("thrust::copy", (const T*)data_, size_, where);
  }
  void clear_memory() {
    if (data_ != nullptr) gpu::release(data_, std::source_location::current());
    data_ = nullptr;
    size_ = 0;
  }
  void make_room(std::size_t n, const std::source_location& where) {
    if (n == size_) return;
    clear_memory();
    if (n == 0) return;
    data_ = static_cast<T*>(gpu::allocate(n * sizeof(T), gpu::Memory::device, where));
    if (data_ == nullptr) throw std::bad_alloc();
    size_ = n;
  }
  void assign_values(const std::vector<T>& values, const std::source_location& where) {
    make_room(values.size(), where);
    if constexpr (std::is_same_v<T, bool>)
      gpu::scatter("thrust::copy", values, data_, where);
    else
      gpu::copy(data_, values.data(), size_ * sizeof(T), gpu::Direction::host_to_device, gpu::NumberType::bytes, where);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};
template <class T>
using universal_vector = device_vector<T>;

// ---- Algorithms: each with a policy in front, and without one, where the iterators say where it runs
#define ORDERLAB_DEFAULT_2(NAME, ...)                                    \
  template <class A, class B>                                            \
  requires(!orderlab_is_policy<A>) auto NAME(A a, B b, ORDERLAB_WHERE) { \
    return thrust::NAME(od::policy_of<__VA_ARGS__>(), a, b, where);      \
  }
#define ORDERLAB_DEFAULT_3(NAME, ...)                                         \
  template <class A, class B, class C>                                        \
  requires(!orderlab_is_policy<A>) auto NAME(A a, B b, C c, ORDERLAB_WHERE) { \
    return thrust::NAME(od::policy_of<__VA_ARGS__>(), a, b, c, where);        \
  }
#define ORDERLAB_DEFAULT_4(NAME, ...)                                              \
  template <class A, class B, class C, class D>                                    \
  requires(!orderlab_is_policy<A>) auto NAME(A a, B b, C c, D d, ORDERLAB_WHERE) { \
    return thrust::NAME(od::policy_of<__VA_ARGS__>(), a, b, c, d, where);          \
  }
#define ORDERLAB_DEFAULT_5(NAME, ...)                                                   \
  template <class A, class B, class C, class D, class E>                                \
  requires(!orderlab_is_policy<A>) auto NAME(A a, B b, C c, D d, E e, ORDERLAB_WHERE) { \
    return thrust::NAME(od::policy_of<__VA_ARGS__>(), a, b, c, d, e, where);            \
  }
#define ORDERLAB_DEFAULT_6(NAME, ...)                                                        \
  template <class A, class B, class C, class D, class E, class F>                            \
  requires(!orderlab_is_policy<A>) auto NAME(A a, B b, C c, D d, E e, F f, ORDERLAB_WHERE) { \
    return thrust::NAME(od::policy_of<__VA_ARGS__>(), a, b, c, d, e, f, where);              \
  }

template <orderlab_is_policy P, class I, class F>
I for_each(P policy, I first, I last, F f, ORDERLAB_WHERE) {
  const auto in = od::on_gpu(first);
  od::loop(policy, "thrust::for_each", last - first, where, [=](std::size_t i) { f(in[i]); });
  return last;
}
ORDERLAB_DEFAULT_3(for_each, A)
template <orderlab_is_policy P, class I, class N, class F>
I for_each_n(P policy, I first, N n, F f, ORDERLAB_WHERE) {
  return thrust::for_each(policy, first, first + n, f, where);
}
ORDERLAB_DEFAULT_3(for_each_n, A)

template <orderlab_is_policy P, class I, class T>
void fill(P policy, I first, I last, T value, ORDERLAB_WHERE) {
  const auto out = od::on_gpu(first);
  const typename std::iterator_traits<I>::value_type filled(value);
  od::loop(policy, "thrust::fill", last - first, where, [=](std::size_t i) { out[i] = filled; });
}
ORDERLAB_DEFAULT_3(fill, A)
template <orderlab_is_policy P, class I, class N, class T>
I fill_n(P policy, I first, N n, T value, ORDERLAB_WHERE) {
  thrust::fill(policy, first, first + n, value, where);
  return first + n;
}
ORDERLAB_DEFAULT_3(fill_n, A)

template <orderlab_is_policy P, class I, class T, class S>
void sequence(P policy, I first, I last, T start, S step, ORDERLAB_WHERE) {
  const auto out = od::on_gpu(first);
  using V = od::value_of<I>;
  od::loop(policy, "thrust::sequence", last - first, where,
           [=](std::size_t i) { out[i] = static_cast<V>(start + static_cast<V>(i) * step); });
}
template <orderlab_is_policy P, class I, class T>
void sequence(P policy, I first, I last, T start, ORDERLAB_WHERE) {
  thrust::sequence(policy, first, last, start, od::value_of<I>(1), where);
}
template <orderlab_is_policy P, class I>
void sequence(P policy, I first, I last, ORDERLAB_WHERE) {
  thrust::sequence(policy, first, last, od::value_of<I>(0), od::value_of<I>(1), where);
}
ORDERLAB_DEFAULT_2(sequence, A)
ORDERLAB_DEFAULT_3(sequence, A)
ORDERLAB_DEFAULT_4(sequence, A)

template <orderlab_is_policy P, class I, class F>
void tabulate(P policy, I first, I last, F f, ORDERLAB_WHERE) {
  const auto out = od::on_gpu(first);
  od::loop(policy, "thrust::tabulate", last - first, where,
           [=](std::size_t i) { out[i] = f(static_cast<ptrdiff_t>(i)); });
}
ORDERLAB_DEFAULT_3(tabulate, A)
/// A generator is a copy in each thread on the GPU, as in Thrust.
template <orderlab_is_policy P, class I, class F>
void generate(P policy, I first, I last, F f, ORDERLAB_WHERE) {
  if constexpr (od::is_device_policy<P>) {
    const auto out = od::on_gpu(first);
    gpu::for_each_index("thrust::generate", static_cast<std::size_t>(last - first), {where, policy.stream},
                        [=](std::size_t i) {
                          F own = f;
                          out[i] = own();
                        });
  } else {
    std::generate(first, last, f);
  }
}
ORDERLAB_DEFAULT_3(generate, A)

template <orderlab_is_policy P, class I, class O, class F>
O transform(P policy, I first, I last, O result, F f, ORDERLAB_WHERE) {
  const auto in = od::on_gpu(first);
  const auto out = od::on_gpu(result);
  od::loop(policy, "thrust::transform", last - first, where, [=](std::size_t i) { out[i] = f(in[i]); });
  return result + (last - first);
}
template <orderlab_is_policy P, class I, class J, class O, class F>
O transform(P policy, I first, I last, J other, O result, F f, ORDERLAB_WHERE) {
  const auto a = od::on_gpu(first);
  const auto b = od::on_gpu(other);
  const auto out = od::on_gpu(result);
  od::loop(policy, "thrust::transform", last - first, where, [=](std::size_t i) { out[i] = f(a[i], b[i]); });
  return result + (last - first);
}
ORDERLAB_DEFAULT_4(transform, A, C)
ORDERLAB_DEFAULT_5(transform, A, C, D)
template <orderlab_is_policy P, class I, class S, class O, class F, class Q>
O transform_if(P policy, I first, I last, S stencil, O result, F f, Q chosen, ORDERLAB_WHERE) {
  const auto in = od::on_gpu(first);
  const auto choice = od::on_gpu(stencil);
  const auto out = od::on_gpu(result);
  od::loop(policy, "thrust::transform_if", last - first, where, [=](std::size_t i) {
    if (chosen(choice[i])) out[i] = f(in[i]);
  });
  return result + (last - first);
}
ORDERLAB_DEFAULT_6(transform_if, A, D)
template <orderlab_is_policy P, class I, class Q, class T>
void replace_if(P policy, I first, I last, Q chosen, T value, ORDERLAB_WHERE) {
  const auto in = od::on_gpu(first);
  od::loop(policy, "thrust::replace_if", last - first, where, [=](std::size_t i) {
    if (chosen(in[i])) in[i] = value;
  });
}
ORDERLAB_DEFAULT_4(replace_if, A)
template <orderlab_is_policy P, class I, class T>
void replace(P policy, I first, I last, T old, T value, ORDERLAB_WHERE) {
  thrust::replace_if(
      policy, first, last, [=](const auto& each) { return each == old; }, value, where);
}
ORDERLAB_DEFAULT_4(replace, A)
template <orderlab_is_policy P, class M, class I, class O>
O gather(P policy, M first, M last, I input, O result, ORDERLAB_WHERE) {
  const auto map = od::on_gpu(first);
  const auto in = od::on_gpu(input);
  const auto out = od::on_gpu(result);
  od::loop(policy, "thrust::gather", last - first, where, [=](std::size_t i) { out[i] = in[map[i]]; });
  return result + (last - first);
}
ORDERLAB_DEFAULT_4(gather, A, C, D)
template <orderlab_is_policy P, class I, class M, class O>
void scatter(P policy, I first, I last, M map_first, O result, ORDERLAB_WHERE) {
  const auto in = od::on_gpu(first);
  const auto map = od::on_gpu(map_first);
  const auto out = od::on_gpu(result);
  od::loop(policy, "thrust::scatter", last - first, where, [=](std::size_t i) { out[map[i]] = in[i]; });
}
ORDERLAB_DEFAULT_4(scatter, A, C, D)

template <class I, class O>
O copy(I first, I last, O result, ORDERLAB_WHERE) {
  const auto n = static_cast<std::size_t>(last - first);
  if constexpr (od::any_device<I> && od::any_device<O>) {
    const auto in = od::on_gpu(first);
    const auto out = od::on_gpu(result);
    gpu::for_each_index("thrust::copy", n, where, [=](std::size_t i) { out[i] = in[i]; });
  } else if constexpr (od::any_device<O>) {
    gpu::scatter("thrust::copy", std::vector<od::value_of<O>>(first, last), od::on_gpu(result), where);
  } else if constexpr (std::is_same_v<I, device_ptr<od::value_of<I>>> ||
                       std::is_same_v<I, device_ptr<const od::value_of<I>>>) {
    std::vector<od::value_of<I>> values(n);
    gpu::copy(values.data(), first.get(), n * sizeof(od::value_of<I>), gpu::Direction::device_to_host,
              gpu::number_type<od::value_of<I>>(), where);
    return std::copy(values.begin(), values.end(), result);
  } else if constexpr (od::any_device<I>) {
    const auto values = od::values("thrust::copy", first, n, where);
    return std::copy(values.begin(), values.end(), result);
  } else {
    return std::copy(first, last, result);
  }
  if constexpr (od::any_device<O>) return result + static_cast<ptrdiff_t>(n);
}
template <orderlab_is_policy P, class I, class O>
O copy(P policy, I first, I last, O result, ORDERLAB_WHERE) {
  return thrust::transform(policy, first, last, result, identity<>(), where);
}
template <class I, class N, class O>
requires(!orderlab_is_policy<I>) O copy_n(I first, N n, O result, ORDERLAB_WHERE) {
  return thrust::copy(first, first + n, result, where);
}
template <orderlab_is_policy P, class I, class N, class O>
O copy_n(P policy, I first, N n, O result, ORDERLAB_WHERE) {
  return thrust::copy(policy, first, first + n, result, where);
}

// Sums
template <orderlab_is_policy P, class I, class T, class F>
T reduce(P policy, I first, I last, T initial, F f, ORDERLAB_WHERE) {
  if constexpr (od::is_device_policy<P>) {
    if (orderlab::simt::in_kernel()) {
      for (; first != last; ++first) initial = f(initial, *first);
      return initial;
    }
    const gpu::ScratchMemory<T> result(1, {where, policy.stream});
    gpu::reduce_on_gpu<T>("thrust::reduce", od::summed(first), result.data(), static_cast<std::size_t>(last - first), f,
                          initial, {where, policy.stream});
    return result.first();
  } else {
    return std::accumulate(first, last, initial, f);
  }
}
template <orderlab_is_policy P, class I, class T>
T reduce(P policy, I first, I last, T initial, ORDERLAB_WHERE) {
  return thrust::reduce(policy, first, last, initial, plus<T>(), where);
}
template <orderlab_is_policy P, class I>
auto reduce(P policy, I first, I last, ORDERLAB_WHERE) {
  return thrust::reduce(policy, first, last, od::value_of<I>(), plus<od::value_of<I>>(), where);
}
ORDERLAB_DEFAULT_2(reduce, A)
ORDERLAB_DEFAULT_3(reduce, A)
ORDERLAB_DEFAULT_4(reduce, A)
template <orderlab_is_policy P, class I, class F, class T, class G>
T transform_reduce(P policy, I first, I last, F f, T initial, G g, ORDERLAB_WHERE) {
  return thrust::reduce(policy, make_transform_iterator(first, f), make_transform_iterator(last, f), initial, g, where);
}
ORDERLAB_DEFAULT_5(transform_reduce, A)
template <orderlab_is_policy P, class I, class J, class T, class F, class G>
T inner_product(P policy, I first, I last, J other, T initial, F add, G multiply, ORDERLAB_WHERE) {
  const auto product = [=](const auto& both) -> T { return multiply(std::get<0>(both), std::get<1>(both)); };
  return thrust::transform_reduce(policy, make_zip_iterator(first, other),
                                  make_zip_iterator(last, other + (last - first)), product, initial, add, where);
}
template <orderlab_is_policy P, class I, class J, class T>
T inner_product(P policy, I first, I last, J other, T initial, ORDERLAB_WHERE) {
  return thrust::inner_product(policy, first, last, other, initial, plus<T>(), multiplies<T>(), where);
}
ORDERLAB_DEFAULT_4(inner_product, A, C)
ORDERLAB_DEFAULT_6(inner_product, A, C)
template <orderlab_is_policy P, class I, class Q>
ptrdiff_t count_if(P policy, I first, I last, Q chosen, ORDERLAB_WHERE) {
  return thrust::transform_reduce(
      policy, first, last, [=](const auto& each) -> ptrdiff_t { return chosen(each) ? 1 : 0; }, ptrdiff_t{0},
      plus<ptrdiff_t>(), where);
}
ORDERLAB_DEFAULT_3(count_if, A)
template <orderlab_is_policy P, class I, class T>
ptrdiff_t count(P policy, I first, I last, T value, ORDERLAB_WHERE) {
  return thrust::count_if(
      policy, first, last, [=](const auto& each) { return each == value; }, where);
}
ORDERLAB_DEFAULT_3(count, A)
#define ORDERLAB_QUANTIFIER(NAME, TRUE_IF)                                        \
  template <orderlab_is_policy P, class I, class Q>                               \
  bool NAME(P policy, I first, I last, Q chosen, ORDERLAB_WHERE) {                \
    const ptrdiff_t n = last - first;                                             \
    const ptrdiff_t count = thrust::count_if(policy, first, last, chosen, where); \
    return TRUE_IF;                                                               \
  }                                                                               \
  ORDERLAB_DEFAULT_3(NAME, A)
ORDERLAB_QUANTIFIER(all_of, count == n)
ORDERLAB_QUANTIFIER(any_of, count > 0 && n > 0)
ORDERLAB_QUANTIFIER(none_of, count == 0 && n >= 0)
#undef ORDERLAB_QUANTIFIER

// Scans
template <orderlab_is_policy P, class I, class O, class F>
O inclusive_scan(P policy, I first, I last, O result, F f, ORDERLAB_WHERE) {
  if constexpr (od::is_device_policy<P>)
    gpu::scan_on_gpu<od::value_of<I>>("thrust::inclusive_scan", od::on_gpu(first), od::on_gpu(result),
                                      static_cast<std::size_t>(last - first), f, nullptr, false,
                                      {where, policy.stream});
  else
    std::inclusive_scan(first, last, result, f);
  return result + (last - first);
}
template <orderlab_is_policy P, class I, class O>
O inclusive_scan(P policy, I first, I last, O result, ORDERLAB_WHERE) {
  return thrust::inclusive_scan(policy, first, last, result, plus<od::value_of<I>>(), where);
}
ORDERLAB_DEFAULT_3(inclusive_scan, A, C)
ORDERLAB_DEFAULT_4(inclusive_scan, A, C)
template <orderlab_is_policy P, class I, class O, class T, class F>
O exclusive_scan(P policy, I first, I last, O result, T initial, F f, ORDERLAB_WHERE) {
  if constexpr (od::is_device_policy<P>)
    gpu::scan_on_gpu<T>("thrust::exclusive_scan", od::on_gpu(first), od::on_gpu(result),
                        static_cast<std::size_t>(last - first), f, &initial, true, {where, policy.stream});
  else
    std::exclusive_scan(first, last, result, initial, f);
  return result + (last - first);
}
template <orderlab_is_policy P, class I, class O, class T>
O exclusive_scan(P policy, I first, I last, O result, T initial, ORDERLAB_WHERE) {
  return thrust::exclusive_scan(policy, first, last, result, initial, plus<T>(), where);
}
template <orderlab_is_policy P, class I, class O>
O exclusive_scan(P policy, I first, I last, O result, ORDERLAB_WHERE) {
  return thrust::exclusive_scan(policy, first, last, result, od::value_of<I>(), plus<od::value_of<I>>(), where);
}
ORDERLAB_DEFAULT_3(exclusive_scan, A, C)
ORDERLAB_DEFAULT_4(exclusive_scan, A, C)
ORDERLAB_DEFAULT_5(exclusive_scan, A, C)
template <orderlab_is_policy P, class I, class O, class F, class G>
O transform_inclusive_scan(P policy, I first, I last, O result, F f, G g, ORDERLAB_WHERE) {
  return thrust::inclusive_scan(policy, make_transform_iterator(first, f), make_transform_iterator(last, f), result, g,
                                where);
}
ORDERLAB_DEFAULT_5(transform_inclusive_scan, A, C)

// ---- Algorithms on the values as a whole
#define ORDERLAB_EXTREMUM(NAME)                                                                                \
  template <orderlab_is_policy P, class I, class F>                                                            \
  I NAME(P policy, I first, I last, F before, ORDERLAB_WHERE) {                                                \
    if constexpr (od::is_device_policy<P>) {                                                                   \
      const auto values =                                                                                      \
          od::values("thrust::" #NAME, first, static_cast<std::size_t>(last - first), {where, policy.stream}); \
      return first + (std::NAME(values.begin(), values.end(), before) - values.begin());                       \
    } else {                                                                                                   \
      return std::NAME(first, last, before);                                                                   \
    }                                                                                                          \
  }                                                                                                            \
  template <orderlab_is_policy P, class I>                                                                     \
  I NAME(P policy, I first, I last, ORDERLAB_WHERE) {                                                          \
    return thrust::NAME(policy, first, last, less<>(), where);                                                 \
  }                                                                                                            \
  ORDERLAB_DEFAULT_2(NAME, A)                                                                                  \
  ORDERLAB_DEFAULT_3(NAME, A)
ORDERLAB_EXTREMUM(max_element)
ORDERLAB_EXTREMUM(min_element)
#undef ORDERLAB_EXTREMUM
template <orderlab_is_policy P, class I>
std::pair<I, I> minmax_element(P policy, I first, I last, ORDERLAB_WHERE) {
  return {thrust::min_element(policy, first, last, where), thrust::max_element(policy, first, last, where)};
}
ORDERLAB_DEFAULT_2(minmax_element, A)

template <orderlab_is_policy P, class I, class F>
void stable_sort(P policy, I first, I last, F before, ORDERLAB_WHERE) {
  if constexpr (od::is_device_policy<P>) {
    auto values = od::values("thrust::sort", first, static_cast<std::size_t>(last - first), {where, policy.stream});
    std::stable_sort(values.begin(), values.end(), before);
    gpu::scatter("thrust::sort", values, od::on_gpu(first), {where, policy.stream});
  } else {
    std::stable_sort(first, last, before);
  }
}
template <orderlab_is_policy P, class I>
void stable_sort(P policy, I first, I last, ORDERLAB_WHERE) {
  thrust::stable_sort(policy, first, last, less<>(), where);
}
template <orderlab_is_policy P, class I, class F>
void sort(P policy, I first, I last, F before, ORDERLAB_WHERE) {
  if (orderlab::simt::in_kernel())
    std::sort(od::on_gpu(first), od::on_gpu(last), before);
  else
    thrust::stable_sort(policy, first, last, before, where);
}
template <orderlab_is_policy P, class I>
void sort(P policy, I first, I last, ORDERLAB_WHERE) {
  thrust::sort(policy, first, last, less<>(), where);
}
ORDERLAB_DEFAULT_2(stable_sort, A)
ORDERLAB_DEFAULT_3(stable_sort, A)
ORDERLAB_DEFAULT_2(sort, A)
ORDERLAB_DEFAULT_3(sort, A)
template <orderlab_is_policy P, class K, class V, class F>
void stable_sort_by_key(P policy, K first, K last, V values, F before, ORDERLAB_WHERE) {
  const auto n = static_cast<std::size_t>(last - first);
  const auto keys = od::values("thrust::sort_by_key", first, n, {where, policy.stream});
  const auto old = od::values("thrust::sort_by_key", values, n, {where, policy.stream});
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return before(keys[a], keys[b]); });
  auto new_keys = keys;
  auto new_values = old;
  for (std::size_t i = 0; i < n; ++i) {
    new_keys[i] = keys[order[i]];
    new_values[i] = old[order[i]];
  }
  if constexpr (od::is_device_policy<P>) {
    gpu::scatter("thrust::sort_by_key", new_keys, od::on_gpu(first), {where, policy.stream});
    gpu::scatter("thrust::sort_by_key", new_values, od::on_gpu(values), {where, policy.stream});
  } else {
    std::copy(new_keys.begin(), new_keys.end(), first);
    std::copy(new_values.begin(), new_values.end(), values);
  }
}
template <orderlab_is_policy P, class K, class V, class F>
void sort_by_key(P policy, K first, K last, V values, F before, ORDERLAB_WHERE) {
  thrust::stable_sort_by_key(policy, first, last, values, before, where);
}
template <orderlab_is_policy P, class K, class V>
void sort_by_key(P policy, K first, K last, V values, ORDERLAB_WHERE) {
  thrust::stable_sort_by_key(policy, first, last, values, less<>(), where);
}
template <orderlab_is_policy P, class K, class V>
void stable_sort_by_key(P policy, K first, K last, V values, ORDERLAB_WHERE) {
  thrust::stable_sort_by_key(policy, first, last, values, less<>(), where);
}
ORDERLAB_DEFAULT_3(sort_by_key, A, C)
ORDERLAB_DEFAULT_4(sort_by_key, A, C)
ORDERLAB_DEFAULT_3(stable_sort_by_key, A, C)
ORDERLAB_DEFAULT_4(stable_sort_by_key, A, C)

/// Writes values to where a result goes, on the GPU or not; the end of them.
template <class P, class T, class O>
O orderlab_written(P policy, std::string_view name, const std::vector<T>& values, O result,
                   const std::source_location& where) {
  if constexpr (od::is_device_policy<P>)
    gpu::scatter(name, values, od::on_gpu(result), {where, policy.stream});
  else
    std::copy(values.begin(), values.end(), result);
  return result + static_cast<ptrdiff_t>(values.size());
}
template <class P, class I>
auto orderlab_read(P policy, std::string_view name, I first, I last, const std::source_location& where) {
  if constexpr (od::is_device_policy<P>)
    return od::values(name, first, static_cast<std::size_t>(last - first), {where, policy.stream});
  else
    return std::vector<od::value_of<I>>(first, last);
}
template <orderlab_is_policy P, class I, class S, class O, class Q>
O copy_if(P policy, I first, I last, S stencil, O result, Q chosen, ORDERLAB_WHERE) {
  const auto values = orderlab_read(policy, "thrust::copy_if", first, last, where);
  const auto flags = orderlab_read(policy, "thrust::copy_if", stencil, stencil + (last - first), where);
  std::vector<std::remove_cvref_t<decltype(values[0])>> kept;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (chosen(flags[i])) kept.push_back(values[i]);
  return orderlab_written(policy, "thrust::copy_if", kept, result, where);
}
template <orderlab_is_policy P, class I, class O, class Q>
O copy_if(P policy, I first, I last, O result, Q chosen, ORDERLAB_WHERE) {
  return thrust::copy_if(policy, first, last, first, result, chosen, where);
}
ORDERLAB_DEFAULT_4(copy_if, A, C)
ORDERLAB_DEFAULT_5(copy_if, A, C, D)
template <orderlab_is_policy P, class I, class Q>
I remove_if(P policy, I first, I last, Q chosen, ORDERLAB_WHERE) {
  return thrust::copy_if(
      policy, first, last, first, [=](const auto& each) { return !chosen(each); }, where);
}
ORDERLAB_DEFAULT_3(remove_if, A)
template <orderlab_is_policy P, class I, class T>
I remove(P policy, I first, I last, T value, ORDERLAB_WHERE) {
  return thrust::remove_if(
      policy, first, last, [=](const auto& each) { return each == value; }, where);
}
ORDERLAB_DEFAULT_3(remove, A)
template <orderlab_is_policy P, class I>
I unique(P policy, I first, I last, ORDERLAB_WHERE) {
  auto values = orderlab_read(policy, "thrust::unique", first, last, where);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return orderlab_written(policy, "thrust::unique", values, first, where);
}
ORDERLAB_DEFAULT_2(unique, A)
template <orderlab_is_policy P, class I>
void reverse(P policy, I first, I last, ORDERLAB_WHERE) {
  auto values = orderlab_read(policy, "thrust::reverse", first, last, where);
  std::reverse(values.begin(), values.end());
  orderlab_written(policy, "thrust::reverse", values, first, where);
}
ORDERLAB_DEFAULT_2(reverse, A)
template <orderlab_is_policy P, class I, class Q>
I find_if(P policy, I first, I last, Q chosen, ORDERLAB_WHERE) {
  const auto values = orderlab_read(policy, "thrust::find", first, last, where);
  return first + (std::find_if(values.begin(), values.end(), chosen) - values.begin());
}
ORDERLAB_DEFAULT_3(find_if, A)
template <orderlab_is_policy P, class I, class T>
I find(P policy, I first, I last, T value, ORDERLAB_WHERE) {
  return thrust::find_if(
      policy, first, last, [=](const auto& each) { return each == value; }, where);
}
ORDERLAB_DEFAULT_3(find, A)
template <orderlab_is_policy P, class I, class J>
bool equal(P policy, I first, I last, J other, ORDERLAB_WHERE) {
  return orderlab_read(policy, "thrust::equal", first, last, where) ==
         orderlab_read(policy, "thrust::equal", other, other + (last - first), where);
}
ORDERLAB_DEFAULT_3(equal, A, C)
template <orderlab_is_policy P, class I, class O, class F>
O adjacent_difference(P policy, I first, I last, O result, F f, ORDERLAB_WHERE) {
  auto values = orderlab_read(policy, "thrust::adjacent_difference", first, last, where);
  std::adjacent_difference(values.begin(), values.end(), values.begin(), f);
  return orderlab_written(policy, "thrust::adjacent_difference", values, result, where);
}
template <orderlab_is_policy P, class I, class O>
O adjacent_difference(P policy, I first, I last, O result, ORDERLAB_WHERE) {
  return thrust::adjacent_difference(policy, first, last, result, minus<>(), where);
}
ORDERLAB_DEFAULT_3(adjacent_difference, A, C)
ORDERLAB_DEFAULT_4(adjacent_difference, A, C)
/// Sums of runs of equal keys, each in turn.
template <orderlab_is_policy P, class K, class V, class L, class W, class E, class F>
std::pair<L, W> reduce_by_key(P policy, K first, K last, V values, L out_keys, W out_values, E same, F f,
                              ORDERLAB_WHERE) {
  const auto keys = orderlab_read(policy, "thrust::reduce_by_key", first, last, where);
  const auto terms = orderlab_read(policy, "thrust::reduce_by_key", values, values + (last - first), where);
  std::vector<std::remove_cvref_t<decltype(keys[0])>> found;
  std::vector<std::remove_cvref_t<decltype(terms[0])>> sums;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && same(keys[i - 1], keys[i])) {
      sums.back() = f(sums.back(), terms[i]);
    } else {
      found.push_back(keys[i]);
      sums.push_back(terms[i]);
    }
  }
  return {orderlab_written(policy, "thrust::reduce_by_key", found, out_keys, where),
          orderlab_written(policy, "thrust::reduce_by_key", sums, out_values, where)};
}
template <orderlab_is_policy P, class K, class V, class L, class W>
std::pair<L, W> reduce_by_key(P policy, K first, K last, V values, L out_keys, W out_values, ORDERLAB_WHERE) {
  return thrust::reduce_by_key(policy, first, last, values, out_keys, out_values, equal_to<>(), plus<>(), where);
}
ORDERLAB_DEFAULT_5(reduce_by_key, A, C, D, E)
#define ORDERLAB_BOUND(NAME)                                                            \
  template <orderlab_is_policy P, class I, class V, class O>                            \
  O NAME(P policy, I first, I last, V values, V values_end, O result, ORDERLAB_WHERE) { \
    const auto in = od::on_gpu(first);                                                  \
    const auto sought = od::on_gpu(values);                                             \
    const auto out = od::on_gpu(result);                                                \
    const ptrdiff_t n = last - first;                                                   \
    od::loop(policy, "thrust::" #NAME, values_end - values, where,                      \
             [=](std::size_t i) { out[i] = std::NAME(in, in + n, sought[i]) - in; });   \
    return result + (values_end - values);                                              \
  }                                                                                     \
  ORDERLAB_DEFAULT_5(NAME, A, C, E)
ORDERLAB_BOUND(lower_bound)
ORDERLAB_BOUND(upper_bound)
#undef ORDERLAB_BOUND
#undef ORDERLAB_DEFAULT_2
#undef ORDERLAB_DEFAULT_3
#undef ORDERLAB_DEFAULT_4
#undef ORDERLAB_DEFAULT_5
#undef ORDERLAB_DEFAULT_6
#undef ORDERLAB_ITERATOR

template <class T>
void swap(T& a, T& b) {
  std::swap(a, b);
}
template <class T>
constexpr T max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
constexpr T min(const T& a, const T& b) {
  return b < a ? b : a;
}

// ---- Random numbers
using minstd_rand = std::minstd_rand;
using minstd_rand0 = std::minstd_rand0;
using default_random_engine = minstd_rand;
template <class T = double>
class uniform_real_distribution {
 public:
  using result_type = T;
  explicit uniform_real_distribution(T low = 0, T high = 1) : low_(low), high_(high) {}
  template <class Engine>
  T operator()(Engine& engine) const {
    const T part = static_cast<T>(engine() - Engine::min()) / (static_cast<T>(Engine::max() - Engine::min()) + T(1));
    return part * (high_ - low_) + low_;
  }

 private:
  T low_;
  T high_;
};
template <class T = int>
class uniform_int_distribution {
 public:
  using result_type = T;
  explicit uniform_int_distribution(T low = 0, T high = std::numeric_limits<T>::max()) : real_(low, high + 1.0) {}
  template <class Engine>
  T operator()(Engine& engine) const {
    return static_cast<T>(std::floor(real_(engine)));
  }

 private:
  uniform_real_distribution<double> real_;
};
namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
}  // namespace random

}  // namespace thrust
#define THRUST_VERSION 200400
#undef ORDERLAB_WHERE
// NOLINTEND(readability-identifier-naming)
