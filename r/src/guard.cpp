#include "guard.hpp"

#include "caller.hpp"
#include "gpcv/error.hpp"
#include "remedies.hpp"

namespace gpcv::r {
namespace {

/// Condition of R to be signalled: its class and message, or the condition itself.
struct Failure {
  const char* name = nullptr;
  std::string message = {};
  cpp11::sexp condition = {};
};

cpp11::sexp described(const Failure& failure) {
  const cpp11::sexp out =
      Named().add("class", failure.name).add("message", failure.message).add("condition", failure.condition).list();
  cpp11::safe[Rf_setAttrib](out, R_ClassSymbol, to_r("gpcv_failure"));
  return out;
}

/// The exception in flight.
Failure current_failure() {
  try {
    throw;
  } catch (const UserInterrupt&) {
    return {"interrupt"};
  } catch (const Interrupted&) {
    return {"interrupt"};
  } catch (const ConditionOfR& raised) {
    return {.name = "condition", .condition = raised.condition};
  } catch (const InputError& error) {
    return {"gpcv_input_error", in_words(error)};
  } catch (const NumericalError& error) {
    return {"gpcv_numerical_error", in_words(error)};
  } catch (const DeviceError& error) {
    return {"gpcv_device_error", in_words(error)};
  } catch (const Error& error) {
    return {"gpcv_internal_error", in_words(error)};
  } catch (const OutOfMemory& error) {
    return {"gpcv_memory_error", error.what()};
  } catch (const std::bad_alloc&) {
    return {"gpcv_memory_error", "there is not enough memory"};
  } catch (const std::exception& error) {
    return {"gpcv_internal_error", error.what()};
  }
}

}  // namespace

cpp11::sexp failure_in_flight() { return described(current_failure()); }

}  // namespace gpcv::r
