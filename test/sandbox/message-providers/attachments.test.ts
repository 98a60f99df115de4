import { describe, expect, test } from "vitest";
import { Inbox } from "../../../src/sandbox/message-providers/inbox.ts";
import { standIn } from "../../../src/sandbox/message-providers/stand-ins.ts";

const CONTENT = "QkVHSU46VkNBTEVOREFSDQo=";
const MAIL = {
  from: "a@asha.example",
  to: "meera@example.com",
  subject: "Ready",
  html: "<p>x</p>",
  text: "x",
};
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

function send(kind: keyof typeof WHOLE, change: object) {
  const { path, list, file } = WHOLE[kind];
  const said = kind === "postmark" ? { From: MAIL.from, To: MAIL.to, Subject: "x", TextBody: "x" } : MAIL;
  const body = JSON.stringify({ ...said, [list]: [{ ...file, ...change }] });
  const inbox = new Inbox();
  const { reply } = standIn(kind, { path, headers: new Headers(), body }, inbox);
  return { reply, taken: inbox.list(null) };
}

describe.each(Object.keys(WHOLE) as (keyof typeof WHOLE)[])("%s", (kind) => {
  test("shows what an e-mail carries", () => {
    const { reply, taken } = send(kind, {});
    expect(reply).toMatchObject({ status: 200 });
    const file = { name: "lesson.ics", type: "text/calendar", content: CONTENT };
    expect(taken).toMatchObject([{ attachments: [file] }]);
  });

  test("refuses a file without a name, without content, or with content that is no base64", () => {
    const { file } = WHOLE[kind];
    const [name = "", , content = ""] = Object.keys(file);
    for (const change of [
      { [name]: undefined },
      { [content]: undefined },
      { [content]: "BEGIN:VCALENDAR" },
    ]) {
      const { reply, taken } = send(kind, change);
      expect(reply).toMatchObject({ status: 422 });
      expect(taken).toEqual([]);
    }
  });
});

test("a type is asked for by all but resend, which finds it by the name", () => {
  expect(send("resend", { content_type: undefined }).reply).toMatchObject({ status: 200 });
  expect(send("mail", { content_type: undefined }).reply).toMatchObject({ status: 422 });
  expect(send("postmark", { ContentType: undefined }).reply).toMatchObject({ body: { ErrorCode: 300 } });
});
