"""Every function and class of a public header that the library defines is exported: GPCV_EXPORT stands in front of it.

exports.py ROOT checks; exports.py ROOT --mend writes what is missing (then run clang-format).
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


def examined(text):
    """The text as it should be: every declaration inside `namespace gpcv`, and friends of its classes."""
    lines = text.splitlines()
    depth, begins = 0, True
    for number, line in enumerate(lines):
        code = code_of(line).rstrip()
        if not code or code.startswith("#"):
            continue
        word = re.match(r"\s*(\w*)", code)[1]
        if depth == 1 and begins and code[0] not in " }" and word not in NOT_EXPORTED:
            lines[number] = mended(line, lines, number)
        friend = re.match(r"(\s+friend )(?!class|struct|GPCV_EXPORT|bool operator==)(.*\);)$", code)
        if friend:
            lines[number] = f"{friend[1]}GPCV_EXPORT {friend[2]}"
        depth += code.count("{") - code.count("}")
        begins = code.endswith((";", "}", "{"))
    text = "\n".join(lines) + "\n"
    include = '#include "gpcv/export.hpp"\n'
    if "GPCV_EXPORT" not in text or include in text:
        return text
    own = text.find('#include "gpcv/')
    if own >= 0:
        return text[:own] + include + text[own:]
    return text.replace("\nnamespace gpcv {", "\n" + include + "\nnamespace gpcv {", 1)


def main(root, mend):
    wrong = []
    for path in sorted((pathlib.Path(root) / "include" / "gpcv").glob("*.hpp")):
        text = path.read_text()
        wanted = text if path.name == "export.hpp" else examined(text)
        if wanted == text:
            continue
        if mend:
            path.write_text(wanted)
            continue
        for number, (is_, should) in enumerate(zip(text.splitlines(), wanted.splitlines()), 1):
            if is_ != should:
                wrong.append(f"{path}:{number}: not exported: {is_}")
                break
    print("\n".join(wrong) or "every public declaration is exported")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--mend" in sys.argv))
