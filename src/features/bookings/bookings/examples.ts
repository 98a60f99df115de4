export const newBookingExample = {
  customer: { name: "Mia Chen", email: "mia@example.com", phone: "0412 345 678", postcode: "2135" },
  instructor_id: 1,
  product_id: 1,
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
  instructor: { id: 1, name: "Priya Raman" },
};

export const manageUrlExample =
  "https://api.example.com/b/demo-school/Zm9yIHRoZSBkb2N1bWVudCBvbmx5OiAzMiBieXRlcyw";

export const paymentExample = {
  required: true,
  amount: 75,
  currency: "AUD",
  gateway: "stripe",
  payment_url: "https://checkout.stripe.com/c/pay/cs_test_a1b2",
  payment_data: {
    gateway: "stripe" as const,
    session_id: "cs_test_a1b2",
    checkout_url: "https://checkout.stripe.com/c/pay/cs_test_a1b2",
    publishable_key: "pk_test_51demo",
    gateway_order_id: "cs_test_a1b2",
  },
  next_action: {
    type: "redirect" as const,
    url: "https://checkout.stripe.com/c/pay/cs_test_a1b2",
  },
  status: "pending" as const,
  online_payment_enabled: true,
};

const { name, email, phone } = newBookingExample.customer;
export const staffBookingExample = {
  ...bookingExample,
  contact: { name, email, phone },
  customer: { id: "1", name, email, phone },
  customer_confirmed: true,
  product_id: newBookingExample.product_id,
  service_location_id: null,
  booking_package_id: null,
  pickup_address: newBookingExample.pickup_address,
  student_notes: null,
  cancel_reason: null,
  manage_url: manageUrlExample,
  needs_review: false,
  refund_status: "none" as const,
  refunded_amount: 0,
  invoice_id: null,
  invoice_number: null,
  payments: [
    {
      gateway: "razorpay" as const,
      status: "created" as const,
      amount: bookingExample.total_amount,
      currency: bookingExample.currency,
      gateway_order_id: "order_R1b2C3d4E5f6G7",
      gateway_payment_id: null,
      other_payment_ids: [],
      created_at: "2026-11-21T09:30:00.000Z",
      paid_at: null,
    },
  ],
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};
