export { convertRecords } from "./convert.ts";
