#include "settings.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <omp.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "gpcv/error.hpp"
#include "gpcv/fit_settings.hpp"
#include "gpcv/machine.hpp"

namespace gpcv::python {

namespace nb = nanobind;

namespace {

/// Reader of settings that are present and not None. It records the names it was asked for.
class Reader {
 public:
  explicit Reader(const nb::dict& settings) : settings_(settings) {}

  template <class Value>
  void read(const char* name, Value& value) {
    known_.insert(name);
    if (!settings_.contains(name) || settings_[name].is_none()) return;
    if (!nb::try_cast(settings_[name], value)) refuse(name);
  }
  template <class Value>
  void read(const char* name, std::optional<Value>& value) {
    Value found{};
    known_.insert(name);
    if (!settings_.contains(name) || settings_[name].is_none()) return;
    if (!nb::try_cast(settings_[name], found)) refuse(name);
    value = found;
  }
  /// One number stands for a list of one.
  void read(const char* name, std::optional<std::vector<double>>& values) {
    known_.insert(name);
    if (!settings_.contains(name) || settings_[name].is_none()) return;
    if (double one = 0; nb::try_cast(settings_[name], one)) {
      values = std::vector<double>{one};
    } else if (std::vector<double> found; nb::try_cast(settings_[name], found)) {
      values = std::move(found);
    } else {
      refuse(name);
    }
  }
  void finish() const {
    for (const auto& [key, value] : settings_) {
      const auto name = nb::cast<std::string>(key);
      if (!known_.contains(name)) throw InputError(fmt::format("unknown setting '{}'", name));
    }
  }

 private:
  [[noreturn]] void refuse(const char* name) const {
    throw InputError(fmt::format("{} cannot be {}", name, nb::cast<std::string>(nb::str(nb::repr(settings_[name])))));
  }

  const nb::dict& settings_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace

int default_threads() {
  return std::max(1, std::min({available_threads(), omp_get_max_threads(), omp_get_thread_limit()}));
}

ComputeOptions compute_options(const nb::dict& settings) {
  Reader reader(settings);
  ComputeSettings wanted;
  wanted.threads = default_threads();
  ComputeSettings::visit_fields(wanted, [&](const char* name, auto& field) { reader.read(name, field); });
  reader.finish();
  return wanted.options();
}

FitOptions fit_options(const nb::dict& settings) {
  Reader reader(settings);
  FitSettings wanted;
  wanted.compute.threads = default_threads();
  FitSettings::visit_fields(wanted, [&](const char* name, auto& field) { reader.read(name, field); });
  // A field of FitOptions alone: a new one of FitSettings would change the binary interface.
  bool every_variance = false;
  reader.read("every_held_out_variance", every_variance);
  reader.finish();
  FitOptions options = wanted.options();
  options.every_held_out_variance = every_variance;
  return options;
}

}  // namespace gpcv::python
