const view = `<p class="a2" title="3 ${b} pages" data-x="4 words">Adding <b>5</b>
  up</p><svg viewBox="0 0 9 9"><path d="M0 4h3"/><text x="6" ARIA-LABEL='7 bars'>8</text></svg>`;
const tag = `<${name} height="9" alt="ten bars">here</${name}>`;
const parts = '<rect x="' + x + '" height="9" class="part 3"/>' + "'>three words</p>";
const less = "if 11 < 12 chats, and 13 > 9";
const heard = '" aria-label="all 14 of them" width="15';
const equation = "a sum = 16 pages";
