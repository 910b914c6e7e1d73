/// Random kernel expressions for property tests.
#pragma once

#include <string>

#include "core/random.hpp"
#include "gpcv/kernel.hpp"

namespace gpcv {

/// A kernel of the inputs with random values, sometimes ARD, sometimes on a subset of the columns.
std::string random_leaf(Random& random, Index d);

/// An expression of sums and products nested up to `depth`.
std::string random_expression(Random& random, Index d, int depth);

Matrix random_inputs(Random& random, Index n, Index d);

/// Symmetric, with eigenvalues spread evenly from 1 to `condition` on a logarithmic scale.
Matrix with_condition(Random& random, Index n, double condition);

}  // namespace gpcv
