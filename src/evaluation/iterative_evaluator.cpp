#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/clock.hpp"
#include "data/folds/repeated_folds.hpp"
#include "evaluation/fold_evaluator.hpp"
#include "evaluation/held_out_variance.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "problem/fold_targets.hpp"
#include "problem/parameters.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/preconditioner/fold_preconditioner.hpp"
#include "systems/fold_system.hpp"

namespace gpcv {
namespace {

/// Residuals of this and below are asked of double arithmetic.
constexpr double finest_fast = 1e-4;
/// Single precision is lost below this accuracy: what is asked for more accurately is multiplied in double.
constexpr double finest_single = 1e-5;
Arithmetic arithmetic_for(double accuracy) { return accuracy < finest_single ? Arithmetic::exact : Arithmetic::fast; }
/// Factor by which a residual may exceed its tolerance where rounding ends a solve.
constexpr double usable_factor = 10;

class IterativeEvaluator final : public FoldEvaluator {
 public:
  IterativeEvaluator(std::shared_ptr<const Problem> problem, const IterativePlan& plan, const ComputeOptions& compute,
                     std::shared_ptr<Work> work, FoldShare share)
      : owned_(std::move(problem)),
        problem_(*owned_),
        plan_(plan),
        compute_(compute),
        work_owner_(std::move(work)),
        work_(*work_owner_),
        share_(std::move(share)),
        folds_(share_.last - share_.first),
        parameters_(static_cast<Index>(theta_names(problem_.kernel, problem_.noise).size())) {
    for (Index k = 0; k < share_.first; ++k) {
      first_row_ += static_cast<Index>(problem_.folds.folds[static_cast<std::size_t>(k)].validation.size());
    }
    const std::vector<int> systems = find_systems();
    for (Index k = 0; k < folds_; ++k) {
      of_fold_.push_back(systems[static_cast<std::size_t>(share_.first + k)]);
      of_sensitivity_.insert(of_sensitivity_.end(), static_cast<std::size_t>(parameters_), of_fold_.back());
    }
  }

  double evaluate(const Vector& u, double accuracy) override {
    trial_ = prepared(u, systems());
    // The first point: how large the residuals are is not known yet.
    const double share = here_ ? here_->residual_norm / std::max(here_->target_norm, least) : 0.1;
    trial_.z = warm_start(u);
    double tolerance = std::clamp(accuracy * share, 1e-9, 0.1);
    if (!solve_weights(trial_, tolerance)) return infinite;
    double value = read_residuals(trial_, arithmetic_for(accuracy));
    const double now = trial_.residual_norm / std::max(trial_.target_norm, least);
    if (accuracy * now < 0.5 * tolerance) {
      tolerance = std::clamp(accuracy * now, 1e-9, 0.1);
      if (!solve_weights(trial_, tolerance)) return infinite;
      value = read_residuals(trial_, arithmetic_for(accuracy));
    }
    return value;
  }

  double refine(double accuracy) override {
    Point& at = *here_;
    precondition(at);
    const double share = at.residual_norm / std::max(at.target_norm, least);
    if (!solve_weights(at, std::clamp(accuracy * share, 1e-9, 0.1))) return infinite;
    return read_residuals(at, arithmetic_for(accuracy));
  }

  double verify(const Vector& u) override {
    Point point = prepared(u, has_all_rows() ? with_all_rows(systems()) : systems());
    point.z = warm_start(u);
    const double tolerance = final_residual(problem_.x.rows());
    // Folds stand for themselves where the larger system of all rows is too hard.
    most_iterations_ = iteration_limit::result;
    const bool solved = (has_all_rows() && solve_all_rows(point, tolerance)) || solve_weights(point, tolerance);
    most_iterations_ = iteration_limit::training;
    work_.residual = residual_;
    const double value = solved ? read_residuals(point, Arithmetic::exact) : infinite;
    here_ = std::move(point);
    moves_ = -1;
    return value;
  }

