/// The interface that a backend implements: the kernel operator, with the hints and the memory space that only the
/// library uses.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gpcv/operator.hpp"
#include "operators/space.hpp"

namespace gpcv {

/// A block of zeros in v: rows [first_row, last_row) are zero in the columns [first_column, last_column), and a backend
/// may skip them.
struct ZeroRows {
  Index first_row = 0, last_row = 0;
  Index first_column = 0, last_column = 0;
  bool unwanted = false;  ///< the caller ignores these rows of y too: a backend may write any finite value
};

/// The base class of the backends. Its public functions check shapes. A backend overrides the three private products,
/// and `space` if it has a memory of its own.
class BackendOperator : public KernelOperator {
 public:
  Index rows() const final { return rows_; }
  Index cols() const final { return cols_; }
  Index parameters() const final { return parameters_; }

  void apply(ConstView v, View y) const final { apply(v, y, {}); }
  /// y = K v, where the given rows of v are known to be zero.
  void apply(ConstView v, View y, std::span<const ZeroRows> zeros) const;
  void derivatives(ConstView v, View j) const final;
  void contract(ConstView u, ConstView v, VectorView g) const final;

  /// The memory space of the products, for the square system K + noise masked fold by fold (training: 1 for a training
  /// row); null if the products are computed on the host. The space refers to this operator. Throws OutOfDeviceMemory.
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
