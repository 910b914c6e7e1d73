"""The pages of the Python API by pdoc: python_pages.py FOLDER."""
import sys
from pathlib import Path

import gpcv
import pdoc
from gpcv._prediction import Predictions

# The methods of this base, which is no public name, belong to the estimator.
for name, method in vars(Predictions).items():
    if not name.startswith("_") and name not in vars(gpcv.GPRegressor):
        setattr(gpcv.GPRegressor, name, method)

pdoc.render.configure(docformat="numpy")
pdoc.pdoc("gpcv", "gpcv.plot", output_directory=Path(sys.argv[1]))
