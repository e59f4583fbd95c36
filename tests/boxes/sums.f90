! Sums of Fortran's intrinsics: functions for `orderlab probe --library`.
function sum_f(n, x) bind(c)
  use iso_c_binding
  integer(c_size_t), value :: n
  real(c_float), intent(in) :: x(n)
  real(c_float) :: sum_f
  sum_f = sum(x)
end function

function dot_product_f(n, x, y) bind(c)
  use iso_c_binding
  integer(c_size_t), value :: n
  real(c_float), intent(in) :: x(n), y(n)
  real(c_float) :: dot_product_f
  dot_product_f = dot_product(x, y)
end function