  void accept() override {
    follow_secant();
    here_ = std::move(trial_);
  }
  Matrix weights() const override { return here_ && here_->system ? here_->system->unsorted(here_->z) : Matrix(); }
  Vector fold_weights(Index fold) override {
    return here_ && here_->system ? Vector(here_->system->unsorted(here_->z.col(fold - share_.first))) : Vector();
  }
  AllRowWeights all_row_weights() const override { return all_rows_; }
  Matrix sensitivities() const override {
    return here_ && here_->system && sensitivities_.size() > 0 ? here_->system->unsorted(sensitivities_) : Matrix();
  }
  void start_from(const Matrix& weights, const Matrix& sensitivities) override {
    given_ = weights;
    given_sensitivities_ = sensitivities;
  }
  const Vector& residuals() const override { return here_->residuals; }
  const Vector& trial_residuals() const override { return trial_.residuals; }
  void stop_when(std::function<bool()> stop) override { compute_.stop = std::move(stop); }
  void limit_iterations(int most) override { most_iterations_ = most; }
  bool iterates() const override { return true; }
  int iterations() const override { return iterations_; }
  double residual() const override { return residual_; }

  NormalEquations normal(double residual, const RowLoss& loss) override {
    Point& at = *here_;
    precondition(at);
    const Index n = at.system->rows(), p = parameters_;
    // b = (∂_iC) z_k, fold by fold, and w = C_k⁻¹ b = −∂_iz_k
    Matrix b = changed(at, arithmetic_for(residual));
    Matrix masked = b;
    at.system->mask(masked, of_sensitivity_);
    at.has_sensitivities = false;  // until they are solved for
    moves_ = -1;
    Matrix w = sensitivities_.rows() == n ? std::move(sensitivities_) : Matrix::Zero(n, folds_ * p);
    if (given_sensitivities_.rows() == n && given_sensitivities_.cols() == folds_ * p) {
      w = sorted(given_sensitivities_);
    }
    given_sensitivities_.resize(0, 0);
    Matrix predicted(n, std::min(plan_.columns, folds_ * p));
    bool solved = true;
    for (Index first = 0; first < folds_ * p; first += plan_.columns) {
      const Index count = std::min(plan_.columns, folds_ * p - first);
      const std::span<const int> of(of_sensitivity_.data() + first, static_cast<std::size_t>(count));
      solved = solve(at, masked.middleCols(first, count), of, w.middleCols(first, count), residual) && solved;
      counted(count, [&] {
        at.system->predict(w.middleCols(first, count), of, predicted.leftCols(count), arithmetic_for(residual));
      });
      // ∂_ir_k = [K w − (∂_iK) z_k] at the rows that fold k validates
      b.middleCols(first, count) = predicted.leftCols(count) - b.middleCols(first, count);
    }
    sensitivities_ = std::move(w);
    at.has_sensitivities = true;
    keep_jacobian(b);
    moves_ = 0;
    jacobian_solved_ = solved;
    return normal_of_jacobian(loss);
  }

  int moves_since_normal() const override { return moves_; }
  NormalEquations normal_of_jacobian(const RowLoss& loss) override {
    const Index p = parameters_;
    const Vector sum = pooled(products_by_fold(loss));
    return {sum.head(p * p).reshaped(p, p), sum.segment(p * p, p), sum(p * (p + 1)) == 0};
  }

  /// With s_k = g_k at the rows validated and a_k = C_k⁻¹ K_TV g_k:  2 [Jᵀg]_i = 2 Σ_k (a_k − s_k)ᵀ (∂_iC) z_k.
  Vector gradient(double residual, const Vector& slope) override {
    Point& at = *here_;
    precondition(at);
    const Index n = at.system->rows();
    Matrix s = Matrix::Zero(n, folds_), b(n, folds_);
    Index stacked = 0;
    for (Index k = 0; k < folds_; ++k) {
      const std::vector<Index>& rows = validated_[static_cast<std::size_t>(k)];
      s(rows, k) = own(slope, at).segment(stacked, static_cast<Index>(rows.size()));
      stacked += static_cast<Index>(rows.size());
    }
    counted(folds_, [&] { at.system->multiply(s, b, Arithmetic::fast); });
    at.system->mask(b, of_fold_);
    if (adjoint_.rows() != n) adjoint_ = Matrix::Zero(n, folds_);
    // A gradient from a failed solve would send the optimiser astray, or let it end as if it had converged.
    if (!solve(at, b, of_fold_, adjoint_, residual)) {
      return Vector::Constant(parameters_, std::numeric_limits<double>::quiet_NaN());
    }
    Vector g(parameters_);
    counted(folds_, [&] {
      g.head(at.system->program().parameters) = 2 * at.system->contract(adjoint_ - s, at.z, Arithmetic::fast);
    });
    if (!problem_.noise.fixed) {
      g(parameters_ - 1) = 2 * noise_at(problem_, at.u) * (adjoint_.array() * at.z.array()).sum();
    }
    return g;
  }

