// What the words in the search box are found in: functions, lines of stacks, reasons, kinds (`is:again`).

const functionTexts = functions.map((one) => `${one.name} ${one.full} ${one.madeBy}`.toLowerCase());
const stackTexts = stacks.map((stack) => stack.map((frame) => `${frame.full} ${frame.name}`).join("\n").toLowerCase());
const ownTexts = events.map((event) => {
  const cache = event.on_disk === null ? "" : event.on_disk ? "cache on disk had it" : "cache on disk did not have it";
  return `is:${event.what} ${KINDS[event.what].said} ${event.reasons.map(reasonText).join(" ")} ${event.thread} ${cache}`.toLowerCase();
});

// Returns whether each event matches all words.
function matching(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const tests = words.map((word) => {
    const inFunctions = functionTexts.map((one) => one.includes(word)), inStacks = stackTexts.map((one) => one.includes(word));
    return (event) => inFunctions[event.function.index] || inStacks[event.stackIndex] || ownTexts[event.index].includes(word);
  });
  return events.map((event) => tests.every((test) => test(event)));
}
