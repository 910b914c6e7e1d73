/// Models as objects of R, which saveRDS(), the workers of parallel and other sessions take like any other object.
#pragma once

#include <R_ext/Rdynload.h>

#include <functional>
#include <memory>
#include <string>

#include "caller.hpp"
#include "gpcv/model.hpp"
#include "gpcv/posterior.hpp"
#include "lists.hpp"

namespace gpcv::r {

/// Model with the posterior of its last prediction, which is kept for the next one.
class Trained {
 public:
  explicit Trained(Model model) : model_(std::make_shared<const Model>(std::move(model))) {}

  /// The model, which posteriors share.
  const std::shared_ptr<const Model>& model() const { return model_; }

  /// Runs work with the posterior, computed with these options, while the caller shows what it does.
  void with_posterior(const ComputeOptions& compute, Caller& caller, const std::function<void(const Posterior&)>& work);

 private:
  std::shared_ptr<const Model> model_;
  Caller* caller_ = nullptr;  ///< caller that the posterior asks whether it is to stop
  std::string options_;       ///< options of the posterior, as text
  std::unique_ptr<Posterior> posterior_;
};

/// Defines the type of R that holds models. Serialised, it is the bytes of the model's file.
void define_handles(DllInfo* library);

/// Model as an object of R.
cpp11::sexp to_handle(Model model);
/// Model of such an object. Throws InputError for another object.
Trained& trained_of(SEXP handle);

}  // namespace gpcv::r
