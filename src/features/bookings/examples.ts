export const instructorExample = {
  id: 2,
  name: "Priya Raman",
  gender: "female",
  languages: ["English", "Tamil"],
  transmission: "both" as const,
  bio: "Patient with nervous beginners.",
  photo_url: null,
  service_areas: [{ suburb: "Strathfield", postcode: "2135", state: "NSW", radius_km: 12 }],
};

export const courseExample = {
  id: 5,
  name: "Driving lesson, 60 minutes",
  price: 75,
  currency: "AUD",
  duration_minutes: 60,
  transmission: "auto" as const,
  is_package: false,
  sessions: null,
  product_type: "service",
};

export const availabilityExample = {
  success: true as const,
  available: true,
  reason: null,
  message: null,
  slots: [
    { start: "09:00", end: "10:00" },
    { start: "11:00", end: "12:00" },
  ],
  date: "2026-12-01",
  timezone: "Australia/Sydney",
  duration_minutes: 60,
};

export const datesExample = {
  success: true as const,
  dates: [
    { date: "2026-12-01", available: true, first_start: "09:00" },
    { date: "2026-12-02", available: false, first_start: null },
  ],
  timezone: "Australia/Sydney",
};

export const settingsExample = {
  timezone: "Australia/Sydney",
  currency: "AUD",
  slot_length_minutes: 60,
  slot_step_minutes: 60,
  buffer_minutes: 15,
  min_notice_minutes: 120,
  advance_days: 90,
  hold_minutes: 15,
  pending_hours: 48,
  cancel_window_hours: 24,
  default_radius_km: 15,
  online_payment_enabled: true,
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const fieldExample = {
  key: "student_types",
  label: "Takes",
  type: "multiselect" as const,
  options: ["beginners", "overseas licences"],
};

export const newBookingExample = {
  customer: { name: "Mia Chen", email: "mia@example.com", phone: "0412 345 678", postcode: "2135" },
  instructor_id: 2,
  product_id: 5,
  booking_date: "2026-12-01",
  start_time: "11:00",
  pickup_address: "12 The Boulevarde, Strathfield",
};

export const bookingExample = {
  id: "bkg_m5w3xkq2c7f4hplrz6ydtnja2e",
  booking_number: "BK-000123",
  status: "pending" as const,
  payment_status: "unpaid" as const,
  total_amount: 75,
  currency: "AUD",
  booking_date: "2026-12-01",
  start_time: "11:00",
  end_time: "12:00",
  timezone: "Australia/Sydney",
  hold_expires_at: "2026-11-21T09:45:00.000Z",
  instructor: { id: 2, name: "Priya Raman" },
};

export const paymentExample = {
  required: true,
  amount: 75,
  currency: "AUD",
  gateway: "stripe",
  payment_url: "https://checkout.stripe.com/c/pay/cs_test_a1b2",
  payment_data: { session_id: "cs_test_a1b2" },
  status: "pending" as const,
  online_payment_enabled: true,
};
