/** A webhook to be sent: its body is signed and sent as it is. */
export type Event = { id: string; type: string; body: string };
