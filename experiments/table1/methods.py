"""The ways to find the hyper-parameters that are compared, each a line of gpcv arguments."""
import dataclasses

from common import figures
from common.draws import draw, draw_as_authors

COMMON = ("--folds", "2:interleaved", "--no-standardize", "--restarts", "1", "--no-period-scan")
AUTHORS_COMMON = ("--features", "x", "--fold-column", "fold")
GRID_FROM = 2000  # rows from which products use that the inputs are evenly spaced, where hundreds are needed per step


@dataclasses.dataclass(frozen=True)
class Method:
    """A trainer with its name in tables and its colour in figures."""

    name: str
    label: str
    trainer: tuple
    colour: str
    held: bool = False  # predicts with the true values
    as_authors: bool = False  # data and start values are those of the authors' programs
    largest: int | None = None  # size up to which it is run
    without: tuple = ()  # kernels for which it is not run
    many_products: bool = False

    def is_run(self, problem, n):
        """Whether there are trials of this method."""
        return problem.name not in self.without and (self.largest is None or n <= self.largest)

    def arguments(self, problem, n, noise, trial):
        """Everything after `gpcv fit DATA` that changes the outcome."""
        kernel, common = problem.kernel(problem.truth if self.held else problem.start, self.held), COMMON
        if self.as_authors:
            kernel, common = problem.families, AUTHORS_COMMON
        backend = ("--backend", "grid") if self.many_products and n >= GRID_FROM else ()
        return ["--target", "y", "--kernel", kernel, "--noise", f"{noise:g}:fixed", *common, "--trainer",
                *self.trainer, *backend, "--seed", str(trial)]

    def draw(self, problem, n, noise, trial, seed):
        """The data of one trial."""
        return (draw_as_authors if self.as_authors else draw)(problem, n, noise, trial, seed)


PAPER = Method("admm-paper", "ADMM as published", ("naive", "--preset", "paper", "--hold", "both"), figures.VERMILLION,
               many_products=True)
AUTHORS = Method("authors", "authors' program", ("naive", "--preset", "authors"), figures.PURPLE, as_authors=True,
                 many_products=True)
MORE = Method("authors-100", "authors' program, 100 iterations", ("naive", "--preset", "authors", "--max-iterations",
              "100"), figures.SKY, as_authors=True, largest=500,
              without=("SE+LP",))  # whose program has 100 iterations itself
NAIVE = Method("admm", "ADMM, improved", ("naive",), figures.BLUE)
CONSENSUS = Method("consensus", "consensus", ("consensus",), figures.GREEN)
LIKELIHOOD = Method("likelihood", "likelihood", ("likelihood",), figures.ORANGE)
TRUTH = Method("truth", "true values", ("likelihood",), figures.BLACK, held=True)
METHODS = {method.name: method for method in (PAPER, AUTHORS, MORE, NAIVE, CONSENSUS, LIKELIHOOD, TRUTH)}
