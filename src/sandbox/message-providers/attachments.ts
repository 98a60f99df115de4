import type { Attachment } from "./inbox.ts";

type Names = { list: string; name: string; type: string; content: string };

const COMMON = { list: "attachments", name: "filename", type: "content_type", content: "content" };
/** What each mailer calls the parts of an attachment. */
const NAMES: Record<string, Names> = {
  resend: COMMON,
  postmark: { list: "Attachments", name: "Name", type: "ContentType", content: "Content" },
  "http-mail": COMMON,
  mail: COMMON,
};

/** What a request to a mailer has attached; what is missing of one is empty. */
export function attachmentsIn(kind: string, body: string): Attachment[] {
  const names = NAMES[kind];
  if (names === undefined) return [];
  const listed: Record<string, string>[] = JSON.parse(body)[names.list] ?? [];
  return listed.map((one) => ({
    name: one[names.name] ?? "",
    type: one[names.type] ?? "",
    content: one[names.content] ?? "",
  }));
}

/** The body of the 422 by which a mailer refuses an e-mail for what is attached; undefined where it takes it. */
export function refusalOf(kind: string, attachments: readonly Attachment[]): object | undefined {
  for (const { name, type, content } of attachments) {
    const hasContent = content !== "" && isBase64(content);
    // It finds the type by the name where it has none: https://resend.com/docs/api-reference/errors
    if (kind === "resend") {
      if (!hasContent)
        return ofResend("invalid_attachment", "Attachment must have either a content or path.");
      if (name === "") return ofResend("missing_required_field", "Missing `filename` field.");
    } else if (!hasContent || name === "" || type === "")
      // "Invalid email request": https://postmarkapp.com/developer/api/overview#error-codes
      return kind === "postmark"
        ? { ErrorCode: 300, Message: "Invalid attachment: Name, Content, ContentType." }
        : { message: "An attachment has filename, content_type and content in base64" };
  }
  return undefined;
}

function ofResend(name: string, message: string) {
  return { statusCode: 422, name, message };
}

function isBase64(text: string): boolean {
  return Buffer.from(text, "base64").toString("base64") === text;
}
