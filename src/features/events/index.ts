export { eventEraser, eventErasure } from "./erase.ts";
export { forgetOldEvents } from "./settings.ts";
