"""What the experiments share: calling gpcv, drawing data, keeping results, tables and figures."""
import os

# The environment as it was given, for gpcv: it takes its threads from --threads.
INHERITED = dict(os.environ)

# Experiments run side by side, one thread each; numpy's library reads this when it is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
