// With TEST_CLOCK, an instant such as 2027-03-31T18:29:30Z, the system under test and the tests begin at that instant:
// this process, each that it starts, and by workers.mjs each Worker. Later than now, since sqld judges tokens by its own clock.
"use strict";

const { env } = process;
if (env.TEST_CLOCK && !env.TEST_CLOCK_OFFSET_MS) {
  env.TEST_CLOCK_OFFSET_MS = String(Date.parse(env.TEST_CLOCK) - Date.now());
  env.NODE_OPTIONS = `${env.NODE_OPTIONS ?? ""} --require=${__filename}`;
}
const offset = Number(env.TEST_CLOCK_OFFSET_MS ?? 0);

/** Shifts the clock of what runs it, by `offsetMs`; it stands alone, so that a page and a Worker can run its text. */
function shiftClock(offsetMs) {
  const { now } = Date;
  Date.now = () => now() + offsetMs;
  Object.defineProperty(performance, "timeOrigin", { value: performance.timeOrigin + offsetMs });
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, type) =>
      Reflect.construct(target, given.length === 0 ? [now() + offsetMs] : given, type),
    apply: (target) => String(new target(now() + offsetMs)),
  });
}

if (offset !== 0 && globalThis.isClockShifted === undefined) {
  globalThis.isClockShifted = true;
  // For what runs elsewhere.
  env.TEST_CLOCK_SHIFT = `(${shiftClock})(${offset});`;
  shiftClock(offset);
  // An older Node, as that of npm, starts no Worker.
  const { registerHooks } = require("node:module");
  const { pathToFileURL } = require("node:url");
  const around = pathToFileURL(`${__dirname}/workers.mjs`).href;
  registerHooks?.({
    resolve: (specifier, context, next) =>
      /(?:^|\/)miniflare(?:\/dist\/src\/index\.js)?$/.test(specifier) && context.parentURL !== around
        ? { url: around, format: "module", shortCircuit: true }
        : next(specifier, context),
  });
}
