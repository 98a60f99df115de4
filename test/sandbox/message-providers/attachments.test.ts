import { expect, test } from "vitest";
import { Inbox } from "../../../src/sandbox/message-providers/inbox.ts";
import { standIn } from "../../../src/sandbox/message-providers/stand-ins.ts";

const CONTENT = "QkVHSU46VkNBTEVOREFSDQo=";
const ADDRESSED = { from: "a@asha.example", to: "meera@example.com", subject: "Ready" };
const MAIL = { ...ADDRESSED, html: "<p>x</p>", text: "x" };
const COMMON = { filename: "lesson.ics", content_type: "text/calendar", content: CONTENT };
const WHOLE = {
  resend: { path: "/emails", list: "attachments", file: COMMON },
  postmark: {
    path: "/email",
    list: "Attachments",
    file: { Name: "lesson.ics", ContentType: "text/calendar", Content: CONTENT },
  },
  "http-mail": { path: "", list: "attachments", file: COMMON },
  mail: { path: "", list: "attachments", file: COMMON },
};
type Kind = keyof typeof WHOLE;

function send(kind: Kind, change: object = {}) {
  const { path, list, file } = WHOLE[kind];
  const said = kind === "postmark" ? { From: MAIL.from, To: MAIL.to, Subject: "x", TextBody: "x" } : MAIL;
  const body = JSON.stringify({ ...said, [list]: [{ ...file, ...change }] });
  const inbox = new Inbox();
  const { reply } = standIn(kind, { path, headers: new Headers({ "User-Agent": "a/1" }), body }, inbox);
  return { reply, taken: inbox.list(null) };
}

test.each(Object.keys(WHOLE) as Kind[])("%s shows what an e-mail carries, with a name and base64", (kind) => {
  const file = { name: "lesson.ics", type: "text/calendar", content: CONTENT };
  expect(send(kind)).toMatchObject({ reply: { status: 200 }, taken: [{ attachments: [file] }] });
  const [name = "", , content = ""] = Object.keys(WHOLE[kind].file);
  const plain = { [content]: "BEGIN:VCALENDAR" };
  for (const change of [{ [name]: undefined }, { [content]: undefined }, plain])
    expect(send(kind, change)).toMatchObject({ reply: { status: 422 }, taken: [] });
});

test("a type is asked for by all but resend, which finds it by the name", () => {
  expect(send("resend", { content_type: undefined }).reply).toMatchObject({ status: 200 });
  expect(send("mail", { content_type: undefined }).reply).toMatchObject({ status: 422 });
  expect(send("postmark", { ContentType: undefined }).reply).toMatchObject({ body: { ErrorCode: 300 } });
});
