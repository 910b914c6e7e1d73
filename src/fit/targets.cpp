/// Training of several targets of one table, with the same folds for all.
#include "gpcv/targets.hpp"

#include "fit/shared_kernel.hpp"

namespace gpcv {

std::vector<FitResult> fit_targets(const std::vector<Dataset>& targets, const TargetsOptions& options,
                                   const std::function<void(Index)>& begin, const Observer& observer,
                                   const Announce& announce) {
  if (options.share_kernel) return fit_shared_kernel(targets, options.fit, begin, observer, announce);
  std::vector<FitResult> results;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (begin) begin(static_cast<Index>(i));
    results.push_back(fit(targets[i], options.fit, observer, announce));
  }
  return results;
}

}  // namespace gpcv
