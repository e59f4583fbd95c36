#pragma once

#include "orderlab_thrust.h"
