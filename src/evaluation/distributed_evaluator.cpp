/// The folds spread over groups of ranks: what travels are f, JᵀWJ and Jᵀg, p² numbers.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "evaluation/fold_evaluator.hpp"
#include "evaluation/held_out_variance.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "problem/parameters.hpp"

namespace gpcv {
namespace {

/// The other groups threw, and have been told of it.
class FailedElsewhere final : public NumericalError {
 public:
  FailedElsewhere() : NumericalError("the folds of another rank could not be solved") {}
};

/// A group has some folds, and shares their products among its ranks. Every function is called by all ranks; within a
/// group solves may take more or fewer iterations than in another, so a stop is asked for between solves.
class DistributedEvaluator final : public FoldEvaluator {
 public:
  DistributedEvaluator(const std::shared_ptr<const Problem>& shared_problem, const IterativePlan& plan,
                       const ComputeOptions& compute, std::shared_ptr<Work> work)
      : owned_(shared_problem), problem_(*owned_), compute_(compute), communicator_(*compute.communicator) {
    const Problem& problem = problem_;
    const Index folds = problem.folds.size(), ranks = communicator_.size(), groups = std::min(folds, ranks);
    const Index group = communicator_.rank() * groups / ranks;
    group_ = communicator_.split(static_cast<int>(group));
    first_ = folds * group / groups;
    last_ = folds * (group + 1) / groups;
    for (Index k = 0; k < first_; ++k) {
      stacked_before_ += static_cast<Index>(problem.folds.folds[static_cast<std::size_t>(k)].validation.size());
    }
    parameters_ = static_cast<Index>(theta_names(problem.kernel, problem.noise).size());
    ComputeOptions inside = compute;
    inside.communicator = shared(group_.get()) ? group_ : nullptr;
    inside.parallel_mode = ParallelMode::rows;
    inside.stop = {};
    error_ = iterative_evaluator(owned_, plan, inside, std::move(work), {first_, last_, [this](View all) {
                                                                           require_all(true);
                                                                           if (!is_group_root()) all.setZero();
                                                                           sum(all.data(), all.size());
                                                                         }});
  }

  double evaluate(const Vector& u, double accuracy) override {
    trial_ = u;
    return run([&] { return error_->evaluate(u, accuracy); });
  }
  double verify(const Vector& u) override {
    here_ = u;
    return run([&] { return error_->verify(u); });
  }
  double refine(double accuracy) override {
    return run([&] { return error_->refine(accuracy); });
  }
  void accept() override {
    here_ = trial_;
    error_->accept();
  }
  const Vector& residuals() const override { return of_all_groups(error_->residuals()); }
  const Vector& trial_residuals() const override { return of_all_groups(error_->trial_residuals()); }

  NormalEquations normal(double residual, const RowLoss& loss) override {
    return run([&] { return error_->normal(residual, loss); });
  }
  int moves_since_normal() const override { return error_->moves_since_normal(); }
  NormalEquations normal_of_jacobian(const RowLoss& loss) override {
    return run([&] { return error_->normal_of_jacobian(loss); });
  }
  Vector gradient(double residual, const Vector& slope) override {
    Vector g = run([&] { return error_->gradient(residual, slope); });
    if (!is_group_root()) g.setZero();
    sum(g.data(), g.size());
    return g;
  }

  /// Every rank of the communicator takes its part of the rows.
  Vector variances(const VarianceMethod& method, Index sample) override {
    return held_out_variance_at(problem_, here_, method, sample, compute_);
  }

  Matrix weights() const override { return all_columns(error_->weights(), 1); }
  Vector fold_weights(Index fold) override {
    const bool own = first_ <= fold && fold < last_;
    Vector z = run([&] { return own ? error_->fold_weights(fold) : Vector(); });
    if (communicator_.maximum(own && z.size() == 0 ? 1 : 0) > 0) return {};
    if (!own || !is_group_root()) z = Vector::Zero(problem_.x.rows());
    sum(z.data(), z.size());
    return z;
  }
  Matrix sensitivities() const override { return all_columns(error_->sensitivities(), parameters_); }
  void start_from(const Matrix& weights, const Matrix& sensitivities) override {
    const auto own = [&](const Matrix& all, Index each) {
      return all.cols() == problem_.folds.size() * each ? Matrix(all.middleCols(first_ * each, (last_ - first_) * each))
                                                        : Matrix();
    };
    error_->start_from(own(weights, 1), own(sensitivities, parameters_));
  }

  void stop_when(std::function<bool()> stop) override { compute_.stop = std::move(stop); }
  void limit_iterations(int most) override { error_->limit_iterations(most); }
  bool iterates() const override { return true; }
  int iterations() const override { return iterations_; }
  double residual() const override { return residual_; }

 private:
  /// One rank of a group speaks for it.
  bool is_group_root() const { return group_->rank() == 0; }

  void sum(double* numbers, Index count) const { communicator_.sum({numbers, static_cast<std::size_t>(count)}); }

  /// A group that fails says so in place of its next word, so that all leave at the same one.
  void require_all(bool sound) const {
    if (communicator_.maximum(sound ? 0 : 1) > 0 && sound) throw FailedElsewhere();
  }

  template <class Work>
  std::invoke_result_t<Work> run(const Work& work) {
    if (compute_.stop && compute_.stop()) throw Interrupted("stopped");
    std::invoke_result_t<Work> result;
    try {
      result = work();
    } catch (const FailedElsewhere&) {
      throw;
    } catch (const NumericalError&) {
      require_all(false);
      throw;
    }
    require_all(true);
    iterations_ = static_cast<int>(communicator_.maximum(error_->iterations()));
    residual_ = communicator_.maximum(error_->residual());
    return result;
  }

  const Vector& of_all_groups(const Vector& own) const {
    residuals_ = Vector::Zero(problem_.folds.validated());
    if (is_group_root()) residuals_.segment(stacked_before_, own.size()) = own;
    sum(residuals_.data(), residuals_.size());
    return residuals_;
  }

  Matrix all_columns(const Matrix& own, Index each) const {
    const Index n = problem_.x.rows();
    // Empty on one rank, empty on all: sensitivities exist once they were asked for.
    if (communicator_.maximum(own.size() > 0 ? 0 : 1) > 0) return {};
    Matrix all = Matrix::Zero(n, problem_.folds.size() * each);
    if (is_group_root()) all.middleCols(first_ * each, own.cols()) = own;
    sum(all.data(), all.size());
    return all;
  }

  std::shared_ptr<const Problem> owned_;
  const Problem& problem_;
  ComputeOptions compute_;
  const Communicator& communicator_;
  std::shared_ptr<const Communicator> group_;
  Index first_ = 0, last_ = 0;  ///< folds of the group
  Index stacked_before_ = 0;    ///< validated rows of the folds before them
  Index parameters_ = 0;
  std::unique_ptr<FoldEvaluator> error_;
  Vector trial_, here_;  ///< log θ as last evaluated, and as accepted
  mutable Vector residuals_;
  int iterations_ = 0;
  double residual_ = 0;
};

}  // namespace

std::unique_ptr<FoldEvaluator> distributed_evaluator(std::shared_ptr<const Problem> problem, const IterativePlan& plan,
                                                     const ComputeOptions& compute, std::shared_ptr<Work> work) {
  return std::make_unique<DistributedEvaluator>(problem, plan, compute, std::move(work));
}

}  // namespace gpcv
