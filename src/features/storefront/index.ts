export { orderEffects } from "./confirm.ts";
