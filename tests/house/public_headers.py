"""Every public declaration is documented and, where the library defines it, exported: GPCV_EXPORT stands in front of it.

public_headers.py ROOT checks; public_headers.py ROOT --mend exports what is not (then run clang-format).
"""
import pathlib
import re
import sys

NOT_EXPORTED = ("enum", "using", "constexpr", "template", "inline", "namespace", "friend", "extern")
OUT_OF_LINE = re.compile(r"\)\s*(const)?\s*(noexcept)?\s*(override)?\s*(=\s*0)?\s*;")


def code_of(line):
    """The line without strings and its comment."""
    return re.sub(r"//.*", "", re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', "", line))


def needs_export(lines, start):
    """Whether the class that begins on this line has members that the library defines, a base or virtual functions."""
    depth, head, own = 0, "", ""
    for line in lines[start:]:
        code = code_of(line)
        if depth == 0:
            head += code.split("{")[0]
        elif depth == 1 and "{" not in code and (" = " not in code or code.endswith(" = 0;")):
            own += code + "\n"  # a declaration of a member, neither a body nor a value
        depth += code.count("{") - code.count("}")
        if depth == 0 and ("}" in code or ";" in code):
            break
    return ":" in head or "virtual" in own or OUT_OF_LINE.search(own) is not None


def mended(line, lines, number):
    """The line as it should be."""
    if "GPCV_EXPORT" in line:
        return line
    kind = re.match(r"(struct|class) ", line)
    if kind:
        return f"{kind[1]} GPCV_EXPORT {line[kind.end():]}" if needs_export(lines, number) else line
    attribute = re.match(r"\[\[\w+\]\] ", line)
    at = attribute.end() if attribute else 0
    return f"{line[:at]}GPCV_EXPORT {line[at:]}"


def declarations(lines):
    """Numbers of the lines on which a declaration inside `namespace gpcv` begins."""
    depth, begins = 0, True
    for number, line in enumerate(lines):
        code = code_of(line).rstrip()
        if not code or code.startswith("#"):
            continue
        if depth == 1 and begins and code[0] not in " }":
            yield number
        depth += code.count("{") - code.count("}")
        begins = code.endswith((";", "}", "{"))


def exported(text):
    """The text as it should be: every declaration exported, and friends of classes too."""
    lines = text.splitlines()
    for number in declarations(lines):
        if re.match(r"\w*", lines[number])[0] not in NOT_EXPORTED:
            lines[number] = mended(lines[number], lines, number)
    for number, line in enumerate(lines):
        friend = re.match(r"(\s+friend )(?!class|struct|GPCV_EXPORT|bool operator==)(.*\);)$", code_of(line).rstrip())
        if friend:
            lines[number] = f"{friend[1]}GPCV_EXPORT {friend[2]}"
    text = "\n".join(lines) + "\n"
    include = '#include "gpcv/export.hpp"\n'
    if "GPCV_EXPORT" not in text or include in text:
        return text
    own = text.find('#include "gpcv/')
    if own >= 0:
        return text[:own] + include + text[own:]
    return text.replace("\nnamespace gpcv {", "\n" + include + "\nnamespace gpcv {", 1)


def undocumented(text):
    """Lines that begin a header or a group of declarations without a word on it."""
    lines = text.splitlines()
    numbers = [] if lines[0].startswith("///") else [0]
    for number in declarations(lines):
        declared = re.match(r"(struct|class) \w+;", lines[number])
        if not declared and lines[number - 1] == "":
            numbers.append(number)
    return numbers


def main(root, mend):
    wrong = []
    for path in sorted((pathlib.Path(root) / "include" / "gpcv").glob("*.hpp")):
        text = path.read_text()
        wanted = text if path.name == "export.hpp" else exported(text)
        if mend and wanted != text:
            path.write_text(wanted)
        lines = text.splitlines()
        if not mend and wanted != text:
            different = (n for n, (a, b) in enumerate(zip(lines, wanted.splitlines())) if a != b)
            number = next(different)
            wrong.append(f"{path}:{number + 1}: not exported: {lines[number]}")
        wrong += [f"{path}:{number + 1}: not documented: {lines[number]}" for number in undocumented(text)]
    print("\n".join(wrong) or "every public declaration is documented and exported")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--mend" in sys.argv))
