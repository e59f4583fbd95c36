// The environment that the processes of a box have.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orderlab {

/// This process's environment as "NAME=VALUE", with three differences. Numbers are written as in C, 1.5 and not 1,5:
/// LC_NUMERIC is C, and an LC_ALL becomes LANG, which says the same of everything else. OMP_NUM_THREADS is `threads`,
/// unless that is 0. OMP_WAIT_POLICY is passive unless it is set; libgomp's GOMP_SPINCOUNT and libomp's KMP_BLOCKTIME
/// go before it, as they do everywhere.
std::vector<std::string> box_environment(std::size_t threads);

/// Has numbers written as in C from now on, by functions of C and C++ in this process.
void write_numbers_as_in_c();

}  // namespace orderlab
