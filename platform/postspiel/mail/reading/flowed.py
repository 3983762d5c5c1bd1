"""format=flowed (RFC 3676), exactly: joins what a mail program broke, and nothing else."""

SEPARATOR = "-- "


def unflow(text: str, *, delsp: bool) -> str:
    """The paragraphs of a flowed text, each one line; quoted ones keep their quote marks. Lines end with newlines."""
    paragraphs: list[list[str]] = []
    open_depth = -1
    for raw in text.split("\n"):
        depth, line = _quoted(raw)
        flows = line.endswith(" ") and line != SEPARATOR
        body = line[:-1] if flows and delsp else line
        if depth == open_depth and line != SEPARATOR:
            paragraphs[-1].append(body)
        else:
            paragraphs.append([f"{'>' * depth} {body}" if depth else body])
        open_depth = depth if flows else -1
    return "\n".join(map("".join, paragraphs))


def _quoted(line: str) -> tuple[int, str]:
    """How deep a line is quoted, and the line without quote marks and stuffing (sections 4.4 and 4.5)."""
    bare = line.lstrip(">")
    return len(line) - len(bare), bare.removeprefix(" ")