  Vector variances(const VarianceMethod& method, Index sample) override {
    const Vector u = here_->u;
    if (method.kind != VarianceMethod::Kind::neighbours || method.neighbours > few_neighbours) release();
    return held_out_variance_at(problem_, u, method, sample, compute_);
  }

 private:
  /// Number of neighbours up to which variances need so little memory that training may go on afterwards.
  static constexpr Index few_neighbours = 64;

  /// Gives up what only training needs.
  void release() {
    made_ = {};
    trial_ = {};
    here_->system.reset();
    here_->has_sensitivities = false;
    sensitivities_.resize(0, 0);
    jacobian_.resize(0, 0);
    moves_ = -1;
  }

  static constexpr double infinite = std::numeric_limits<double>::infinity();
  static constexpr double least = std::numeric_limits<double>::min();

  struct Point {
    Vector u;
    std::shared_ptr<const FoldSystem> system;
    Matrix z;                                   ///< n × folds, in the system's order
    Vector residuals;                           ///< stacked
    double residual_norm = 0, target_norm = 0;  ///< of all folds
    bool has_sensitivities = false;
  };
  /// A preconditioner with the system for which it was made and to which it refers.
  struct Made {
    Vector u;
    std::shared_ptr<const FoldSystem> system;
    std::unique_ptr<FoldPreconditioner> preconditioner;
  };

  /// The system of each fold: a fold that is listed again, for another target, has that of the first.
  std::vector<int> find_systems() {
    const Folds& all = problem_.folds;
    std::vector<int> system;
    std::vector<std::size_t> firsts;
    for (std::size_t k = 0; k < all.folds.size(); ++k) {
      if (!repeats(all, k)) firsts.push_back(k);
      system.push_back(static_cast<int>(firsts.size()) - 1);
    }
    if (firsts.size() == all.folds.size()) return system;
    systems_.emplace(Folds{all.rows, {}, all.description});
    for (const std::size_t k : firsts) systems_->folds.push_back(all.folds[k]);
    return system;
  }
  /// The folds without those that are listed again.
  const Folds& systems() const { return systems_ ? *systems_ : problem_.folds; }
  /// Fold k's target, of values with one column per target.
  Vector of_fold(ConstView values, Index k) const {
    const Matrix& mixture = problem_.fold_targets;
    return mixture.size() == 0 ? Vector(values.col(0)) : Vector(values * mixture.col(share_.first + k));
  }

  /// Keeps J at the rows validated, stacked like the residuals.   b: ∂r over all rows
  void keep_jacobian(const Matrix& b) {
    jacobian_.resize(here_->residuals.size(), parameters_);
    Index stacked = 0;
    for (Index k = 0; k < folds_; ++k) {
      const std::vector<Index>& rows = validated_[static_cast<std::size_t>(k)];
      const auto count = static_cast<Index>(rows.size());
      jacobian_.middleRows(stacked, count) = b(rows, Eigen::seqN(k * parameters_, parameters_));
      stacked += count;
    }
  }

  /// Broyden's update of J and of the sensitivities w = −∂z for the step s to the trial point:
  /// J += (Δr − J s) sᵀ/sᵀs, the least change with which J s = Δr.
  void follow_secant() {
    if (!here_ || !here_->has_sensitivities || moves_ < 0) return;
    const Vector s = trial_.u - here_->u;
    const double square = s.squaredNorm();
    trial_.has_sensitivities = true;
    if (square == 0) return;
    ++moves_;
    const Vector direction = s / square;
    jacobian_ += (trial_.residuals - here_->residuals - jacobian_ * s) * direction.transpose();
    for (Index k = 0; k < folds_; ++k) {
      auto w = sensitivities_.middleCols(k * parameters_, parameters_);
      w += (here_->z.col(k) - trial_.z.col(k) - w * s) * direction.transpose();
    }
  }

