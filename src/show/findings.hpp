// Text, JSON and CSV of every finding, for what shows one of any kind.
#pragma once

#include "show/alternatives.hpp"
#include "show/check.hpp"
#include "show/compare.hpp"
#include "show/crosscheck.hpp"
#include "show/enumeration.hpp"
#include "show/experiment.hpp"
#include "show/fit.hpp"
#include "show/operation.hpp"
#include "show/operation_explanation.hpp"
#include "show/operation_fit.hpp"
#include "show/operation_outcomes.hpp"
#include "show/operation_tolerance.hpp"
#include "show/tolerance.hpp"
#include "show/verification.hpp"
#include "show/worst.hpp"
