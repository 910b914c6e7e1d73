"""The ways to find the hyper-parameters that are compared, each a line of gpcv arguments."""
import dataclasses

from common import figures

COMMON = ("--folds", "2:interleaved", "--no-standardize", "--restarts", "1", "--no-period-scan")


@dataclasses.dataclass(frozen=True)
class Method:
    """A trainer with its name in tables and its colour in figures."""

    name: str
    label: str
    trainer: tuple
    colour: str
    held: bool = False  # predicts with the true values

    def arguments(self, problem, noise, trial):
        """Everything after `gpcv fit DATA` that changes the outcome."""
        kernel = problem.kernel(problem.truth if self.held else problem.start, self.held)
        return ["--target", "y", "--kernel", kernel, "--noise", f"{noise:g}:fixed", *COMMON, "--trainer",
                *self.trainer, "--seed", str(trial)]


PAPER = Method("admm-paper", "ADMM as published", ("naive", "--preset", "paper"), figures.VERMILLION)
NAIVE = Method("admm", "ADMM, improved", ("naive",), figures.BLUE)
CONSENSUS = Method("consensus", "consensus", ("consensus",), figures.GREEN)
LIKELIHOOD = Method("likelihood", "likelihood", ("likelihood",), figures.ORANGE)
TRUTH = Method("truth", "true values", ("likelihood",), figures.BLACK, held=True)
METHODS = {method.name: method for method in (PAPER, NAIVE, CONSENSUS, LIKELIHOOD, TRUTH)}
