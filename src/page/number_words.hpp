// Numbers as a reader wants them in a sentence or a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "page/power_law.hpp"
#include "page/sweep_content.hpp"

namespace orderlab {

/// `digits` significant ones, and all those before a decimal point: "0.52", "57.3", "1434", "1.2×10⁻¹⁴", "10⁶", "∞".
std::string in_words(double value, int digits = 2);

/// "⁻¹⁴".
std::string superscript(int number);

/// A relative quantity: "1.2×10⁻¹⁴ of the sum", "54 % of the sum", "6.0 times the sum"; or of another `whole`.
std::string part_of_sum(double value, const std::string& whole = "the sum");

/// " grows as n^0.52 (95 % interval 0.49 to 0.55)" with `verb` = "grows"; empty where the interval says next to
/// nothing.
std::string growth_in_words(const std::optional<PowerLaw>& law, const std::string& verb, const std::string& x);

/// kPageConfidence: "95 %".
std::string page_confidence_in_words();

/// Two decimals, with a real minus sign.
std::string two_decimals(double value);

/// "2.1 times as far as", "about as far as".
std::string times_as_far(double ratio);

/// Whole numbers: "4096", "10⁶", "1,234,567".
std::string count_in_words(std::uint64_t value);

/// The same without the whole: "1.2×10⁻¹⁴", "54 %", "6.0 times".
std::string part_in_words(double value);

/// Which order Vs is measured against: "sptr = tile(64,2) | halving(64) | ..."; where every order has its own, what
/// that is.
std::string baseline_in_words(const SweepContent& content);

/// "1000 samples", or of all orders "all 720 orders".
std::string samples_in_words(const SumPoint& point);

/// "0.95 to 1.2"; three digits where two would end at 1, which says whether two things differ.
std::string interval_in_words(double low, double high);

/// "a, b and c".
std::string listed(const std::vector<std::string>& names);

}  // namespace orderlab
