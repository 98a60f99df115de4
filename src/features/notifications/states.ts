import type { notifications } from "#tables/notifications";

export type Channel = (typeof notifications.channel.enumValues)[number];
export type State = (typeof notifications.state.enumValues)[number];
