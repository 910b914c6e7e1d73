#include "trainers/admm/fold_groups.hpp"

#include <exception>

#include "core/parallel.hpp"
#include "gpcv/error.hpp"

namespace gpcv {

void together(const Communicator& communicator, const std::function<void()>& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (const NumericalError&) {
    failure = std::current_exception();
  } catch (const Interrupted&) {
    failure = std::current_exception();
  }
  const bool anybody = communicator.maximum(failure ? 1 : 0) > 0;
  if (failure) std::rethrow_exception(failure);
  if (anybody) throw NumericalError("the work of another rank failed");
}

void FoldGroups::each_fold(int folds, int threads, const std::function<void(int)>& work) const {
  if (!communicator_) return parallel_for(folds, threads, work);
  std::vector<int> own;
  for (int k = 0; k < folds; ++k) {
    if (owns(k)) own.push_back(k);
  }
  together(*communicator_, [&] {
    parallel_for(static_cast<int>(own.size()), threads, [&](int i) { work(own[static_cast<std::size_t>(i)]); });
  });
}

void FoldGroups::broadcast(int fold, Matrix& matrix) const {
  if (!communicator_) return;
  Index shape[2] = {matrix.rows(), matrix.cols()};
  communicator_->broadcast_values(owner(fold), shape, 2);
  matrix.resize(shape[0], shape[1]);
  communicator_->broadcast_values(owner(fold), matrix.data(), static_cast<std::size_t>(matrix.size()));
}

void FoldGroups::broadcast(int fold, Vector& vector) const {
  if (!communicator_) return;
  Index size = vector.size();
  communicator_->broadcast_values(owner(fold), &size, 1);
  vector.resize(size);
  communicator_->broadcast_values(owner(fold), vector.data(), static_cast<std::size_t>(size));
}

}  // namespace gpcv
