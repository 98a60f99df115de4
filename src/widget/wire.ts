// What the API answers, as far as the widget reads it.

export type Course = {
  id: number;
  name: string;
  price: number;
  currency: string;
  duration_minutes: number;
  transmission: "auto" | "manual";
  is_package: boolean;
};

export type Slot = { start: string; end: string };

export type Instructor = {
  id: number;
  name: string;
  transmission: "auto" | "manual" | "both";
  languages: string[];
  bio: string | null;
  photo_url: string | null;
  service_areas: { suburb: string | null; postcode: string | null }[];
  next_available?: (Slot & { date: string; timezone: string }) | null | undefined;
};

/** All that a page begins with. */
export type Start = {
  settings: Settings;
  courses: Course[];
  instructors: Instructor[];
  timezone: string;
  visitor: string;
};

export type Day = { date: string; slots: Slot[] };

export type Booking = {
  id: string;
  booking_number: string;
  status: string;
  payment_status: string;
  total_amount: number;
  currency: string;
  booking_date: string;
  start_time: string;
  end_time: string;
  timezone: string;
  hold_expires_at: string | null;
  instructor: { name: string };
  /** What a visitor who cancels now can expect; null where it is too late. */
  cancellation?: { refund_amount: number } | null;
  /** The visitor's own page of the booking; returned once, when it is made. */
  manage_url?: string;
};

export type Settings = { online_payment_enabled: boolean; slot_length_minutes: number };

export type Payment = {
  required: boolean;
  /** An address to go to, or the script of Razorpay's Checkout with its options. */
  next_action: { url?: string; script?: string; options?: object } | null;
  online_payment_enabled: boolean;
};
