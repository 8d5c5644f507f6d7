"use strict";
const VIEWS = {
  sum: (last) => `<p>Adding up to ${last} gives <b>${total(last)}</b>.</p>`,
};

function first_shown() {
  return DATA.first.last;
}
