#include "fit/learned_noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "assessment/losses.hpp"
#include "core/clock.hpp"
#include "core/deadline.hpp"
#include "core/random.hpp"
#include "fit/noise_search.hpp"
#include "fit/stopping.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "trainers/common/race.hpp"

namespace gpcv {
namespace {

/// Rounds of learning and training at most, and parts of the residuals that are left out in turn.
constexpr int most_learnings = 4, most_parts = 5, fewest_parts = 3;
/// Log evidence that an input of the noise must bring where the noise is to be learned, and where it may stay constant:
/// scales are chosen from all residuals, so that few of them flatter what was found.
constexpr double asked_evidence = 2, wanted_evidence = 3;
/// Gain of a round, in standard errors, after which another one follows.
constexpr double worth_a_round = 0.2;
/// Residuals from which noise is learned at least.
constexpr Index fewest_residuals = 20;
/// Part of a time limit after which no further round begins.
constexpr double share_for_noise = 0.5;
/// Limits of the factor between the noise of two rounds, for the start of the second.
constexpr double least_ratio = 1e-3, most_ratio = 10;

/// Errors of held-out rows in units of the target, and the variances that the model states for them.
struct HeldOutErrors {
  Vector residuals;        ///< NaN for rows that no fold validates
  Vector function, noise;  ///< variance of the function and of the noise
};

HeldOutErrors errors_of(const Model& model, const Dataset& data) {
  const HeldOut& held = model.provenance.held_out;
  HeldOutErrors out{data.y - held.mean, Vector::Zero(data.rows()), {}};
  const double level = model.error_scale.noise(model.noise) * std::pow(model.scaling.y_scale, 2);
  out.noise = Vector::Constant(data.rows(), level);
  if (model.noise_reference > 0) out.noise = out.noise.cwiseQuotient(model.x.rightCols(1).col(0).cwiseAbs2());
  double sum = 0, count = 0;
  for (Index i = 0; i < data.rows(); ++i) {
    if (!std::isfinite(held.variance(i))) continue;
    out.function(i) = std::max(held.variance(i) - out.noise(i), 0.0);
    sum += out.function(i);
    ++count;
  }
  // Of a large table only a sample of rows has variances.
  for (Index i = 0; i < data.rows() && count > 0; ++i) {
    if (!std::isfinite(held.variance(i))) out.function(i) = sum / count;
  }
  return out;
}

/// Negative log density of each held-out row.
Vector log_losses(const Model& model, const Dataset& data) {
  const HeldOutErrors e = errors_of(model, data);
  return held_out_losses(e.residuals, e.function + e.noise, model.error_scale.degrees, Criterion::log);
}

/// Parts of the residuals that are left out together: folds, several of which are one part where there are many, or
/// random parts of a single fold. −1 for rows without a residual.
std::vector<int> parts_of(const Vector& residuals, const Folds& folds, std::uint64_t seed) {
  std::vector<int> part(static_cast<std::size_t>(residuals.size()), -1);
  for (std::size_t k = 0; k < folds.folds.size(); ++k) {
    for (const Index row : folds.folds[k].validation)
      part[static_cast<std::size_t>(row)] = static_cast<int>(k) % most_parts;
  }
  if (folds.size() < fewest_parts) {
    const std::vector<Index> order = Random(seed).permutation(residuals.size());
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = static_cast<int>(order[i] % most_parts);
  }
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (!std::isfinite(residuals(static_cast<Index>(i)))) part[i] = -1;
  }
  return part;
}

class LearnedNoise {
 public:
  LearnedNoise(const Dataset& data, const FitOptions& options, const TrainWithNoise& train)
      : data_(data),
        options_(options),
        train_(train),
        forced_(options.noise_model == NoiseModel::learned),
        asked_(name_of(options.noise_model)) {
    options_.noise_model = NoiseModel::constant;
  }

  FitResult run() {
    RaceRules rules;
    rules.places = {2};
    rules.hopeless = std::numeric_limits<double>::infinity();
    const std::vector<Raced> ranking =
        race(2, rules, [this](std::size_t contender, int) { return contender == 0 ? train_constant() : learn(); });
    if (!learned_) return finished(std::move(*constant_), {.asked = asked_});
    NoiseChoice choice{.asked = asked_, .rounds = rounds_};
    // Learned noise has more parameters, so that it must be better by more than a standard error.
    choice.learned = forced_ || ranking[simplest_of_the_best(ranking, {0, 1})].contender == 1;
    const MeanWithError gain = mean_with_error(constant_losses_ - learned_losses_);
    choice.gain = gain.mean;
    choice.gain_error = gain.error;
    return finished(std::move(choice.learned ? *learned_ : *constant_), std::move(choice));
  }

