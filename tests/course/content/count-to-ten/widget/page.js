"use strict";
const DATA = JSON.parse(document.getElementById("data").textContent);
const last = document.getElementById("last");

function show() {
  for (const view of document.querySelectorAll("[data-view]"))
    view.innerHTML = VIEWS[view.dataset.view](Number(last.value));
}

last.value = new URLSearchParams(location.hash.slice(1)).get("last") ?? DATA.first.last;
last.addEventListener("input", show);
show();
