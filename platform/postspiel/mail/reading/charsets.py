"""Bytes to text by a chain that always ends: the charset named, if it is one of those allowed; UTF-8; windows-1252.

Labels are looked up in a list, never handed to Python's codec registry: some codecs there run code or explode
(`unicode_escape`, `zlib`, `idna`, `utf-7`).
"""

import codecs
import re

_ISO = {f"iso8859{n}": f"iso8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)}
_WINDOWS = {f"{name}{n}": f"cp{n}" for n in range(1250, 1259) for name in ("cp", "windows")}
_DOS = {f"{name}{n}": f"cp{n}" for n in (437, 850, 852, 855, 858, 866, 874, 932, 949, 950) for name in ("cp", "ibm")}
ALLOWED = {
    **_ISO,
    **_WINDOWS,
    **_DOS,
    # What calls itself Latin-1 is windows-1252 in practice, which is also how browsers read it.
    **dict.fromkeys(("iso88591", "latin1", "l1"), "cp1252"),
    **dict.fromkeys(("usascii", "ascii", "ansix341968"), "ascii"),
    **dict.fromkeys(("utf8", "unicode11utf8"), "utf-8-sig"),
    **dict.fromkeys(("latin9", "l9"), "iso8859-15"),
    "iso88598i": "iso8859-8",
    "utf16": "utf-16",
    "utf16le": "utf-16-le",
    "utf16be": "utf-16-be",
    "koi8r": "koi8-r",
    "koi8u": "koi8-u",
    "macintosh": "mac-roman",
    "macroman": "mac-roman",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5",
    "shiftjis": "cp932",
    "eucjp": "euc-jp",
    "iso2022jp": "iso2022-jp",
    "euckr": "cp949",
    "ksc56011987": "cp949",
}
_ODD = re.compile(r"[^a-z0-9]+")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LATIN = frozenset({"cp1252", "iso8859-15"})


def decode(raw: bytes, label: str = "") -> str:
    """The text of `raw`; never fails. `label` is what the mail says its charset is.

    Some programs call everything Latin-1, and Latin-1 that happens to be right UTF-8 ("Ã¼") is none.
    """
    named = "utf-16" if raw.startswith(_UTF16) else ALLOWED.get(_ODD.sub("", label.lower()))
    for codec in ("utf-8-sig", named) if named in _LATIN else (named, "utf-8-sig"):
        try:
            if codec:
                return raw.decode(codec)
        except (UnicodeError, ValueError):
            continue
    return raw.decode("cp1252", "replace")
