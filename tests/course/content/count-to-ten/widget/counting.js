"use strict";
const LAST = 10;

function total(last) {
  let result = 0;
  for (let number = 1; number <= last; number += 1) result += number;
  return result;
}

function constants() {
  return { LAST };
}

function sums(last) {
  return Array.from({ length: last }, (_, index) => total(index + 1));
}