  /// JᵀWJ and Jᵀg of each own fold, and whether a sensitivity failed, one column per fold.
  Matrix products_by_fold(const RowLoss& loss) const {
    const Index p = parameters_;
    Matrix products(p * (p + 1) + 1, folds_);
    const Vector slope = own(loss.slope, *here_);
    Index stacked = 0;
    for (Index k = 0; k < folds_; ++k) {
      const auto rows = static_cast<Index>(validated_[static_cast<std::size_t>(k)].size());
      const auto j = jacobian_.middleRows(stacked, rows);
      auto square = products.col(k).head(p * p).reshaped(p, p);
      if (loss.weight.size() == 0) {
        square.noalias() = j.transpose() * j;
      } else {
        square.noalias() = j.transpose() * loss.weight.segment(first_row_ + stacked, rows).asDiagonal() * j;
      }
      products.col(k).segment(p * p, p).noalias() = j.transpose() * slope.segment(stacked, rows);
      products(p * (p + 1), k) = jacobian_solved_ ? 0 : 1;
      stacked += rows;
    }
    return products;
  }
  /// The own folds' part of a slope that is stacked over all folds; empty: the residuals.
  Vector own(const Vector& slope, const Point& at) const {
    return slope.size() > 0 ? Vector(slope.segment(first_row_, at.residuals.size())) : at.residuals;
  }

  Point prepared(const Vector& u, const Folds& folds) {
    if (compute_.stop && compute_.stop()) throw Interrupted("stopped");
    Point point;
    point.u = u;
    const Vector noise = Vector::Constant(problem_.x.rows(), noise_at(problem_, u));
    point.system = std::make_shared<FoldSystem>(kernel_at(problem_, u).lower(), problem_.x, noise, folds, compute_);
    precondition(point);
    if (targets_.rows() != point.system->rows()) {
      const Matrix y = point.system->sorted(targets_of_folds(problem_));
      targets_.resize(y.rows(), folds_);
      for (Index k = 0; k < folds_; ++k) targets_.col(k) = of_fold(y, k);
      point.system->mask(targets_, of_fold_);
      place_.resize(problem_.x.rows());
      for (Index i = 0; i < point.system->rows(); ++i) place_(point.system->order()[static_cast<std::size_t>(i)]) = i;
      for (const Fold& fold : own_folds()) {
        std::vector<Index>& rows = validated_.emplace_back();
        for (Index row : fold.validation) rows.push_back(place_(row));
      }
    }
    const auto all = static_cast<double>(problem_.folds.size());
    point.target_norm = std::sqrt(pooled(targets_.colwise().squaredNorm())(0) / std::max<double>(1, all - 1));
    return point;
  }

  void precondition(const Point& point) {
    const bool serves = made_.u.size() > 0 && made_.system->systems() >= point.system->systems() &&
                        (made_.u - point.u).cwiseAbs().maxCoeff() <= preconditioner_range;
    if (plan_.rank == 0 || serves) return;
    const Stopwatch watch;
    made_ = {};  // one at a time
    made_ = {point.u, point.system,
             std::make_unique<FoldPreconditioner>(*point.system, plan_.rank, pivot_seed, compute_.threads,
                                                  FoldPreconditioner::usually_negligible, plan_.neighbours)};
    work_.preconditioner_seconds += watch.seconds();
  }

  /// z + Σ_i ∂_iz Δu_i: Gauss–Newton has the ∂_iz at hand.
  Matrix warm_start(const Vector& u) const {
    if (!here_ && given_.rows() == targets_.rows() && given_.cols() == folds_) return sorted(given_);
    if (!here_) return Matrix::Zero(targets_.rows(), folds_);
    Matrix z = here_->z;
    if (!here_->has_sensitivities) return z;
    const Vector moved = u - here_->u;
    for (Index k = 0; k < folds_; ++k)
      z.col(k).noalias() -= sensitivities_.middleCols(k * parameters_, parameters_) * moved;
    return z;
  }

  Matrix sorted(const Matrix& caller_rows) const {
    Matrix rows(caller_rows.rows(), caller_rows.cols());
    for (Index i = 0; i < rows.rows(); ++i) rows.row(place_(i)) = caller_rows.row(i);
    return rows;
  }

  /// Solves for the weights of the own folds; returns false on every rank if one group cannot solve its folds.
  bool solve_weights(Point& point, double tolerance) {
    const bool solved = solve(point, targets_, of_fold_, point.z, tolerance);
    return pooled(Matrix::Constant(1, folds_, solved ? 0 : 1))(0) == 0;
  }

