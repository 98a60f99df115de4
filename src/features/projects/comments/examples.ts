export const commentExample = {
  id: 12,
  body: "Reproduced on Android 14.",
  author: "Support desk",
  created_at: "2026-11-21T09:30:00.000Z",
};
