const AT = "2026-11-21T09:30:00.000Z";

export const templateExample = {
  id: "1",
  template_id: "1107161234567890123",
  text: "Dear {#var#}, your order {#var#} is ready for pickup. - DEMOTR",
  sender_id: "DEMOTR",
  pe_id: null,
  created_at: AT,
  updated_at: AT,
};
