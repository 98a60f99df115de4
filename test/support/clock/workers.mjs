// Stands in the place of miniflare where TEST_CLOCK is set: each Worker begins with a module that shifts its clock.
import { convertV4MiniflareOptions as convert } from "miniflare";

const { TEST_CLOCK_OFFSET_MS: offset, TEST_CLOCK_SHIFT } = process.env;

export * from "miniflare";

/** The alarms of an object are kept by the runtime, whose clock is the machine's. */
const ALARMS = `
const shifted = (Class) => class extends Class {
  constructor(state, env) {
    const kept = Object.getPrototypeOf(state.storage);
    if (kept.realAlarm === undefined) {
      const { setAlarm, getAlarm } = kept;
      Object.assign(kept, {
        realAlarm: true,
        setAlarm(at, ...more) { return setAlarm.call(this, Number(at) - ${offset}, ...more); },
        async getAlarm() { const at = await getAlarm.call(this); return at === null ? null : at + ${offset}; },
      });
    }
    super(state, env);
  }
};`;

export function convertV4MiniflareOptions({ workers, ...options }) {
  return convert({ ...options, workers: workers.map(withShiftedClock) });
}

function withShiftedClock({ modules, durableObjects = {}, ...worker }) {
  const main = JSON.stringify(`./${modules[0].path}`);
  const classes = Object.values(durableObjects).map((one) => one.className ?? one);
  const contents = [
    `import "./clock-shift.js"; import * as all from ${main};`,
    `export * from ${main}; export { default } from ${main};`,
    ALARMS,
    ...classes.map((name) => `export const ${name} = shifted(all.${name});`),
  ].join("\n");
  const module = (path, text) => ({ type: "ESModule", path, contents: text });
  // What the database says of its clock, which stays the machine's.
  const asked = "unixepoch('subsec') * 1000";
  const shifted = modules.map((one) => ({
    ...one,
    contents: one.contents.replaceAll(asked, `${asked} + ${offset}`),
  }));
  return {
    ...worker,
    durableObjects,
    modules: [module("clock.js", contents), module("clock-shift.js", TEST_CLOCK_SHIFT), ...shifted],
  };
}
