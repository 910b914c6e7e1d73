#include <algorithm>
#include <exception>
#include <numeric>

#include "core/threads.hpp"
#include "gpcv/error.hpp"
#include "gpcv/team.hpp"
#include "operators/dense_kernel.hpp"
#include "posterior/variance.hpp"

namespace gpcv {
namespace {

class NeighbourVariance final : public VarianceEstimator {
 public:
  NeighbourVariance(const Model& model, Index neighbours, const ComputeOptions& compute)
      : program_(model.kernel.lower()),
        x_(model.x),
        noise_(model.noise),
        scale_((kernel_diagonal(program_, x_).array() + noise_).inverse()),
        neighbours_(std::min(neighbours, x_.rows())),
        threads_(std::max(1, compute.threads)),
        team_(compute.team) {}

  Vector variance(ConstView points) const override {
    if (!shared(team_.get())) return own_variance(points);
    // Every point is one rank's; the last number counts the ranks that failed, so that all fail together.
    const Index m = points.rows(), first = m * team_->rank() / team_->size(),
                last = m * (team_->rank() + 1) / team_->size();
    Vector out = Vector::Zero(m + 1);
    std::string failure;
    try {
      out.segment(first, last - first) = own_variance(points.middleRows(first, last - first));
    } catch (const NumericalError& error) {
      failure = error.what();
      out(m) = 1;
    }
    team_->sum({out.data(), static_cast<std::size_t>(out.size())});
    if (out(m) > 0) throw NumericalError(failure.empty() ? "a variance could not be found on another rank" : failure);
    return out.head(m);
  }

 private:
  Vector own_variance(ConstView points) const {
    if (points.rows() == 0) return {};
    const Vector prior = kernel_diagonal(program_, points);
    const Matrix cross = dense_kernel(program_, x_, points, threads_);
    Vector out(points.rows());
    // Points are spread over threads, so each factorisation keeps to one.
    const BlasThreads guard(1);
    std::exception_ptr failure;  // none may leave the parallel region
#pragma omp parallel for num_threads(threads_) schedule(dynamic)
    for (Index p = 0; p < points.rows(); ++p) {
      try {
        out(p) = prior(p) - explained(cross.col(p));
      } catch (...) {
#pragma omp critical
        failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
    return out;
  }

  /// k_Sᵀ (K_SS + σ²I)⁻¹ k_S over the best neighbours S.
  double explained(const Eigen::Ref<const Vector>& cross) const {
    std::vector<Index> best(static_cast<std::size_t>(cross.size()));
    std::iota(best.begin(), best.end(), Index{0});
    // k(x*, x_i)²/(k_ii + σ²): what point i alone takes off the prior variance.
    const Vector worth = cross.array().square() * scale_.array();
    std::nth_element(best.begin(), best.begin() + (neighbours_ - 1), best.end(),
                     [&](Index a, Index b) { return worth(a) > worth(b); });
    best.resize(static_cast<std::size_t>(neighbours_));
    std::sort(best.begin(), best.end());
    Matrix c = dense_kernel(program_, x_(best, Eigen::all), 1);
    c.diagonal().array() += noise_;
    const Vector k = cross(best);
    return k.dot(Vector(Cholesky(std::move(c), 1).solve(k)));
  }

  KernelProgram program_;
  const Matrix& x_;
  double noise_;
  Vector scale_;
  Index neighbours_;
  int threads_;
  std::shared_ptr<const Team> team_;
};

}  // namespace

std::unique_ptr<VarianceEstimator> neighbour_variance(const Model& model, Index neighbours,
                                                      const ComputeOptions& compute) {
  if (neighbours < 1) throw InputError("the variance needs at least one neighbour");
  return std::make_unique<NeighbourVariance>(model, neighbours, compute);
}

}  // namespace gpcv
