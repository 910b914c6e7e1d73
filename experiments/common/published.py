"""Figures of Xu, Yin, Zhang, Luo and Cui, IJCAI 2019: their Table 1 and their errors on the CO2 record."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Estimate:
    """Mean and standard deviation of each hyper-parameter over 50 trials, and the mean test error."""

    means: tuple
    deviations: tuple
    test_mse: float


TABLE1_ADMM = {
    ("SE", 500): Estimate((0.46,), (0.054,), 0.12),
    ("SE", 1000): Estimate((0.50,), (0.044,), 0.12),
    ("SE", 2000): Estimate((0.50,), (0.017,), 0.12),
    ("LP", 500): Estimate((0.34, 1.13), (0.023, 0.080), 0.13),
    ("LP", 1000): Estimate((0.39, 1.06), (0.014, 0.063), 0.17),
    ("LP", 2000): Estimate((0.44, 1.19), (0.082, 0.008), 0.26),
    ("SE+LP", 500): Estimate((3.73, 0.94, 2.38), (0.280, 0.100, 0.150), 0.18),
    ("SE+LP", 1000): Estimate((3.74, 0.95, 2.14), (0.250, 0.110, 0.090), 0.13),
    ("SE+LP", 2000): Estimate((3.94, 0.99, 2.10), (0.075, 0.120, 0.080), 0.34),
}
TABLE1_GPML = {
    ("SE", 500): Estimate((0.52,), (0.018,), 0.13),
    ("SE", 1000): Estimate((0.50,), (0.017,), 0.14),
    ("SE", 2000): Estimate((0.53,), (0.020,), 0.14),
    ("LP", 500): Estimate((0.55, 1.06), (0.052, 0.090), 0.36),
    ("LP", 1000): Estimate((0.52, 1.16), (0.058, 0.130), 0.44),
    ("LP", 2000): Estimate((0.53, 1.02), (0.013, 0.019), 0.28),
    ("SE+LP", 500): Estimate((3.62, 1.08, 2.38), (0.630, 0.210, 0.860), 0.21),
    ("SE+LP", 1000): Estimate((3.61, 1.05, 2.27), (0.560, 0.180, 0.600), 0.15),
    ("SE+LP", 2000): Estimate((3.69, 1.09, 2.13), (0.390, 0.130, 0.290), 0.37),
}

# Length scales in years (the last has no unit) and the standardised test error, CO2 record.
CO2_ADMM = (27.0, 51.0, 1.26)
CO2_ADMM_ERROR = 1.307
CO2_RASMUSSEN_WILLIAMS = (67.0, 90.0, 1.3)
CO2_RASMUSSEN_WILLIAMS_ERROR = 1.408
