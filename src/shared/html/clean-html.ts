// The allow-list of HTML that others wrote. The tokeniser is that of `xss`, a kept sanitiser. A whole one does not fit:
// DOMPurify needs a DOM, which a Worker has not; sanitize-html brings PostCSS along; the filter of xss closes no tag.

// What comes out is put together anew: every `<` in it opens a tag named here, with attributes named here, whatever the
// tokeniser made of the input.

const TAGS = new Set(
  (
    "a abbr address article b big blockquote br caption center cite code col colgroup dd del details div dl dt em " +
    "figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q s samp " +
    "section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul wbr"
  ).split(" "),
);
const VOID_TAGS = new Set(["br", "col", "hr", "img", "wbr"]);
/** A second one in a row ends the first, as in a browser. */
const REPEATED_TAGS = new Set(["dd", "dt", "li", "p", "td", "th", "tr"]);
/** Dropped with all that stands in them. */
const HIDDEN_TAGS = new Set(
  "script style textarea option noscript title xmp noembed noframes template plaintext iframe".split(" "),
);

const ATTRIBUTES = new Set("class id title dir lang align valign width height bgcolor role".split(" "));
const ATTRIBUTES_OF = new Map(
  Object.entries({
    a: ["href", "name", "target"],
    img: ["src", "alt", "border"],
    table: ["border", "cellpadding", "cellspacing", "summary"],
    td: ["colspan", "rowspan", "nowrap", "scope"],
    th: ["colspan", "rowspan", "nowrap", "scope"],
    font: ["color", "face", "size"],
    ol: ["start", "type"],
  }),
);
// No `upi`: it would name a payee that no setting of the company has, whose changes are announced.
const LINK_SCHEMES = new Set(["http", "https", "mailto", "tel", "sms"]);
const IMAGE_SCHEMES = new Set(["http", "https", "cid"]);

const STYLE_NAME =
  /^(?:color|background(?:-color)?|font(?:-family|-size|-style|-weight)?|letter-spacing|line-height|text-(?:align|decoration|transform)|vertical-align|white-space|(?:max-|min-)?(?:width|height)|(?:margin|padding)(?:-(?:top|right|bottom|left))?|border(?:-(?:top|right|bottom|left))?(?:-(?:width|style|color))?|border-(?:(?:top|bottom)-(?:left|right)-)?radius|border-(?:collapse|spacing)|display|direction|float|opacity|overflow)$/;
