/// CBLAS and LAPACKE, the interfaces that all libraries share. MKL has headers of its own names.
#pragma once

#if __has_include(<cblas.h>) && __has_include(<lapacke.h>)
#include <cblas.h>
#include <lapacke.h>
#else
#include <mkl_cblas.h>
#include <mkl_lapacke.h>
#endif
