/// The preconditioner of all folds: a low-rank factor of K, one small matrix per fold, and a local inverse.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "operators/linear_system.hpp"
#include "solvers/preconditioner/pivoted_cholesky.hpp"
#include "systems/fold_system.hpp"

namespace gpcv {

/// Change of a log θ_i up to which a preconditioner made for another θ is used again.
constexpr double preconditioner_range = 0.05;

/// The preconditioner of a fold system. F is computed once for all folds; each fold needs one rank × rank Cholesky
/// factor. F is stored in the space of the system's products. If a device runs out of memory while F is built or
/// applied, F is rebuilt on the host.
class FoldPreconditioner final : public Preconditioner {
 public:
  /// A training on a smooth function took 168 iterations for 250 000 rows and 46 for 20 000 with 0.1, and 34 and 16
  /// with this; 0.001 saved few more.
  static constexpr double usually_negligible = 0.003;

  /// The system outlives the preconditioner. F is complete once the trace of K − F Fᵀ is at most `negligible` times
  /// that of the noise. Where `rank` columns leave more, a LocalInverse by so many
  /// neighbours takes the place of the noise in Woodbury's formula, if F is on the host; 0: none.
  FoldPreconditioner(const FoldSystem& system, Index rank, std::uint64_t seed, int threads,
                     double negligible = usually_negligible, Index neighbours = 0);

  Index rank() const { return factor()->rank(); }
  void apply(ConstView r, std::span<const int> system, View z) const override;
  std::shared_ptr<const LowRankFactor> factor() const override;
  /// Whether the device of the products had no memory for F.
  bool returned_to_host() const;

 private:
  std::shared_ptr<const LowRankFactor> completed(std::unique_ptr<LowRankFactor> factor) const;
  std::shared_ptr<const LowRankFactor> on_host() const;

  const FoldSystem& system_;
  Index rank_;  ///< largest rank
  std::uint64_t seed_;
  int threads_;
  double negligible_;
  Index neighbours_;
  mutable std::mutex mutex_;  ///< guards the members below
  mutable std::shared_ptr<const LowRankFactor> factor_;
  mutable bool returned_to_host_ = false;
};

}  // namespace gpcv
