export const checkoutExample = {
  items: [{ product_id: 3, name: "Steel bottle", quantity: 2, unit_price: 499 }],
  customer: {
    name: "Meera Nair",
    email: "meera@example.com",
    phone: "+91 98470 12345",
    state: "Kerala",
    pincode: "682001",
    country: "IN",
  },
  currency: "INR",
  source_website: "shop.example.com",
  return_url: "https://shop.example.com/thanks",
  cancel_url: "https://shop.example.com/basket",
  shipping_amount: 50,
};

export const checkoutResultExample = {
  success: true as const,
  order_id: 12,
  order_number: "SO/26-27/00012",
  total_amount: 1_048,
  currency: "INR",
  gateway: "razorpay" as const,
  payment_data: {
    gateway: "razorpay" as const,
    key_id: "rzp_test_8aB3cD5eF7a1B2",
    razorpay_order_id: "order_R1b2C3d4E5f6G7",
    amount: 104_800,
    currency: "INR",
    name: "Asha Traders",
    prefill: { name: "Meera Nair", email: "meera@example.com", contact: "+91 98470 12345" },
    gateway_order_id: "order_R1b2C3d4E5f6G7",
  },
  next_action: {
    type: "razorpay_checkout" as const,
    script: "https://checkout.razorpay.com/v1/checkout.js",
    options: {
      key: "rzp_test_8aB3cD5eF7a1B2",
      order_id: "order_R1b2C3d4E5f6G7",
      amount: 104_800,
      currency: "INR",
      name: "Asha Traders",
      prefill: { name: "Meera Nair", email: "meera@example.com", contact: "+91 98470 12345" },
    },
  },
};
