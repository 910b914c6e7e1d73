"""Command-line arguments that every experiment takes."""
import argparse
import os
import pathlib

HERE = pathlib.Path(__file__).resolve().parent.parent


def whole_numbers(text):
    """'500,1000' as [500, 1000]."""
    return [int(part) for part in text.split(",")]


def numbers(text):
    """'0.1,0.25' as [0.1, 0.25]."""
    return [float(part) for part in text.split(",")]


def parser(name, description):
    """A parser with the command, the output folder, the seed and how many fits run side by side."""
    result = argparse.ArgumentParser(prog=f"python3 -m {name}", description=description)
    result.add_argument("--command", type=pathlib.Path, default=HERE.parent / "build/release/bin/gpcv",
                        help="the gpcv command (default: %(default)s)")
    result.add_argument("--output", type=pathlib.Path, default=HERE / name / "results",
                        help="folder for the results (default: %(default)s)")
    result.add_argument("--seed", type=int, default=2019, help="of everything random (default: %(default)s)")
    result.add_argument("--jobs", type=int, default=os.cpu_count(),
                        help="fits side by side (default: %(default)s)")
    result.add_argument("--time-limit", type=float, default=3600,
                        help="seconds for one fit (default: %(default)s)")
    result.add_argument("--fresh", action="store_true", help="forget finished work instead of continuing it")
    return result
