export { LOGOS } from "./profile/logo-files.ts";
