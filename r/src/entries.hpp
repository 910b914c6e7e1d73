/// Functions that R calls. Each returns a value or a failure (guard.hpp).
#pragma once

#include <cpp11.hpp>

extern "C" {
SEXP gpcv_r_fit(SEXP x, SEXP y, SEXP columns, SEXP rows, SEXP settings, SEXP folds, SEXP how);
SEXP gpcv_r_check(SEXP x, SEXP y, SEXP columns, SEXP rows, SEXP settings, SEXP folds);
SEXP gpcv_r_describe(SEXP handle);
SEXP gpcv_r_held_out(SEXP handle, SEXP level);
SEXP gpcv_r_training(SEXP handle);
SEXP gpcv_r_findings(SEXP handle);
SEXP gpcv_r_verdict(SEXP handle, SEXP settings);
SEXP gpcv_r_diagnostics(SEXP handle, SEXP settings, SEXP level, SEXP display);
SEXP gpcv_r_report(SEXP handle, SEXP path, SEXP test, SEXP settings, SEXP display);
SEXP gpcv_r_evaluate(SEXP handle, SEXP x, SEXP y, SEXP how, SEXP settings);
SEXP gpcv_r_ranked(SEXP handles, SEXP names, SEXP criterion);
SEXP gpcv_r_path_of_target(SEXP path, SEXP names);
SEXP gpcv_r_load(SEXP path);
SEXP gpcv_r_save(SEXP handles, SEXP path);
SEXP gpcv_r_predict(SEXP handle, SEXP x, SEXP how, SEXP settings);
SEXP gpcv_r_components(SEXP handle, SEXP x, SEXP how, SEXP settings);
SEXP gpcv_r_covariance(SEXP handle, SEXP x, SEXP how, SEXP settings);
SEXP gpcv_r_sample(SEXP handle, SEXP x, SEXP how, SEXP settings);
SEXP gpcv_r_factors(SEXP handle, SEXP probabilities, SEXP kind);
SEXP gpcv_r_far_rows(SEXP handle, SEXP x);
SEXP gpcv_r_require_variance(SEXP text);
SEXP gpcv_r_years(SEXP numbers, SEXP per_day);
SEXP gpcv_r_iso_dates(SEXP texts);
SEXP gpcv_r_similar(SEXP names, SEXP wanted);
SEXP gpcv_r_draw(SEXP kernel, SEXP names, SEXP how);
SEXP gpcv_r_build(void);
}