 private:
  Vector train_constant() {
    constant_ = train_(data_, options_);
    before_ = total(*constant_);
    if (!has_errors(*constant_)) return {};
    return constant_losses_ = log_losses(constant_->model, data_);
  }

  /// The rounds of learning, of which the best is kept. A training with constant noise that is far from constant states
  /// variances of the function that hide small noise. Where the first round gains nothing for certain, a second one
  /// therefore begins anew and takes all of the residuals for noise, which is at most too large; later rounds see the
  /// function better.
  Vector learn() {
    const FitResult* last = &*constant_;
    bool all_is_noise = false;
    while (rounds_ < most_learnings && may_go_on(*last)) {
      std::optional<FitResult> next = next_round(*last, all_is_noise);
      if (!next) break;
      ++rounds_;
      Vector losses = log_losses(next->model, data_);
      const MeanWithError gain = mean_with_error((learned_ ? learned_losses_ : constant_losses_) - losses);
      if (!learned_ || gain.mean > 0) {
        learned_ = std::move(next);
        learned_losses_ = std::move(losses);
        last = &*learned_;
      }
      if (rounds_ == 1 && !(gain.mean > gain.error)) {
        last = &*constant_;
        all_is_noise = true;
        continue;
      }
      all_is_noise = false;
      if (gain.mean < worth_a_round * gain.error) break;
    }
    return learned_losses_;
  }

  bool has_errors(const FitResult& result) const {
    const HeldOut& held = result.model.provenance.held_out;
    return !held.empty() && held.mean.array().isFinite().count() >= fewest_residuals && !has_ended(result.training);
  }

  bool may_go_on(const FitResult& last) {
    if (!has_errors(last)) return false;
    const TrainOptions& train = options_.train;
    const Deadline& end = *train.deadline;
    const bool late = end.is_limited() && watch_.seconds() > share_for_noise * end.limit();
    const bool asked = train.compute.stop && train.compute.stop();
    cut_short_ = agreed(train.compute.communicator.get(), late) || asked;
    return !cut_short_;
  }

  /// Learns the noise from the errors of a training, and trains again; nothing where the noise is constant.
  std::optional<FitResult> next_round(const FitResult& last, bool all_is_noise) {
    announce();
    const Stopwatch learning;
    const HeldOutErrors errors = errors_of(last.model, data_);
    const NoiseRows rows{last.model.scaling.inputs(data_.x), errors.residuals,
                         all_is_noise ? Vector::Zero(data_.rows()).eval() : errors.function};
    const FoundNoise found =
        find_noise(rows, parts_of(errors.residuals, last.folds, options_.train.seed),
                   {.worth_an_input = forced_ ? asked_evidence : wanted_evidence, .stop = options_.train.compute.stop});
    if (found.process.is_constant()) return std::nullopt;
    learning_ += learning.seconds();
    try {
      FitResult next = train_(weighted(found.at_rows), options_after(last, errors, found.at_rows));
      if (next.model.provenance.held_out.empty()) return std::nullopt;
      if (next.model.provenance.kernels.empty()) next.model.provenance.kernels = last.model.provenance.kernels;
      keep_process(next, found.process, found.at_rows);
      before_ += total(next);
      return next;
    } catch (const NumericalError& error) {
      why_ = error.what();
    } catch (const Interrupted&) {
      cut_short_ = true;
    }
    return std::nullopt;
  }

  /// The data with the noise of each row.
  Dataset weighted(const Vector& log_variance) const {
    Dataset out = data_;
    out.noise = (0.5 * log_variance).array().exp();
    out.columns.noise_is_weight = true;
    out.noise_is_learned = true;
    return out;
  }

  /// Options of a training that begins where the last one ended. The kernel is chosen once more among those that were
  /// compared to the end, since some of what looked like noise may be part of the function.
  FitOptions options_after(const FitResult& last, const HeldOutErrors& errors, const Vector& log_variance) const {
    FitOptions out = options_;
    out.warm.reset();
    const std::vector<RankedKernel>& ranking = last.model.provenance.kernels;
    std::vector<std::string> close;
    for (const RankedKernel& k : ranking) {
      if (k.rounds == ranking.front().rounds && std::isfinite(k.loss)) close.push_back(k.name);
    }
    if (options_.choose_kernel && last.model.noise_process.is_constant() && close.size() > 1) {
      out.candidates = close;
      return out;
    }
    for (const RankedKernel& k : ranking) {
      if (k.chosen) out.kernel = Kernel::parse(k.kernel);
    }
    out.choose_kernel = false;
    const std::vector<Optimum>& optima = last.training.optima;
    if (optima.empty() || !optima.front().reached() || optima.front().log_theta.size() == 0) return out;
    Vector start = optima.front().log_theta;
    // The noise of a typical row, relative to that of the last training.
    const double ratio = std::exp(log_variance.mean() - errors.noise.array().log().mean());
    start(start.size() - 1) += std::log(std::clamp(ratio, least_ratio, most_ratio));
    out.train.known_starts = {start};
    out.train.restarts = 1;
    out.train.scan_periods = false;
    return out;
  }

