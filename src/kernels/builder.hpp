/// Construction of kernel expressions from the parser, and from sums and products of kernels.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/kernel.hpp"
#include "kernels/column_names.hpp"
#include "kernels/families/family.hpp"

namespace gpcv {

/// A parameter as written: `0.5`, `0.5@a:fixed in [0.1,2]`, `@a`, or nothing at all.
struct WrittenValue {
  bool has_value = false;
  double value = 1;
  bool fixed = false;
  std::optional<Bounds> bounds;
  std::string label;
};

/// A base kernel as written. A parameter that was not written keeps its default.
struct WrittenLeaf {
  const Family* family = nullptr;
  bool ard = false;
  std::vector<WrittenColumn> on;
  std::vector<WrittenValue> lengths;  ///< empty, one, or one per column
  WrittenValue variance, period, shape;
};

class KernelBuilder {
 public:
  /// A base kernel. Throws InputError when a tie has no value yet, has two values, or joins parameters of different
  /// kinds.
  static Kernel leaf(const WrittenLeaf& written, const std::vector<Kernel>& earlier);
  static Kernel sum(std::span<const Kernel> terms) { return combine(Kernel::Node::Kind::sum, terms); }
  static Kernel product(std::span<const Kernel> factors) { return combine(Kernel::Node::Kind::product, factors); }

  /// Names every parameter, assigns its columns, and leaves every product exactly one free scale by default.
  static void finish(Kernel& kernel);

  /// Replaces each ARD length scale by one length scale per column of its kernel.
  static Kernel bind(const Kernel& kernel, Index d);

  /// Replaces the names of inputs by their numbers.
  static Kernel resolve(const Kernel& kernel, const Columns& columns);

 private:
  static Kernel combine(Kernel::Node::Kind kind, std::span<const Kernel> parts);
  /// Appends the leaves, nodes and parameters of b to those of a.
  static void append(Kernel& a, const Kernel& b);
  static int add_parameter(Kernel& kernel, const WrittenValue& written, Role role, const std::vector<Kernel>& earlier);
  static void name_parameters(Kernel& kernel);
  static void share_out_scales(Kernel& kernel, int node, bool carries);
  static bool has_free_variance(const Kernel& kernel, int node);
};

}  // namespace gpcv
