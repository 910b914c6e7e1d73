"""The shortest way from a table to predictions with intervals.

    python first_steps.py
"""

# %% A table: 300 rows, 3 features, the last of no use
import numpy as np

import gpcv

rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, (300, 3))
y = np.exp(-X[:, 0] ** 2) + 0.5 * X[:, 1] + 0.1 * rng.normal(size=300)

# %% Train, and see what cross-validation says
model = gpcv.GPRegressor().fit(X, y)
print(f"kernel  {model.kernel_.to_string(3)}")
print(f"noise   {model.noise_std_:.3f} (true 0.100)")
print(f"cv rmse {model.cv_results_['rmse']:.3f}, "
      f"95 % intervals hold {100 * model.cv_results_['coverage95']:.0f} % of the held-out rows")

# %% Predict
mean, lower, upper = model.predict([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]], interval=0.9)
for m, low, high in zip(mean, lower, upper):
    print(f"{m:.2f} between {low:.2f} and {high:.2f}")
