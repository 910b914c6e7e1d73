"""OpenBLAS on a processor newer than itself: it takes that for one without AVX, at half the speed and less, and can only
be told better before it is loaded. The command does the same (apps/gpcv/known_processor.hpp); results have its bits."""

import _ctypes
import contextlib
import ctypes
import os
import pathlib
from collections.abc import Iterator
from typing import Optional

_SETTING = "OPENBLAS_CORETYPE"
_UNKNOWN = b"Prescott"  # the last of those it tries
_CAPABLE_AS = {"SkylakeX": {"avx512f", "avx512bw", "avx512dq", "avx512vl"}, "Haswell": {"avx2", "fma"}}


def _name_to_tell() -> Optional[str]:
    """What this processor can do, by the name of one that OpenBLAS knows; None where it needs no telling."""
    if _SETTING in os.environ:
        return None
    try:
        library = ctypes.CDLL("libopenblas.so.0")
        corename = library.openblas_get_corename
        corename.restype = ctypes.c_char_p
        known = corename() != _UNKNOWN
        _ctypes.dlclose(library._handle)
        described = "" if known else pathlib.Path("/proc/cpuinfo").read_text()
    except (OSError, AttributeError):
        return None
    flags = set(described.partition("flags")[2].partition("\n")[0].split())
    return next((name for name, needed in _CAPABLE_AS.items() if needed <= flags), None)


@contextlib.contextmanager
def told_to_blas() -> Iterator[None]:
    """Inside, OpenBLAS is loaded for what the processor can do, unless the user has said otherwise or it is loaded."""
    name = _name_to_tell()
    if name is not None:
        os.environ[_SETTING] = name
    try:
        yield
    finally:
        if name is not None:
            del os.environ[_SETTING]
