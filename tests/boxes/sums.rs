// Sums of Rust's iterators: functions for `orderlab probe --library`.
use std::slice::from_raw_parts;

#[no_mangle]
pub unsafe extern "C" fn iter_sum_f(n: usize, x: *const f32) -> f32 {
    from_raw_parts(x, n).iter().sum()
}

#[no_mangle]
pub unsafe extern "C" fn fold_reversed_f(n: usize, x: *const f32) -> f32 {
    from_raw_parts(x, n).iter().rev().fold(0.0, |s, v| s + v)
}
