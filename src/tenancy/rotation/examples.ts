const KEY = "9f86d081884c";

export const keyRotationExample = {
  current_key_id: KEY,
  previous_key_id: "2c26b46b68ff",
  rotation: {
    key_id: KEY,
    started_at: "2026-11-21T09:30:00.000Z",
    started_by: "platform",
    status: "waiting" as const,
    databases: { waiting: 2, done: 40, failed: 0 },
    values: [{ key_id: KEY, values: 131 }],
  },
};

export const startedRotationExample = {
  ...keyRotationExample,
  rotation: { ...keyRotationExample.rotation, databases: { waiting: 42, done: 0, failed: 0 }, values: [] },
};

export const reencryptedDatabaseExample = {
  database: "meera",
  status: "done" as const,
  values: [{ column: "gateway_accounts.credentials", key_id: KEY, values: 1 }],
  error: null,
  looked_at: "2026-11-21T09:31:00.000Z",
};
