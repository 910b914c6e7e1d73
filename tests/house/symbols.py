"""Symbols point one way: the objects of a room use only what it and the rooms it is allowed to use define.

symbols.py LIST: LIST is a file that names the library's objects, one on each line. The linker would resolve a cycle between
rooms without a word, and includes.py cannot see one: a function may be declared in a public header or in a low room and be
defined in a high one.
"""
import collections
import pathlib
import subprocess
import sys

from includes import ROOMS


def symbols(objects):
    """(object, type, name) of every symbol with a name that others can see."""
    listing = subprocess.run(
        ["nm", "--print-file-name", "--no-sort", "--format=posix", *map(str, objects)],
        check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        place, name, kind, *_ = line.split(" ")
        yield pathlib.Path(place.rstrip(":")), kind, name


def readable(names):
    """The names as C++ writes them."""
    return subprocess.run(["c++filt"], check=True, capture_output=True, text=True,
                          input="\n".join(names)).stdout.splitlines()


def place_in_library(path):
    """trainers/common/registry.cpp.o of …/gpcv_objects.dir/trainers/common/registry.cpp.o."""
    return pathlib.Path(*path.parts[path.parts.index("gpcv_objects.dir") + 1:])


def main(listing):
    defined, used = collections.defaultdict(set), collections.defaultdict(set)
    files = [name for name in pathlib.Path(listing).read_text().split() if name.endswith(".o")]
    for path, kind, name in symbols(files):
        place = place_in_library(path)
        room = place.parts[0]
        if room not in ROOMS:
            print(f"{place}: this object is in no room")
            return 1
        if kind == "U":
            used[name].add((room, place))
        elif kind.isupper():  # lower case: seen by its own object alone, but for 'u', which every user has
            defined[name].add(room)
    wrong = set()
    for name, users in used.items():
        if len(defined[name]) != 1:
            continue  # another library's, or an inline function that every user has
        (home,) = defined[name]
        wrong |= {(str(path), room, home, name) for room, path in users if home != room and home not in ROOMS[room]}
    wrong = sorted(wrong)
    names = readable([name for *_, name in wrong])
    for (path, room, home, _), name in zip(wrong, names):
        print(f"{path}: {room} may not use {home}: {name}")
    if wrong:
        return 1
    print(f"{len(files)} objects of {len(ROOMS)} rooms, every symbol allowed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
