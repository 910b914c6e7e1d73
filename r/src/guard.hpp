/// Border between R and C++: exceptions become values of which R's side makes conditions.
#pragma once

#include "lists.hpp"

namespace gpcv::r {

/// The exception in flight as a list of the class gpcv_failure with the entries `class`, `message` and `condition`.
cpp11::sexp failure_in_flight();

/// Calls a function and returns what it returns, or its failure, because a condition of R must not jump over objects of
/// C++. A jump of R itself goes on when these objects are gone.
template <class Function>
SEXP guarded(Function&& function) {
  SEXP jump = R_NilValue;
  try {
    try {
      return function();
    } catch (const cpp11::unwind_exception&) {
      throw;
    } catch (...) {
      return failure_in_flight();
    }
  } catch (const cpp11::unwind_exception& raised) {
    jump = raised.token;
  }
  R_ContinueUnwind(jump);
}

}  // namespace gpcv::r
