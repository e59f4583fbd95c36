#pragma once

#include "cuda_runtime.h"
#include "orderlab/cooperative_groups_on_host.hpp"
