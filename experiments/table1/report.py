"""The table in Markdown, published values beside ours, and what of it holds."""
from common import tables
from common.problems import PROBLEMS
from common.published import TABLE1_ADMM, TABLE1_GPML
from common.tables import listed, mean_and_deviation, number, paragraph, yes

from .methods import AUTHORS, CONSENSUS, LIKELIHOOD, METHODS, NAIVE, TRUTH
from .picture import HIGHEST, LOWEST

MEDIAN_TOLERANCE = 0.10
OVER_TRUTH = {"SE": 1.03, "LP": 1.06, "SE+LP": 1.06}
OVER_LIKELIHOOD = 1.02
HEADER = ["n", "method", "mean (std)", "RMSE", "median", "test MSE", "/ truth", "not converged", "median seconds"]


def ours(n, method, summary):
    if method is TRUTH:
        return [n, method.label, "", "", "", number(summary.test_mse), "1", "", ""]
    trouble = str(summary.unconverged) + (f", {summary.failed} failed" if summary.failed else "")
    return [n, method.label,
            listed(map(mean_and_deviation, summary.mean, summary.deviation)),
            listed(map(number, summary.rmse)), listed(map(number, summary.median)),
            number(summary.test_mse), "" if method.as_authors else f"{summary.over_truth:.3f}",
            f"{trouble} of {summary.trials}",
            number(summary.seconds, 2)]


def published(n, label, estimate):
    return [n, f"*{label}*", listed(map(mean_and_deviation, estimate.means, estimate.deviations)), "", "",
            number(estimate.test_mse, 2), "", "", ""]


def kernel_table(problem, sizes, summary):
    """One table: sizes and methods down, published rows in italics under the method they belong to."""
    rows = []
    for n in sizes:
        for method in METHODS.values():
            if not method.is_run(problem, n):
                continue
            if summary[n, method.name] is None:
                rows.append([n, method.label, "not run", *[""] * 6])
                continue
            rows.append(ours(n, method, summary[n, method.name]))
            paper = {AUTHORS: TABLE1_ADMM, LIKELIHOOD: TABLE1_GPML}.get(method, {}).get((problem.name, n))
            if paper:
                label = "published GPCV-ADMM" if method is AUTHORS else "published GPML"
                rows.append(published(n, label, paper))
    truth = ", ".join(f"{problem.symbols[name]} = {value:g}" for name, value in problem.truth.items())
    start = ", ".join(f"{problem.symbols[name]} = {value:g}" for name, value in problem.start.items())
    return f"### {problem.name}: truth {truth}; start {start}\n\n" + tables.markdown(HEADER, rows, left=2)


def verdicts(problem, n, method, s):
    """One row of checks for one kernel, size and method."""
    medians = []
    for name, median, truth in zip(problem.truth, s.median, s.truth):
        text = f"{problem.symbols[name]} {number(median)}"
        if name not in problem.unidentified:
            text += " " + yes(abs(median - truth) <= MEDIAN_TOLERANCE * truth)
        medians.append(text)
    limit = OVER_TRUTH[problem.name]
    return [problem.name, n, method.label, ", ".join(medians),
            f"{s.over_truth:.3f} ≤ {limit} {yes(s.over_truth <= limit)}",
            f"{s.over_likelihood:.3f} ≤ {OVER_LIKELIHOOD} {yes(s.over_likelihood <= OVER_LIKELIHOOD)}"]


def check_table(sizes, by_kernel):
    header = ["kernel", "n", "method", "medians within 10 % of the truth", "test MSE / truth",
              "test MSE / likelihood"]
    rows = [verdicts(problem, n, method, by_kernel[name][n, method.name])
            for name, problem in PROBLEMS.items() for n in sizes for method in (NAIVE, CONSENSUS)
            if by_kernel[name][n, method.name]]
    return tables.markdown(header, rows, left=6)


def report(noise, sizes, trials, by_kernel):
    """The whole page of one noise variance."""
    kernels = [kernel_table(problem, sizes, by_kernel[name]) for name, problem in PROBLEMS.items()]
    return "\n".join([
        f"# Table 1, noise variance {noise:g}\n",
        paragraph(f"""
            {trials} Monte Carlo trials per cell, 20 test points each, their targets with noise. Two
            interleaved folds, variances and noise held at the truth. RMSE and median are of the
            estimates; "/ truth" is the mean test error relative to that of the true hyper-parameters on
            the same trials; seconds are of one training with one thread. The authors' program has data of its own:
            its noise is uniform on [0, {noise:g}], and its start, steps and number of iterations are those of the
            authors' R programs; it has no stopping rule, so that it never counts as converged. Rows in italics are the
            paper's, whose noise variance is not stated."""),
        *kernels,
        "### What holds\n",
        paragraph("""
            The test errors are aimed at n = 1000 and 2000; smaller sizes are judged by the same numbers.
            The trend's length scale l₁ of SE+LP is only reported: over a few length scales the data
            hardly determine it."""),
        check_table(sizes, by_kernel),
        f"![Spread of the estimates](table1-noise-{noise:g}.svg)\n",
        paragraph(f"""
            Boxes are quartiles, whiskers reach from the 5th to the 95th percentile. ▲ and ▼ count the
            estimates above {HIGHEST:g} and below {LOWEST:g} times the truth, drawn at the edge.""")])
