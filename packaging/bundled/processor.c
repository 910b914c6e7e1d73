/* OpenBLAS inside a program, on a processor that is newer than OpenBLAS: it assumes one without AVX where it does not
   recognise it, which halves the speed at least. When the program is loaded, and before OpenBLAS starts its threads, it is told
   of a processor that it knows and that has the instructions of this one, unless the user has chosen one. */
#include <stdlib.h>
#include <string.h>

#ifndef UNRECOGNISED
#define UNRECOGNISED "Prescott"
#endif
#define SETTING "OPENBLAS_CORETYPE"

char* openblas_get_corename(void);
void gotoblas_dynamic_init(void); /* nothing where it was called before */
void gotoblas_dynamic_quit(void);

static const char* capable_as(void) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return "SkylakeX";
  }
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "Haswell" : NULL;
}

__attribute__((constructor)) static void tell_openblas(void) {
  const char* name = capable_as();
  gotoblas_dynamic_init();
  if (name == NULL || getenv(SETTING) != NULL || strcmp(openblas_get_corename(), UNRECOGNISED) != 0) return;
  if (setenv(SETTING, name, 1) != 0) return;
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(SETTING);
}
