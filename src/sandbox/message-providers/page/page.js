import { element, entry } from "./element.js";

// Shows what the stand-ins were sent, and lets a person press what happens next. Asks anew every two seconds.
const EVENTS = {
  sms: { delivered: "Delivered", failed: "Failed", rejected: "Rejected", stop: "Reply STOP" },
  chatapp: { delivered: "Delivered", read: "Read", failed: "Failed", stop: "Reply STOP" },
  email: { delivered: "Delivered", failed: "Bounce", rejected: "Spam complaint" },
};
const chosen = { number: undefined, mail: undefined };
const typed = new Map();
let messages = [];
let shownMail;
let last = "";

const at = (id) => document.getElementById(id);
const time = (message) => new Date(message.at).toLocaleTimeString();

function actions(message) {
  const buttons = Object.entries(EVENTS[message.channel]).map(([event, text]) =>
    element("button", { text, onclick: () => happen(message, event) }),
  );
  if (message.details.list_unsubscribe)
    buttons.push(element("button", { text: "Unsubscribe", onclick: () => happen(message, "unsubscribe") }));
  const told = message.events.map(({ name, answer, text }) =>
    element("div", {
      className: answer === 200 ? "told" : "told refused",
      text: `${answer === 200 ? "✓" : "✗"} ${EVENTS[message.channel][name] ?? text ?? name}: answered ${answer || "nothing"}`,
    }),
  );
  const reply = message.channel === "email" ? [] : [replyForm(message)];
  return [element("div", { className: "actions" }, ...buttons), ...reply, ...told];
}

/** What the person at this phone writes back; what was typed survives a refresh. */
function replyForm(message) {
  const field = element("input", {
    value: typed.get(message.id) ?? "",
    required: true,
    maxLength: 4_096,
    placeholder: "Write back",
  });
  field.setAttribute("aria-label", "Reply");
  field.setAttribute("list", "words");
  field.oninput = () => typed.set(message.id, field.value);
  const form = element("form", { className: "reply" }, field, element("button", { text: "Reply" }));
  form.onsubmit = (event) => {
    event.preventDefault();
    const body = JSON.stringify({ text: field.value });
    typed.delete(message.id);
    return happen(message, "reply", { body });
  };
  return form;
}

async function happen(message, event, options = {}) {
  const url = `/messages/${encodeURIComponent(message.id)}/${event}`;
  const response = await fetch(url, { method: "POST", ...options });
  if (!response.ok) alert((await response.json()).message);
  await refresh();
}

function showPhone() {
  const threads = Map.groupBy(
    messages.filter(({ channel }) => channel !== "email"),
    ({ to }) => to,
  );
  if (!threads.has(chosen.number)) chosen.number = threads.keys().next().value;
  at("numbers").replaceChildren(
    ...[...threads].map(([number, [latest]]) =>
      entry(`+${number}`, latest.text, number === chosen.number, () => {
        chosen.number = number;
        showPhone();
      }),
    ),
  );
  if (chosen.number === undefined) return;
  at("number").textContent = `+${chosen.number}`;
  at("bubbles").replaceChildren(
    ...threads.get(chosen.number).map((message) => {
      const about = [
        message.channel === "sms" ? `SMS from ${message.from || "no sender"}` : "Chat-app",
        message.kind,
        time(message),
      ];
      if (message.details.template_id) about.push(`template ${message.details.template_id}`);
      return element(
        "li",
        { className: message.channel },
        element("div", { className: "bubble", text: message.text }),
        element("p", { className: "about", text: about.join(" · ") }),
        ...actions(message),
      );
    }),
  );
}

function showMails() {
  const mails = messages.filter(({ channel }) => channel === "email");
  if (!mails.some(({ id }) => id === chosen.mail)) chosen.mail = mails[0]?.id;
  at("mails").replaceChildren(
    ...mails.map((mail) =>
      entry(mail.subject, mail.to, mail.id === chosen.mail, () => {
        chosen.mail = mail.id;
        showMails();
      }),
    ),
  );
  const mail = mails.find(({ id }) => id === chosen.mail);
  if (mail !== undefined) showMail(mail);
}

function showMail(mail) {
  const to = mail.to_name === null ? mail.to : `${mail.to_name} <${mail.to}>`;
  const head = [
    element("h2", { text: mail.subject }),
    element("p", { className: "about", text: `From ${mail.from}` }),
    element("p", { className: "about", text: `To ${to} · ${mail.kind} · ${time(mail)}` }),
    ...mail.attachments.map(fileLink),
    ...actions(mail),
  ];
  const frame = at("mail").querySelector("iframe");
  if (frame !== null && shownMail === mail.id) {
    while (frame.previousSibling !== null) frame.previousSibling.remove();
    frame.before(...head);
    return;
  }
  shownMail = mail.id;
  // Its links open in a tab of their own.
  const srcdoc = mail.html.replace(/^\s*(<!doctype[^>]*>)?/i, '$&<base target="_blank">');
  const body = element("iframe", { title: "The e-mail", srcdoc });
  // No script and no form; pictures, and links to pages that may do what pages do.
  body.setAttribute("sandbox", "allow-popups allow-popups-to-escape-sandbox");
  at("mail").replaceChildren(...head, body);
}

/** A file that the e-mail carries. */
function fileLink({ name, type, content }) {
  const href = `data:${type};base64,${content}`;
  const link = element("a", { text: name, href, download: name, title: type });
  return element("p", { className: "about" }, "Attached: ", link);
}

async function refresh() {
  const response = await fetch("/messages");
  const text = await response.text();
  if (text === last) return;
  last = text;
  messages = JSON.parse(text).data;
  showPhone();
  showMails();
}

await refresh();
setInterval(() => refresh().catch(() => undefined), 2_000);
