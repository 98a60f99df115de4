// Runs in the page: what a browser makes of mails that it must not make.
const FORBIDDEN =
  "script, iframe, frame, object, embed, applet, form, input, button, textarea, select, svg, math, style, link, meta, base, template, noscript, title, xmp";
const SCHEMES = ["http:", "https:", "mailto:", "tel:", "sms:", "cid:"];

/** Each mail's forbidden elements, handlers, and addresses of another kind, as `<index> <what>`. */
globalThis.judge = async (mails) => {
  const frames = mails.map((html) => {
    const frame = document.createElement("iframe");
    frame.srcdoc = `<!doctype html><html><body>${html}</body></html>`;
    document.body.append(frame);
    return frame;
  });
  await Promise.all(frames.map((frame) => new Promise((resolve) => frame.addEventListener("load", resolve))));
  return frames.flatMap(({ contentDocument }, index) => {
    const all = [...contentDocument.body.querySelectorAll("*")];
    const elements = all.filter((element) => element.matches(FORBIDDEN)).map(({ localName }) => localName);
    const attributes = all.flatMap((element) => [...element.attributes]).filter(isForbidden);
    return [...elements, ...attributes.map(({ name, value }) => `${name}=${value}`)].map(
      (what) => `${index} ${what}`,
    );
  });
};

function isForbidden({ name, value }) {
  if (/^on|^srcdoc$|^formaction$|^xlink/.test(name)) return true;
  if (name === "style")
    return /(?:url|image|expression)\s*\(|javascript\s*:|(?:^|;)\s*position\s*:/i.test(value);
  return /^(?:href|src|action|background)$/.test(name) && !isAllowed(value);
}

/** An address of a scheme that is allowed, or one on this very page's host; never one of another host without a scheme. */
function isAllowed(value) {
  const url = URL.parse(value, "https://relative.example/");
  // What no browser makes an address of leads nowhere.
  if (url === null) return true;
  const { protocol, host } = url;
  const absolute = URL.canParse(value);
  return SCHEMES.includes(protocol) && (absolute || host === "relative.example");
}
