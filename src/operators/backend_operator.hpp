/// A kernel operator as a backend makes it: what the library knows of a product beyond its factors.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gpcv/operator.hpp"
#include "operators/space.hpp"

namespace gpcv {

/// Rows [first_row, last_row) of v are zero in the columns [first_column, last_column): a backend may skip them.
struct ZeroRows {
  Index first_row = 0, last_row = 0;
  Index first_column = 0, last_column = 0;
  bool unwanted = false;  ///< nobody looks at these rows of y either: a backend may leave anything finite there
};

/// The public half checks shapes. A backend overrides the three products of the private half, and `space` where it has
/// a memory of its own.
class BackendOperator : public KernelOperator {
 public:
  Index rows() const final { return rows_; }
  Index cols() const final { return cols_; }
  Index parameters() const final { return parameters_; }

  void apply(ConstView v, View y) const final { apply(v, y, {}); }
  /// y = K v, where rows of v are known to be zero.
  void apply(ConstView v, View y, std::span<const ZeroRows> zeros) const;
  void derivatives(ConstView v, View j) const final;
  void contract(ConstView u, ConstView v, VectorView g) const final;

  /// The space of its products, for the square system K + noise masked fold by fold (training: 1 where a row trains);
  /// null where that is the host's. The space refers to this operator. Throws OutOfDeviceMemory.
  virtual std::unique_ptr<Space> space(const Vector& noise, const std::vector<std::vector<char>>& training) const;

 protected:
  BackendOperator(Index rows, Index cols, Index parameters) : rows_(rows), cols_(cols), parameters_(parameters) {}

 private:
  virtual void apply_impl(ConstView v, View y, std::span<const ZeroRows> zeros) const = 0;
  virtual void derivatives_impl(ConstView v, View j) const = 0;
  virtual void contract_impl(ConstView u, ConstView v, VectorView g) const = 0;

  Index rows_, cols_, parameters_;
};

}  // namespace gpcv
