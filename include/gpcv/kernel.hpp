/// Covariance functions as immutable expressions with parameters θ, read from text and written as text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/dataset.hpp"
#include "gpcv/export.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Bounds of a parameter.
struct Bounds {
  double lower = 0;  ///< smallest value
  double upper = 0;  ///< largest value
  /// Whether both bounds are equal.
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// Role of a parameter.
enum class Role { variance, length_scale, period, shape };

/// Positive parameter of a kernel. Trainers optimise its logarithm.
struct Parameter {
  std::string name;              ///< unique name in its kernel: "se.l", "lp2.p", "se.l[3]", or the label of a tie
  double value = 1;              ///< current value
  bool fixed = false;            ///< fixed by the user, so not part of θ
  bool given = false;            ///< the user has given the value; otherwise a trainer may choose another start
  std::optional<Bounds> bounds;  ///< bounds given by the user; otherwise a trainer derives them from the data
  std::string label;             ///< label of a tie; empty when the parameter is not tied
  Role role = Role::variance;    ///< role in the kernel
  std::vector<Index> columns;    ///< input columns whose unit the parameter has; empty for a pure number
};

/// Names of the base kernels of the grammar, in the order of the documentation.
GPCV_EXPORT std::vector<std::string> family_names();

/// Kernel: an immutable covariance expression. Parameters with equal labels are tied.
class GPCV_EXPORT Kernel {
 public:
  /// Kernel of a text, the inverse of to_string(). Throws KernelSyntaxError, which marks the position with a caret.
  static Kernel parse(std::string_view text);
  /// Text of the kernel. With digits > 0 numbers are rounded and do not parse back to the same values.
  std::string to_string(int digits = 0) const;
  /// Text of the kernel with the names of inputs instead of their numbers.
  std::string to_string(int digits, const Columns& columns) const;

  /// Sum of two kernels.
  friend GPCV_EXPORT Kernel operator+(const Kernel& a, const Kernel& b);
  /// Product of two kernels.
  friend GPCV_EXPORT Kernel operator*(const Kernel& a, const Kernel& b);
  /// Whether the texts of two kernels are equal.
  friend bool operator==(const Kernel& a, const Kernel& b) { return a.to_string() == b.to_string(); }

  /// Kernel with numbers of inputs instead of their names, as in on=age; a categorical column means all its indicators.
  /// Throws InputError for a name that the columns do not have. A kernel without names is returned as it is.
  Kernel resolved(const Columns& columns) const;
  /// Kernel bound to inputs with d columns: `ard` becomes one length scale per column.
  Kernel bind(Index d) const;
  /// Same function of the first columns of wider inputs. Requires a bound kernel.
  Kernel widened(Index inputs) const;
  /// Summands of the kernel, with products of sums multiplied out. Parameters keep their names.
  std::vector<Kernel> summands() const;
  /// Number of input columns of a bound kernel; 0 for an unbound one.
  Index inputs() const { return inputs_; }

  /// Distinct parameters in the order of the text; a tie is one parameter.
  std::span<const Parameter> parameters() const { return parameters_; }
  /// Parameters that are not fixed.
  std::vector<Parameter> free_parameters() const;
  /// Values θ of the free parameters.
  Vector theta() const;
  /// Kernel with other values of the free parameters.
  Kernel with(std::span<const double> theta) const;
  /// Kernel with its parameters replaced; number, order and roles must be the same.
  Kernel with_parameters(std::vector<Parameter> parameters) const;

  /// Program of the kernel for backends. Requires a bound kernel.
  KernelProgram lower() const;

 private:
  friend class KernelBuilder;  ///< builds expressions
  friend class KernelPrinter;  ///< writes expressions

  struct Leaf {
    Op op = Op::se;
    bool ard = false;
    std::vector<Index> on;           ///< input columns; empty for all; -1 where there is a name
    std::vector<std::string> names;  ///< names of the columns, "" where there is a number; empty without any name
    std::vector<int> lengths;        ///< indices of the length scales: one, or one per column of a bound ARD kernel
    int variance = -1, period = -1, shape = -1;
  };
  struct Node {
    enum class Kind { leaf, sum, product } kind = Kind::leaf;
    int leaf = -1;
    std::vector<int> children;  ///< indices of earlier nodes
  };

  std::vector<Leaf> leaves_;
  std::vector<Node> nodes_;  ///< nodes of the expression; the last one is the root
  std::vector<Parameter> parameters_;
  Index inputs_ = 0;
};

}  // namespace gpcv
