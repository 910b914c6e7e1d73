"""The pages of the Python API by pdoc: python_pages.py FOLDER."""
import sys
from pathlib import Path

import gpcv
import pdoc

# Methods of bases that are no public names belong to the estimator.
for base in gpcv.GPRegressor.__mro__[1:]:
    for name, method in vars(base).items() if base.__module__.startswith("gpcv.") else ():
        if not name.startswith("_") and name not in vars(gpcv.GPRegressor):
            setattr(gpcv.GPRegressor, name, method)

pdoc.render.configure(docformat="numpy")
pdoc.pdoc("gpcv", "gpcv.plot", output_directory=Path(sys.argv[1]))
