"""The table bricks.csv: made-up tests of bricks, with a column of text and empty cells.

    python bricks.py > bricks.csv
"""
import math
import random

rng = random.Random(7)
print("strength,temperature,hours,clay,moisture,outdoors")
for test in range(400):
    temperature, hours = rng.uniform(900, 1200), rng.uniform(4, 24)
    clay, moisture = rng.choice(["red", "red", "white", "grey"]), rng.uniform(5, 25)
    best = {"red": 1050, "white": 1130, "grey": 1090}[clay]
    strength = (20 + 16 * math.exp(-((temperature - best) / 90) ** 2) * (1 - math.exp(-hours / 7))
                - 0.015 * (moisture - 12) ** 2 + rng.gauss(0, 1.2))
    cells = [f"{strength:.1f}", f"{temperature:.0f}", f"{hours:.1f}", clay, f"{moisture:.1f}", f"{rng.uniform(-5, 30):.0f}"]
    for at in (1, 4):
        if rng.random() < 0.03:
            cells[at] = ""
    print(",".join(cells))