  /// The model's own weights are one column more of the last solve, which costs little beside those of the folds; a
  /// solve of their own would take as many passes again. A hold-out's passes leave out the rows it validates.
  bool has_all_rows() const { return folds_ > 1 && !share_.complete && covers_all_targets(problem_); }
  static Folds with_all_rows(Folds folds) {
    Fold& all = folds.folds.emplace_back();
    all.training.resize(static_cast<std::size_t>(folds.rows));
    std::iota(all.training.begin(), all.training.end(), Index{0});
    return folds;
  }
  bool solve_all_rows(Point& point, double tolerance) {
    all_rows_ = {};
    const ConstView y = targets_of_folds(problem_);
    const Index targets = y.cols();
    Matrix b(point.system->rows(), folds_ + targets), z(b.rows(), folds_ + targets);
    b << targets_, point.system->sorted(y);
    z << point.z, Matrix::Zero(b.rows(), targets);
    for (Index j = 0; j < targets; ++j) {
      // Fold k·t + j is that of target j.
      const Matrix own = point.z(Eigen::all, Eigen::seq(j, folds_ - 1, targets));
      z.col(folds_ + j) = point.system->sorted(mean_of_folds(point.system->unsorted(own), systems()));
    }
    std::vector<int> of = of_fold_;
    of.insert(of.end(), static_cast<std::size_t>(targets), static_cast<int>(systems().size()));
    const bool solved = solve(point, b, of, z, tolerance);
    point.z = z.leftCols(folds_);
    if (solved) all_rows_ = {point.system->unsorted(z.rightCols(targets)), residual_};
    return solved;
  }

  /// Σ over all folds, in their order.   own: numbers × own folds
  Vector pooled(const Matrix& own) const {
    Matrix all = Matrix::Zero(own.rows(), problem_.folds.size());
    all.middleCols(share_.first, folds_) = own;
    if (share_.complete) share_.complete(all);
    Vector sum = Vector::Zero(own.rows());
    for (Index k = 0; k < all.cols(); ++k) sum += all.col(k);
    return sum;
  }
  std::span<const Fold> own_folds() const {
    return std::span(problem_.folds.folds)
        .subspan(static_cast<std::size_t>(share_.first), static_cast<std::size_t>(folds_));
  }

  /// Solves as many columns at once as the plan has room for, and the all-rows systems beside those of the folds. False
  /// when the residual is out of reach.
  bool solve(const Point& point, ConstView b, std::span<const int> of, View x, double tolerance) {
    const Index at_once = b.cols() <= plan_.columns + 1 ? b.cols() : plan_.columns;
    double worst = 0;
    int iterations = 0;
    bool solved = true;
    for (Index first = 0; first < b.cols(); first += at_once) {
      const Index count = std::min(at_once, b.cols() - first);
      const std::span<const int> some = of.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
      solved = solve_batch(point, b.middleCols(first, count), some, x.middleCols(first, count), tolerance) && solved;
      worst = std::isnan(residual_) ? residual_ : std::max(residual_, worst);  // a residual of NaN stays
      iterations = std::max(iterations, iterations_);
    }
    residual_ = worst;
    iterations_ = iterations;
    return solved;
  }
  bool solve_batch(const Point& point, ConstView b, std::span<const int> of, View x, double tolerance) {
    CgOptions options{.tolerance = tolerance, .max_iterations = most_iterations_};
    options.verify = tolerance <= finest_fast;
    options.threads = compute_.threads;
    options.progress = [&](int, double) { return !compute_.stop || !compute_.stop(); };
    const CgSummary summary = solve_cg(*point.system, made_.preconditioner.get(), b, of, x, options);
    const double passes = summary.fast_passes + summary.exact_passes;
    count(passes, summary.columns, summary.product_seconds);
    work_.cg_iterations += summary.iterations;
    work_.returned_to_host = work_.returned_to_host || summary.returned_to_host ||
                             (made_.preconditioner && made_.preconditioner->returned_to_host());
    iterations_ = summary.iterations;
    residual_ = summary.residual;
    if (summary.status == Status::stopped) throw Interrupted("stopped");
    return summary.status == Status::converged || summary.residual <= usable_factor * tolerance;
  }

  void count(double passes, double columns, double seconds) {
    const auto n = static_cast<double>(problem_.x.rows());
    work_.kernel_passes += passes * plan_.pass;
    const double all = plan_.pass_columns > 0 ? plan_.pass_columns : static_cast<double>(folds_ * (parameters_ + 1));
    work_.column_passes += columns * plan_.pass / all;
    work_.pairs += passes * n * n;
    work_.product_seconds += seconds;
  }
  template <class Product>
  void counted(Index columns, const Product& product) {
    const Stopwatch watch;
    product();
    count(1, static_cast<double>(columns), watch.seconds());
  }

