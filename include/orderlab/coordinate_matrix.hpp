// Matrices as lists of entries: read from Matrix Market files, or generated.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/parameters.hpp"
#include "orderlab/sparse_matrix.hpp"

namespace orderlab {

/// Entries in any order; those of one place are added.
struct CoordinateMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Triplet> entries;
};

/// A Matrix Market file in coordinate format: real, integer or pattern (all entries 1); general, symmetric or
/// skew-symmetric, of which both triangles are returned.
///
/// Errors: input, "FILE:LINE: what is wrong, what would be right", for everything else, numbers that are not finite,
///         and another number of entries than the file says; nothing is skipped or guessed.
/// Source: [Boisvert1997].
CoordinateMatrix read_matrix_market(const std::string& path);

/// A matrix made by formula.
struct MatrixFormula {
  std::string_view name;
  std::span<const Parameter> parameters;
  std::string_view summary;
  CoordinateMatrix (*make)(const Arguments& arguments);
};

std::span<const MatrixFormula* const> matrix_formulas();

/// A formula with its arguments.
struct MatrixCall {
  const MatrixFormula* formula = nullptr;
  Arguments arguments;
};

/// Reads "poisson2d(64)". Error(usage) with the nearest name.
MatrixCall parse_matrix(std::string_view text);

/// Canonical text; parse_matrix reads it back.
std::string to_string(const MatrixCall& call);

/// D A D, D = diag(d). Symmetric matrices stay symmetric to the last bit. Shape: a square matrix with a row for each d.
CoordinateMatrix scaled(CoordinateMatrix matrix, std::span<const double> d);

}  // namespace orderlab
