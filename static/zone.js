// Offers the reader's own time zone where a form asks for one and he has not chosen yet.
"use strict";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const select of document.querySelectorAll("select[data-own-zone]")) {
  if ([...select.options].some((option) => option.value === zone)) select.value = zone;
}