  /// Gives the model the process, relative to the noise of a row with the geometric mean of all.
  void keep_process(FitResult& result, NoiseProcess process, const Vector& log_variance) const {
    process.constant -= log_variance.mean();
    result.model.noise_process = std::move(process);
    result.model.columns = data_.columns;
  }

  void announce() const {
    if (!options_.progress) return;
    options_.progress(fmt::format("learning the noise: round {} ({:.0f} s)", rounds_ + 1, watch_.seconds()));
  }

  static double total(const FitResult& result) {
    double sum = 0;
    for (const auto& [phase, seconds] : result.seconds) sum += seconds;
    return sum;
  }

  FitResult finished(FitResult result, NoiseChoice choice) const {
    Provenance& provenance = result.model.provenance;
    if (cut_short_) provenance.message += "; the learning of the noise was cut short";
    if (!why_.empty()) provenance.message += fmt::format("; no learned noise: {}", why_);
    for (auto& [name, value] : provenance.settings) {
      if (name == "noise") value = choice.asked;
    }
    provenance.noise_choice = std::move(choice);
    // The phases are those of the training that is kept; the others are one phase.
    const double others = before_ - total(result);
    result.seconds.insert(result.seconds.begin(), {"noise", std::max(others, 0.0) + learning_});
    return result;
  }

  const Dataset& data_;
  FitOptions options_;
  const TrainWithNoise& train_;
  const bool forced_;
  const std::string asked_;
  const Stopwatch watch_;
  bool cut_short_ = false;
  std::string why_;
  int rounds_ = 0;
  double before_ = 0, learning_ = 0;  ///< seconds of all trainings, and of learning
  std::optional<FitResult> constant_, learned_;
  Vector constant_losses_, learned_losses_;
};

}  // namespace

void require_learnable_noise(const Dataset& data, const FitOptions& options) {
  if (options.noise_model == NoiseModel::constant) return;
  const std::string_view asked = name_of(options.noise_model);
  if (data.noise.size() > 0) {
    throw InputError(
        fmt::format("noise '{}': the table states the noise of each row, so that there is none to learn", asked));
  }
  if (options.noise.fixed || options.noise.given) {
    throw InputError(fmt::format("noise '{}': a given or fixed variance cannot be learned", asked));
  }
  if (options.robust) {
    throw InputError(
        fmt::format("noise '{}': large errors would count both as noise and as outliers of a robust training", asked),
        Remedy::omit_option, {"robust"});
  }
  if (!trainer_info(options.train.trainer).pools_folds) {
    throw InputError(fmt::format("noise '{}': the trainer {} cannot learn the noise, gauss-newton can", asked,
                                 options.train.trainer));
  }
  if (!options.checkpoint.empty()) {
    throw InputError(fmt::format("noise '{}': several trainings learn the noise, and a checkpoint holds one", asked),
                     Remedy::omit_option, {"checkpoint"});
  }
}

std::shared_ptr<const Model> with_constant_noise(const Model& model) {
  const Index d = model.scaling.x_mean.size();
  auto out = std::make_shared<Model>(model);
  out->noise_process = {};
  out->noise_reference = 0;
  out->x = model.x.leftCols(d);
  // The factor of the rows is the last of the kernel: "K * linear(on=[d], s2=1:fixed)".
  const std::string text = model.kernel.to_string();
  std::string rest = text.substr(0, text.rfind(" * linear("));
  out->kernel = Kernel::parse(rest).bind(d);
  return out;
}

FitResult fit_learned_noise(const Dataset& data, const FitOptions& options, const TrainWithNoise& train) {
  return LearnedNoise(data, options, train).run();
}

double time_of_learned_noise(const FitOptions& options) {
  constexpr double trainings = 2.5;
  return options.noise_model == NoiseModel::constant ? 1 : trainings;
}

}  // namespace gpcv
