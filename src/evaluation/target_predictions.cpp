#include "evaluation/target_predictions.hpp"

#include <optional>
#include <utility>

namespace gpcv {
namespace {

/// Count of numbers up to which the weights of all folds are kept: 0.8 GB.
constexpr Index most_kept = 100'000'000;

/// What the targets have in common.
class SharedPredictions {
 public:
  SharedPredictions(std::shared_ptr<FoldPredictions> all, const Folds& folds, Index targets)
      : all_(std::move(all)), folds_(folds.size()), targets_(targets) {}

  FoldPredictions& all() const { return *all_; }

  Vector variances(const VarianceMethod& method, Index sample) {
    if (!variances_) {
      keep_weights();
      variances_ = all_->variances(method, sample);
    }
    return *variances_;
  }
  Vector fold_weights(Index fold, Index target) {
    const Index column = fold * targets_ + target;
    return kept_.empty() ? all_->fold_weights(column) : kept_[static_cast<std::size_t>(column)];
  }

 private:
  /// Variances may release what weights come from, which other targets still ask for.
  void keep_weights() {
    if (folds_ == 0 || all_->fold_weights(0).size() * folds_ * targets_ > most_kept) return;
    for (Index k = 0; k < folds_ * targets_; ++k) kept_.push_back(all_->fold_weights(k));
  }

  std::shared_ptr<FoldPredictions> all_;
  Index folds_, targets_;
  std::vector<Vector> kept_;
  std::optional<Vector> variances_;
};

class TargetPredictions final : public FoldPredictions {
 public:
  TargetPredictions(std::shared_ptr<SharedPredictions> shared, const Folds& folds, Index targets, Index target)
      : shared_(std::move(shared)), target_(target), residuals_(folds.validated()) {
    const Vector& all = shared_->all().residuals();
    Index at = 0;
    for (const Fold& fold : folds.folds) {
      const auto count = static_cast<Index>(fold.validation.size());
      // Before the own residuals are those of all targets in earlier folds, and of earlier targets in this one.
      residuals_.segment(at, count) = all.segment(at * targets + target * count, count);
      at += count;
    }
  }

  const Vector& residuals() const override { return residuals_; }
  Vector variances(const VarianceMethod& method, Index sample) override { return shared_->variances(method, sample); }
  AllRowWeights all_row_weights() const override {
    const AllRowWeights all = shared_->all().all_row_weights();
    const Vector own = all.of(target_);
    if (own.size() == 0) return {};
    return {own, all.residual};
  }
  double jitter() const override { return shared_->all().jitter(); }
  Vector fold_weights(Index fold) override { return shared_->fold_weights(fold, target_); }
  void stop_when(std::function<bool()> stop) override { shared_->all().stop_when(std::move(stop)); }
  bool iterates() const override { return shared_->all().iterates(); }

 private:
  std::shared_ptr<SharedPredictions> shared_;
  Index target_;
  Vector residuals_;
};

}  // namespace

std::vector<std::shared_ptr<FoldPredictions>> predictions_of_targets(std::shared_ptr<FoldPredictions> all,
                                                                     const Folds& folds, Index targets) {
  const auto shared = std::make_shared<SharedPredictions>(std::move(all), folds, targets);
  std::vector<std::shared_ptr<FoldPredictions>> out;
  for (Index j = 0; j < targets; ++j) {
    out.push_back(std::make_shared<TargetPredictions>(shared, folds, targets, j));
  }
  return out;
}

}  // namespace gpcv
