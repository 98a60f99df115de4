import type { bookings } from "#tables/bookings";

export type BookingStatus = (typeof bookings.status.enumValues)[number];
export type PaymentStatus = (typeof bookings.paymentStatus.enumValues)[number];
