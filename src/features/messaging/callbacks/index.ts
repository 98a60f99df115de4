export { receiveChatapp } from "./chatapp.ts";
export { receiveCallback } from "./receive.ts";