const STYLE_VALUE = /^(?!.*(?:url|expression|image|var|env|attr)\s*\()[\w .,#%()'"+\-!/]{1,200}$/i;
/** Of a ground: one layer that is no picture, such as `#fff none no-repeat center/cover`. */
const GROUND = /^(?:[\w .#%\-!/]|(?:rgb|hsl)a?\([\d .,%/]+\))+$/i;

/** One that does not end takes the rest along. */
const COMMENT = /<!--(?:-?>|[\s\S]*?(?:-->|$))/g;
const MAX_DEPTH = 100;
/** The tokeniser's time grows with the square of one tag's length. */
const MAX_TAG_LENGTH = 4_096;

/**
 * Keeps of the HTML what a mail or a web page may show; scripts, frames, forms, event handlers and foreign addresses go.
 * `styles` keeps the harmless part of style attributes. Cleaning twice gives the same text.
 */
export async function cleanHtml(html: string, { styles }: { styles: boolean }): Promise<string> {
  // The tokeniser alone: the rest of the package is rules of its own, and a CSS parser.
  const { default: tokeniser } = await import("xss/lib/parser.js");
  let hidden: string | undefined;
  const onTag = (tag: string, text: string, isClosing: boolean) => {
    if (hidden !== undefined) {
      // A select ends its last option.
      if (isClosing && (tag === hidden || (tag === "select" && hidden === "option"))) hidden = undefined;
      return "";
    }
    if (!/^<[a-z/!?]/i.test(text)) return escapeText(text);
    if (!isClosing && HIDDEN_TAGS.has(tag)) hidden = tag;
    if (!TAGS.has(tag) || !text.endsWith(">") || text.length > MAX_TAG_LENGTH) return "";
    if (isClosing) return `</${tag}>`;
    const inside = text
      .slice(tag.length + 1, -1)
      .replace(/\/$/, "")
      .trim();
    return `<${tag} ${tokeniser.parseAttr(inside, (name, value) => attribute(tag, name, value, styles))}>`;
  };
  const cleaned = tokeniser.parseTag(
    html.replace(COMMENT, ""),
    (_at, _written, tag, text, isClosing) => onTag(tag, text, isClosing),
    (text) => (hidden === undefined ? escapeText(text) : ""),
  );
  return balance(cleaned).trim();
}

/** Whether a link or picture of cleaned HTML leads nowhere: its address was none that mails may have. */
export function lacksAddress(html: string): boolean {
  return /<(?:a|img)(?![^>]* (?:href|src|name|id)=)[ >]/.test(html);
}

/** The words of cleaned HTML, a line per block; a link's address follows it in brackets. */
export function htmlToText(html: string): string {
  const text = html
    .replace(/\s+/g, " ")
    .replace(/<a [^>]*?href="((?:https?|mailto):[^"]*)"[^>]*>(.*?)<\/a>/g, (_, address, label) =>
      label === address || `mailto:${label}` === address ? label : `${label} (${address})`,
    )
    .replace(/<li[^>]*>/g, "\n- ")
    .replace(
      /<(?:br|hr|tr)[^>]*>|<\/(?:article|blockquote|d[dt]|h[1-6]|header|ol|p|section|table|ul|div)>/g,
      "\n",
    )
    .replace(/<\/t[dh]>/g, " ")
    .replace(/<[^>]*>/g, "");
  return decodeEntities(text)
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function attribute(tag: string, name: string, raw: string, styles: boolean): string {
  const known = ATTRIBUTES.has(name) || /^aria-[a-z]+$/.test(name) || ATTRIBUTES_OF.get(tag)?.includes(name);
  let value = raw;
  if (name === "style") {
    value = styles ? allowedStyles(raw) : "";
    if (value === "") return "";
  } else if (!known) return "";
  if (name === "href" && !isAllowedAddress(raw, LINK_SCHEMES)) return "";
  if (name === "src" && !isAllowedAddress(raw, IMAGE_SCHEMES)) return "";
  return `${name}="${escapeText(value).replaceAll('"', "&quot;")}"`;
}

function allowedStyles(style: string): string {
  return decodeEntities(style)
    .split(";")
    .map((declaration) => {
      const colon = declaration.indexOf(":");
      const name = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
      const value = declaration
        .slice(colon + 1)
        .replace(/\s+/g, " ")
        .trim();
      const fits = STYLE_VALUE.test(value) && (name !== "background" || GROUND.test(value));
      return STYLE_NAME.test(name) && fits ? `${name}:${value}` : "";
    })
    .filter((declaration) => declaration !== "")
    .join(";");
}

/** A relative address, or one of an allowed scheme; browsers skip white space and controls in it, so this does too. */
function isAllowedAddress(value: string, schemes: ReadonlySet<string>): boolean {
  const address = decodeEntities(value).replace(/[\p{Cc}\p{Cf}\s]/gu, "");
  // An entity not decoded here might be a slash or a colon.
  if (/^[/\\][/\\&]/.test(address)) return false;
  const [head = ""] = address.split(/[/?#\\]/, 1);
  if (!head.includes(":")) return !head.includes("&");
  return schemes.has(head.slice(0, head.indexOf(":")).toLowerCase());
}

/** Closes what stands open, drops what closes nothing, and adds rel=noopener to links with a target. */
function balance(html: string): string {
  const open: string[] = [];
  const closed = html.replace(/<(\/?)([a-z0-9]+)([^>]*)>/g, (_, slash: string, tag: string, rest: string) => {
    if (slash !== "") return closeTo(open, open.lastIndexOf(tag));
    const attributes = rest.trimEnd();
    if (VOID_TAGS.has(tag)) return `<${tag}${attributes}>`;
    const ended = REPEATED_TAGS.has(tag) && open.at(-1) === tag ? closeTo(open, open.length - 1) : "";
    if (open.length >= MAX_DEPTH) return ended;
    open.push(tag);
    const safe = tag === "a" && attributes.includes(' target="') ? ' rel="noopener noreferrer"' : "";
    return `${ended}<${tag}${attributes}${safe}>`;
  });
  return closed + closeTo(open, 0);
}

function closeTo(open: string[], index: number): string {
  if (index < 0) return "";
  const ended = open.splice(index).reverse();
  return ended.map((tag) => `</${tag}>`).join("");
}

function escapeText(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  colon: ":",
  tab: "\t",
  newline: "\n",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  copy: "©",
  reg: "®",
  trade: "™",
  euro: "€",
  pound: "£",
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(x[\da-f]+|\d+);?|([a-z]+);)/gi, (entity, number?: string, name = "") => {
    if (number === undefined) return ENTITIES[name.toLowerCase()] ?? entity;
    const point = Number(number.replace(/^x/i, "0x"));
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  });
}
