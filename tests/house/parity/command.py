"""The command's operations and options, as the built program lists them for a shell."""
import re
import subprocess
from pathlib import Path

# Commands that train, and share the options of a training.
TRAINING = ("fit", "check", "cv", "compare")


def items(program: Path) -> set[str]:
    """Names such as "fit" and "fit --kernel"."""
    script = subprocess.run([program, "completion", "fish"], capture_output=True, text=True, check=True).stdout
    found = set(re.findall(r"__fish_use_subcommand -a (\S+)", script))
    for command, option in re.findall(r"__fish_seen_subcommand_from (\S+?)' -l (\S+)", script):
        found.add(f"{command} --{option}")
    help_text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    found.update(re.findall(r"^  (?:-\w,)?(--\w+)", help_text, re.MULTILINE))
    return found


def results(root: Path) -> set[str]:
    """Keys of the JSON objects that the command prints: "json:importance"."""
    texts = [path.read_text() for path in (root / "src/report/json").glob("*.cpp")]
    return {f"json:{key}" for text in texts for key in re.findall(r'"([a-z]\w*)"', text)}


def bare(item: str) -> str:
    """Name of an option without its command, as code writes it."""
    return item.split("--")[-1].replace("-", "_") if "--" in item else ""


def shown(items_of_row: list[str]) -> list[str]:
    """Items of a row as the page shows them. An option without a command belongs to all commands that train."""
    commands: dict[str, list[str]] = {}
    texts = []
    for item in items_of_row:
        if item.startswith("json:"):
            texts.append(f"`{item[5:]}` of `--json`")
        elif " --" in item:
            command, option = item.split(" ", 1)
            commands.setdefault(option, []).append(command)
        else:
            texts.append(f"`gpcv {item}`")
    for option, owners in commands.items():
        others = [owner for owner in owners if owner not in TRAINING]
        if not set(TRAINING) <= set(owners):
            others = owners
        also = "also " if len(others) < len(owners) else ""
        texts.append(f"`{option}`" + (f" ({also}{', '.join(sorted(others))})" if others else ""))
    return texts
