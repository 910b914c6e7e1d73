/// Covariance functions as immutable expressions: text in, text out, θ in between.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Interval that a parameter may move in.
struct Bounds {
  double lower = 0;
  double upper = 0;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// What a parameter means.
enum class Role { variance, length_scale, period, shape };

/// One positive number of a kernel. Trainers move its logarithm.
struct Parameter {
  std::string name;  ///< unique in its kernel: "se.l", "lp2.p", "se.l[3]", or the tie's label
  double value = 1;
  bool fixed = false;            ///< held by the user: not part of θ
  bool given = false;            ///< the user stated a value; otherwise a trainer may start elsewhere
  std::optional<Bounds> bounds;  ///< stated by the user; otherwise a trainer derives them from the data
  std::string label;             ///< name of a tie; empty when not tied
  Role role = Role::variance;
  std::vector<Index> columns;  ///< the input columns whose unit it has; empty for a pure number
};

/// Immutable covariance expression; parameters with equal labels are tied.
class GPCV_EXPORT Kernel {
 public:
  /// Inverse of to_string(); throws KernelSyntaxError with a caret under the place.
  static Kernel parse(std::string_view text);
  /// With digits > 0 numbers are rounded for people and no longer parse back to the same values.
  std::string to_string(int digits = 0) const;

  friend GPCV_EXPORT Kernel operator+(const Kernel& a, const Kernel& b);
  friend GPCV_EXPORT Kernel operator*(const Kernel& a, const Kernel& b);
  friend bool operator==(const Kernel& a, const Kernel& b) { return a.to_string() == b.to_string(); }

  /// The same kernel for inputs with d columns: `ard` becomes one length scale per column.
  Kernel bind(Index d) const;
  /// The same function of the first columns of wider inputs. Requires a bound kernel.
  Kernel widened(Index inputs) const;
  /// The kernels whose sum it is, products with a sum multiplied out. Parameters keep their names.
  std::vector<Kernel> summands() const;
  /// Input columns it was bound to; 0 while unbound.
  Index inputs() const { return inputs_; }

  /// All distinct parameters, ties merged, in the order of the text.
  std::span<const Parameter> parameters() const { return parameters_; }
  /// The parameters that are not held: θ.
  std::vector<Parameter> free_parameters() const;
  Vector theta() const;
  /// The same kernel with other values of the free parameters.
  Kernel with(std::span<const double> theta) const;
  /// The same kernel with its parameters replaced (same number, order and roles).
  Kernel with_parameters(std::vector<Parameter> parameters) const;

  /// Flat opcodes: all that a backend sees. Requires a bound kernel.
  KernelProgram lower() const;

 private:
  friend class KernelBuilder;  ///< puts expressions together
  friend class KernelPrinter;  ///< writes them

  struct Leaf {
    Op op = Op::se;
    bool ard = false;
    std::vector<Index> on;     ///< empty: every column
    std::vector<int> lengths;  ///< parameter indices: one, or one per column once ARD is bound
    int variance = -1, period = -1, shape = -1;
  };
  struct Node {
    enum class Kind { leaf, sum, product } kind = Kind::leaf;
    int leaf = -1;
    std::vector<int> children;  ///< indices of earlier nodes
  };

  std::vector<Leaf> leaves_;
  std::vector<Node> nodes_;  ///< the last one is the root
  std::vector<Parameter> parameters_;
  Index inputs_ = 0;
};

}  // namespace gpcv
