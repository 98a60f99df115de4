export { forgetOldEvents } from "./settings.ts";
