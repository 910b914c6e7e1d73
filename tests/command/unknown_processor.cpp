/// Preloaded, it makes the processor one that OpenBLAS does not know.
extern "C" char* openblas_get_corename();

char* openblas_get_corename() {
  static char name[] = "Prescott";
  return name;
}
