"""OpenBLAS on a processor that is newer than the library.

OpenBLAS assumes a processor without AVX where it does not recognise it, which halves the speed at least. The choice can
only be changed before the library is loaded. The command does the same (apps/gpcv/library_settings.hpp), so both compute
the same bits.
"""

import _ctypes
import contextlib
import ctypes
import os
import pathlib
from collections.abc import Iterator
from typing import Optional

_SETTING = "OPENBLAS_CORETYPE"
_UNKNOWN = b"Prescott"  # the processor that OpenBLAS assumes when it does not recognise it
_CAPABLE_AS = {"SkylakeX": {"avx512f", "avx512bw", "avx512dq", "avx512vl"}, "Haswell": {"avx2", "fma"}}


def _name_to_tell() -> Optional[str]:
    """Name of a processor that OpenBLAS knows and that has the instructions of this one; None if no name is needed."""
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
    """Context in which OpenBLAS is loaded for the instructions of the processor, unless the user has chosen one."""
    name = _name_to_tell()
    if name is not None:
        os.environ[_SETTING] = name
    try:
        yield
    finally:
        if name is not None:
            del os.environ[_SETTING]
