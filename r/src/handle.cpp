#include "handle.hpp"

#include <R_ext/Altrep.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "gpcv/error.hpp"
#include "gpcv/model_bytes.hpp"
#include "remedies.hpp"

namespace gpcv::r {

void Trained::with_posterior(const ComputeOptions& compute, Caller& caller,
                             const std::function<void(const Posterior&)>& work) {
  std::string options = compute.backend;
  for (const double number :
       {static_cast<double>(compute.precision), static_cast<double>(compute.solver),
        static_cast<double>(compute.threads), static_cast<double>(compute.rank), static_cast<double>(compute.memory)}) {
    options += " " + std::to_string(number);
  }
  caller_ = &caller;
  struct Release {
    Caller*& caller;
    ~Release() { caller = nullptr; }
  } const release{caller_};
  caller.run([&] {
    if (!posterior_ || options != options_) {
      ComputeOptions stoppable = compute;
      stoppable.stop = [this] { return caller_ != nullptr && caller_->stops(); };
      posterior_ = std::make_unique<Posterior>(model_, stoppable);
      options_ = options;
    }
    work(*posterior_);
  });
}

namespace {

/// The type is that of an integer vector of length 1, whose value is the number of rows. Its first datum is the pointer
/// to the model, null before a serialised one was asked for; its second is a list of the bytes of such a model and of
/// the integer that is given to those who want an address.
R_altrep_class_t handle_class;

void finalize(SEXP pointer) {
  delete static_cast<Trained*>(R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

SEXP new_handle(Trained* trained, SEXP bytes) {
  SEXP pointer = PROTECT(R_MakeExternalPtr(trained, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, finalize, FALSE);
  SEXP rest = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(rest, 0, bytes);
  SEXP handle = PROTECT(R_new_altrep(handle_class, pointer, rest));
  UNPROTECT(3);
  return handle;
}

/// The model of a handle, which is made of its bytes where that was not done yet.
Trained& opened(SEXP handle) {
  SEXP pointer = R_altrep_data1(handle), rest = R_altrep_data2(handle);
  if (R_ExternalPtrAddr(pointer) == nullptr) {
    SEXP bytes = VECTOR_ELT(rest, 0);
    if (TYPEOF(bytes) != RAWSXP) throw InputError("the model is not in this session any more: fit it again");
    const auto* first = reinterpret_cast<const char*>(RAW(bytes));
    R_SetExternalPtrAddr(pointer,
                         new Trained(model_of(std::string(first, static_cast<std::size_t>(Rf_xlength(bytes))))));
    SET_VECTOR_ELT(rest, 0, R_NilValue);
  }
  return *static_cast<Trained*>(R_ExternalPtrAddr(pointer));
}

/// Calls a function that may throw, and makes an error of R of what it throws when its objects are gone.
template <class Function>
void or_error(Function&& function) {
  char message[1000] = "";
  try {
    function();
  } catch (const Error& error) {
    std::snprintf(message, sizeof message, "%s", in_words(error).c_str());
  } catch (const std::exception& error) {
    std::snprintf(message, sizeof message, "%s", error.what());
  }
  if (message[0] != '\0') Rf_error("%s", message);
}

// ---------------------------------------------------------------- what R calls

R_xlen_t length_of(SEXP) { return 1; }

int element_of(SEXP handle, R_xlen_t) {
  int rows = 0;
  or_error([&] { rows = static_cast<int>(opened(handle).model()->y.size()); });
  return rows;
}

void* address_of(SEXP handle, Rboolean) {
  SEXP rest = R_altrep_data2(handle);
  if (Rf_isNull(VECTOR_ELT(rest, 1))) SET_VECTOR_ELT(rest, 1, Rf_ScalarInteger(element_of(handle, 0)));
  return INTEGER(VECTOR_ELT(rest, 1));
}

/// Copies share the model, which never changes.
SEXP copy_of(SEXP handle, Rboolean) { return handle; }

SEXP state_of(SEXP handle) {
  SEXP out = VECTOR_ELT(R_altrep_data2(handle), 0);
  if (TYPEOF(out) == RAWSXP) return out;
  or_error([&] {
    const std::string bytes = bytes_of(*opened(handle).model());
    out = Rf_allocVector(RAWSXP, static_cast<R_xlen_t>(bytes.size()));
    std::memcpy(RAW(out), bytes.data(), bytes.size());
  });
  return out;
}

SEXP handle_of(SEXP, SEXP state) { return new_handle(nullptr, state); }

Rboolean inspect(SEXP handle, int, int, int, void (*)(SEXP, int, int, int)) {
  Rprintf("model of gpcv%s\n", R_ExternalPtrAddr(R_altrep_data1(handle)) == nullptr ? ", serialised" : "");
  return TRUE;
}

}  // namespace

void define_handles(DllInfo* library) {
  handle_class = R_make_altinteger_class("model", "gpcv", library);
  R_set_altrep_Length_method(handle_class, length_of);
  R_set_altrep_Duplicate_method(handle_class, copy_of);
  R_set_altrep_Serialized_state_method(handle_class, state_of);
  R_set_altrep_Unserialize_method(handle_class, handle_of);
  R_set_altrep_Inspect_method(handle_class, inspect);
  R_set_altvec_Dataptr_method(handle_class, address_of);
  R_set_altinteger_Elt_method(handle_class, element_of);
}

cpp11::sexp to_handle(Model model) {
  auto trained = std::make_unique<Trained>(std::move(model));
  cpp11::sexp handle = cpp11::unwind_protect([] { return new_handle(nullptr, R_NilValue); });
  R_SetExternalPtrAddr(R_altrep_data1(handle), trained.release());
  return handle;
}

Trained& trained_of(SEXP handle) {
  if (!R_altrep_inherits(handle, handle_class)) throw InputError("this is no model of gpcv, or it was changed");
  return opened(handle);
}

}  // namespace gpcv::r
