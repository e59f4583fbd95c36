#pragma once
#include <span>

#include "orderlab/simt.hpp"
double run_block_tree(orderlab::simt::Device& device, std::span<const double> x, unsigned grid, unsigned block);
