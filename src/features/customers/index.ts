export { isLive } from "./snapshot.ts";