  double read_residuals(Point& point, Arithmetic arithmetic) {
    Matrix predicted(point.z.rows(), folds_);
    counted(folds_, [&] { point.system->predict(point.z, of_fold_, predicted, arithmetic); });
    Index count = 0;
    for (const std::vector<Index>& rows : validated_) count += static_cast<Index>(rows.size());
    point.residuals.resize(count);
    const Matrix y = point.system->sorted(targets_of_folds(problem_));
    Matrix squared(1, folds_);
    Index stacked = 0;
    for (Index k = 0; k < folds_; ++k) {
      const std::vector<Index>& rows = validated_[static_cast<std::size_t>(k)];
      auto own = point.residuals.segment(stacked, static_cast<Index>(rows.size()));
      own = of_fold(y(rows, Eigen::all), k) - predicted.col(k)(rows);
      squared(k) = own.allFinite() ? own.squaredNorm() : infinite;
      stacked += own.size();
    }
    const double value = pooled(squared)(0);
    point.residual_norm = std::sqrt(value);
    return value;
  }

  /// (∂_iC) z_k over all rows, fold by fold; the noise's only where the fold trains, as z_k is zero elsewhere.
  Matrix changed(const Point& at, Arithmetic arithmetic) {
    const Index n = at.system->rows(), p = parameters_, kernel = at.system->program().parameters;
    Matrix d(n, kernel * folds_), b(n, folds_ * p);
    counted(folds_ * std::max<Index>(1, kernel), [&] {
      if (kernel > 0) at.system->derivatives(at.z, d, arithmetic);
    });
    for (Index k = 0; k < folds_; ++k) {
      for (Index i = 0; i < kernel; ++i) b.col(k * p + i) = d.col(i * folds_ + k);
      if (p > kernel) b.col(k * p + kernel) = noise_at(problem_, at.u) * at.z.col(k);
    }
    return b;
  }

  std::shared_ptr<const Problem> owned_;
  const Problem& problem_;
  std::optional<Folds> systems_;  ///< the folds without those that are listed again, where there are such
  IterativePlan plan_;
  ComputeOptions compute_;
  std::shared_ptr<Work> work_owner_;
  Work& work_;
  FoldShare share_;
  Index folds_, parameters_;
  Index first_row_ = 0;                        ///< validated rows of the folds before the own ones
  std::vector<int> of_fold_, of_sensitivity_;  ///< system of each column
  Matrix targets_;                             ///< M_k y
  Eigen::VectorX<Index> place_;                ///< of the caller's rows in the system's order
  std::vector<std::vector<Index>> validated_;  ///< by fold, in the system's order
  Point trial_;
  std::optional<Point> here_;
  Matrix sensitivities_;  ///< C_k⁻¹ (∂_iC) z_k of the last point they were asked at: the next solve's start
  Matrix jacobian_;       ///< J of that point, with Broyden's updates
  bool jacobian_solved_ = false;
  int moves_ = -1;  ///< points accepted since J was solved for; −1: there is no J
  Matrix adjoint_;
  Matrix given_, given_sensitivities_;  ///< to start from, in the caller's order
  Made made_;
  AllRowWeights all_rows_;
  int most_iterations_ = iteration_limit::training;
  int iterations_ = 0;
  double residual_ = 0;
};

}  // namespace

Vector mean_of_folds(const Matrix& weights, const Folds& folds) {
  Vector count = Vector::Zero(weights.rows());
  for (const Fold& fold : folds.folds) {
    for (Index row : fold.training) count(row) += 1;
  }
  return weights.rowwise().sum().cwiseQuotient(count.cwiseMax(1));
}

std::unique_ptr<FoldEvaluator> iterative_evaluator(std::shared_ptr<const Problem> problem, const IterativePlan& plan,
                                                   const ComputeOptions& compute, std::shared_ptr<Work> work) {
  const Index folds = problem->folds.size();
  if (compute.parallel_mode == ParallelMode::folds && shared(compute.communicator.get()) && folds > 1) {
    return distributed_evaluator(std::move(problem), plan, compute, std::move(work));
  }
  return iterative_evaluator(std::move(problem), plan, compute, std::move(work), {0, folds, {}});
}

std::unique_ptr<FoldEvaluator> iterative_evaluator(std::shared_ptr<const Problem> problem, const IterativePlan& plan,
                                                   const ComputeOptions& compute, std::shared_ptr<Work> work,
                                                   const FoldShare& share) {
  return std::make_unique<IterativeEvaluator>(std::move(problem), plan, compute, std::move(work), share);
}

}  // namespace gpcv
