// One function object of several, for std::visit.
#pragma once

namespace orderlab {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace orderlab
