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
