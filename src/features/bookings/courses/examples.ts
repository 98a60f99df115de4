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
