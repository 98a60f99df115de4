// What the API answers, as far as the widget reads it.

export type Course = {
  id: number;
  name: string;
  price: number;
  currency: string;
  duration_minutes: number;
  transmission: "auto" | "manual";
};

export type Slot = { start: string; end: string };

export type Instructor = {
  id: number;
  name: string;
  languages: string[];
  bio: string | null;
  photo_url: string | null;
  service_areas: { suburb: string | null; postcode: string | null }[];
  next_available?: (Slot & { date: string; timezone: string }) | null;
};

export type Availability = { slots: Slot[]; timezone: string };

export type Day = { date: string; available: boolean };

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
};

export type Settings = { online_payment_enabled: boolean };

export type Payment = {
  required: boolean;
  payment_url: string | null;
  payment_data: unknown;
  online_payment_enabled: boolean;
};
