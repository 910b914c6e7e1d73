"""What this installation is."""

from __future__ import annotations

from typing import Any

from . import _core


def info() -> dict[str, Any]:
    """Say what this installation is, as ``gpcv info`` does.

    Returns
    -------
    dict
        ``version``; ``info``, a text about the library, its devices and the libraries that it was built with; ``threads``, the
        number that a fit uses by default; ``backends``; ``trainers``; ``candidates``, the kernels among which
        ``kernel="auto"`` chooses; ``trainer_options``, the names of the options of the published trainers; and ``blas``.
    """
    return {"version": _core.version(), "info": _core.build_info(), "threads": _core.default_threads(),
            "backends": _core.backends(), "trainers": _core.trainers(), "candidates": _core.candidate_names(),
            "trainer_options": _core.admm_settings(), "blas": _core.blas_name()}
