"""Numbers of threads: those of the environment, and a share of the cores for each worker of joblib."""
import os
import subprocess
import sys

import numpy as np
import pytest
from joblib import Parallel, delayed, parallel_config
from sklearn.model_selection import cross_val_score
from threadpoolctl import threadpool_limits

from conftest import pinned
from gpcv import _core

CORES = len(os.sched_getaffinity(0))


def in_a_process(**environment):
    plain = {k: v for k, v in os.environ.items() if not k.startswith("OMP_")}
    done = subprocess.run([sys.executable, "-c", "from gpcv import _core; print(_core.default_threads())"],
                          env={**plain, **environment}, capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_the_environment_limits_threads():
    assert in_a_process() == CORES
    assert in_a_process(OMP_NUM_THREADS="1") == 1
    assert in_a_process(OMP_NUM_THREADS="1,4") == 1
    assert in_a_process(OMP_NUM_THREADS="1000") == CORES
    assert in_a_process(OMP_THREAD_LIMIT="1") == 1


def test_threadpoolctl_limits_threads():
    with threadpool_limits(1):
        assert _core.default_threads() == 1


def worker_threads():
    from gpcv import _core

    return _core.default_threads()


@pytest.mark.skipif(CORES < 2, reason="one core cannot be shared")
def test_workers_of_joblib_share_the_cores():
    assert Parallel(n_jobs=2, backend="loky")(delayed(worker_threads)() for _ in range(2)) == 2 * [max(1, CORES // 2)]
    with parallel_config(backend="loky", inner_max_num_threads=1):
        assert Parallel(n_jobs=2)(delayed(worker_threads)() for _ in range(2)) == [1, 1]


def test_scores_by_several_workers(hill):
    one, two = (cross_val_score(pinned(restarts=1), *hill, cv=3, n_jobs=jobs) for jobs in (1, 2))
    np.testing.assert_allclose(one, two, rtol=1e-6)
