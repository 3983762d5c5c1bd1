"""HTML into PDF. WeasyPrint is imported when it is needed: it costs a process 40 MB (DESIGN section 7)."""

from __future__ import annotations

import hashlib
from datetime import datetime

from msgspec import Struct

VARIANT = "pdf/ua-1"
"""Tagged for screen readers, which costs a quarter of the time and is worth it."""


class Attached(Struct, frozen=True):
    """A file inside the PDF."""

    name: str
    content: bytes
    description: str


def pdf(html: str, *, attached: Attached, made: datetime) -> bytes:
    """The document as PDF/UA-1 (tagged, for screen readers), with a file attached.

    The same input gives the same bytes. Nothing is fetched: the HTML has to contain all that it shows.
    """
    from weasyprint import HTML, Attachment  # noqa: PLC0415 - see above
    from weasyprint.urls import URLFetcher  # noqa: PLC0415

    file = Attachment(
        string=attached.content,
        name=attached.name,
        description=attached.description,
        created=made,
        modified=made,
        relationship="Source",
    )
    identifier = hashlib.sha256(html.encode() + attached.content).hexdigest()[:32].encode()
    document = HTML(string=html, url_fetcher=URLFetcher(allowed_protocols=()))
    return bytes(document.write_pdf(pdf_variant=VARIANT, attachments=[file], pdf_identifier=identifier))
