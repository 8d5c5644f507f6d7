"use strict";
const texts = ["some 3 words", 'one "quoted" text', "h2", "M0 4h3", "0 0 640 300", "of 3", "", " "];
const names = { "a-1": 1, b2: "c 3", 'd e f': "twelve" };
text += " and it isn't\
 over";
label = "said \"so\", \u0033 \x34 times\u{35}\n";
