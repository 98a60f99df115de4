export const erasureExample = {
  id: "3",
  requested_at: "2026-11-21T09:30:00.000Z",
  person_hash: "kq3vXb0Qm1l2pZr8WcT5yE7uJ9aGdF4hNsVoIiRtBxM",
  reason: "Asked by letter on 19 November",
  erased: {
    ...{ customers: 1, orders: 0, leads: 1, applications: 0, messages: 12, inbound: 3 },
    ...{ bookings: 2, optouts: 1, suppressions: 0, events: 21, files: 1 },
  },
  kept: [
    {
      what: "invoices" as const,
      why: "CGST Act, section 36: accounts and records are kept for 72 months from the due date of the annual return of their year",
      until: "2033-12-31",
    },
  ],
};
