// Lets the desk refresh itself only while nobody is doing something on it: a refresh puts another desk in its place.
"use strict";

const desk = document.getElementById("desk");

function touched(control) {
  if (control.type === "checkbox") return control.checked !== control.defaultChecked;
  if (control.options) return control.selectedIndex !== Math.max(0, [...control.options].findIndex((one) => one.defaultSelected));
  return control.value !== control.defaultValue;
}

function busy() {
  if (desk.contains(document.activeElement) || desk.querySelector("details[open]")) return true;
  return [...desk.querySelectorAll("input:not([type=hidden]), select, textarea")].some(touched);
}

desk.addEventListener("htmx:beforeRequest", (event) => {
  if (busy()) event.preventDefault();
});
