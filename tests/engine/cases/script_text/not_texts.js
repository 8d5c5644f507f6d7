// A comment that isn't closed: "3 words" and `4 more`
/* "5 in a
   comment" */
const pattern = /["'`] 6 marks/g, other = /[/"]seven words/.test(a) ? 8 : 9 / 10 / 11;
const number = 12.5e3, big = 13n, key = names["d e f"];
function twelve_parts(fourteen) { return fourteen / 2; } // "it's
