"""Which processor OpenBLAS computes for once the package is imported."""
import os
import pathlib
import subprocess
import sys

import pytest

SCRIPT = """
import ctypes, os
import gpcv
corename = ctypes.CDLL("libopenblas.so.0").openblas_get_corename
corename.restype = ctypes.c_char_p
print(corename().decode(), os.environ.get("OPENBLAS_CORETYPE"))
"""


def after_import(**settings):
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env={**environment, **settings}, capture_output=True, text=True,
                          check=True)
    return done.stdout.split()


@pytest.mark.skipif("avx2" not in pathlib.Path("/proc/cpuinfo").read_text(), reason="without AVX2 there is nothing to tell")
def test_a_processor_openblas_does_not_know_is_not_taken_for_an_old_one():
    name, left = after_import()
    assert name != "Prescott"
    assert left == "None"


def test_what_the_user_says_of_the_processor_stands():
    assert after_import(OPENBLAS_CORETYPE="Nehalem") == ["Nehalem", "Nehalem"]
