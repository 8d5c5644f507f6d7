const a = `${b} of ${c + 7} chats
  on a second line of 3`;
const nested = `all ${d.map((e) => `<b>${e} in four</b>, ${{ f: "a 5 in an object" }.f}`).join(", or 6 ")} seven`;
const braces = `see ${[1].map((g) => { if (g) { return `then ${g}`; } return { h: 8 }; })} nine`;
const escaped = `\`ten\` costs \${11} and $ 12 ${`13`}`;
const tagged = String.raw`fourteen \words`;
const empty = `${i}`;
