/* "Show sources": each number of the page says what it is and where it was measured. All of it stands
   in the page already, in the numbers' own elements; this only brings it to the reader's eye. */
"use strict";

(() => {
  const KINDS = {
    computed: "measured by running the code",
    cited: "taken from a source",
    structural: "counted by the build",
  };
  const button = document.getElementById("sources");
  const panel = document.getElementById("source");
  const numbers = [...document.querySelectorAll("main data")];

  const name_of = (number) => number.dataset.from.split(", ")[0];

  /* What there is to say of a number, part by part: label and text. */
  function parts_of(number) {
    const [name, place] = number.dataset.from.split(", ");
    const { kind } = number.dataset;
    const others = numbers.filter((other) => name_of(other) === name && other.dataset.kind === kind);
    const measured = kind === "computed" && place;
    return [
      ["shown", number.textContent],
      ["kind", `${kind}: ${KINDS[kind]}`],
      measured || kind === "cited" ? ["fact", name] : ["from", name],
      ["unrounded", number.value],
      [measured ? "measured at" : "stands at", place],
      ["on this page", measured && others.length > 1 ? `${others.length} times` : ""],
    ].filter(([, text]) => text);
  }

  function tell(number) {
    const rows = parts_of(number).map(([label, text]) => {
      const [term, detail] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = label;
      detail.textContent = text;
      return [term, detail];
    });
    panel.replaceChildren(...rows.flat());
    panel.hidden = false;
    for (const other of numbers) other.classList.toggle("told", other === number);
  }

  function show(on) {
    document.body.classList.toggle("sources", on);
    button.setAttribute("aria-pressed", on);
    panel.hidden = true;
    for (const number of numbers) {
      number.classList.remove("told");
      if (on) number.tabIndex = 0;
      else number.removeAttribute("tabindex");
    }
  }

  const told = (event) => {
    const number = event.target.closest?.("main data");
    if (number && document.body.classList.contains("sources")) tell(number);
  };
  for (const kind of ["focusin", "click", "mouseover"]) document.addEventListener(kind, told);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.body.classList.contains("sources")) {
      show(false);
      button.focus();
    }
  });
  button.addEventListener("click", () => show(!document.body.classList.contains("sources")));
  button.hidden = false;
})();
