"""No processor and no BLAS library is assumed: what belongs to one of them is named in one file each."""
import pathlib
import re
import sys

FOLDERS = ("src", "include", "apps", "python", "examples", "benchmarks", "tests")
SOURCES = {".cpp", ".hpp", ".h", ".in", ".py"}

# What may not be written, the files that may write it, and what to do instead.
RULES = [
    (r"#include <(\w*mmintrin|x86intrin|x86gprintrin|arm_neon|arm_sve|arm_acle|altivec|riscv_vector)\.h>|\b_mm(256|512)?_\w+"
     r"|\bv(ld|st)[1-4]q?_\w+|\b__m(128|256|512)\w*|\basm\s+volatile|\b__asm__",
     {"src/backends/simd/flush_denormals.hpp",  # the register of the floating-point mode
      "src/backends/simd/tiles/exp2-inl.h",  # AVX-512's table lookup and scaling
      "src/backends/cuda/source/kernel_text.cpp"},  # instructions of a GPU
     "use Highway, which has it for every processor"),
    (r"\b__(x86_64|i386|amd64|SSE\d?|AVX\w*|aarch64|arm|ARM_\w+|riscv|powerpc64|PPC64)(__)?\b|\b_M_(X64|AMD64|ARM64)\b"
     r"|\b__builtin_cpu_(supports|is|init)\b|\b__builtin_(ia32|aarch64)_\w+|\bcpuid\b",
     {"src/backends/simd/flush_denormals.hpp"},
     "ask hwy::SupportedTargets() or the library (gpcv/machine.hpp)"),
    (r"\bHWY_(AVX\w*|SSE\w*|SSSE3|NEON\w*|SVE\w*|ARCH_\w+)\b",
     {"src/backends/simd/tiles/enabled_targets.hpp",  # the compiled instruction sets
      "src/backends/simd/tiles/exp2-inl.h",
      "src/core/blas_library.cpp"},  # what OpenBLAS is told
     "write for any number of lanes"),
    (r"\bopenblas_\w+|\bOPENBLAS_\w+|\b(MKL|mkl)_\w+|\bbli_\w+|\bcatlas_\w+|\barmpl_\w+|\bflexiblas_\w+",
     {"src/core/blas_library.cpp",
      "src/core/blas_interfaces.hpp",  # the names of MKL's headers
      "python/gpcv/_processor.py",  # tells OpenBLAS before the library is loaded
      "python/tests/test_processor.py",
      "tests/command/unknown_processor.cpp",
      "tests/command/help_test.cpp"},
     "BLAS is called by CBLAS and LAPACKE, and its threads are set by BlasThreads"),
    (r"#include [<\"](cblas|lapacke|f77blas|mkl\w*|blis|openblas_config)\.h[>\"]",
     {"src/core/blas_interfaces.hpp"},
     'include "core/blas_interfaces.hpp"'),
    (r"-m(arch|cpu|tune)=\w", set(), "the library chooses its instructions when it runs"),
]


def main(root):
    root = pathlib.Path(root)
    wrong, used = [], set()
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*")):
        name = str(path.relative_to(root))
        if path.suffix not in SOURCES or name.startswith("tests/house/"):
            continue
        text = path.read_text()
        for pattern, allowed, advice in RULES:
            for match in re.finditer(pattern, text):
                if name in allowed:
                    used.add((pattern, name))
                else:
                    line = text.count("\n", 0, match.start()) + 1
                    wrong.append(f"{name}:{line}: '{match[0]}': {advice}")
    for pattern, allowed, _ in RULES:
        wrong += [f"{name} is allowed what it does not use; take it from the list of tests/house/portability.py"
                  for name in sorted(allowed) if (pattern, name) not in used]
    print("\n".join(wrong) or "no file assumes a processor or a BLAS library")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
