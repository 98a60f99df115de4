/** Where the script of the guides is served. */
export const SCRIPT_PATH = "/docs/guides.js";

const COPY = `
for (const sample of document.querySelectorAll("pre")) {
  const button = document.createElement("button");
  button.textContent = "Copy";
  button.onclick = async () => {
    await navigator.clipboard.writeText(sample.textContent);
    button.textContent = "Copied";
  };
  sample.after(button);
}
`;

// Of the company that the guide is about, where the samples have a place for a key. Answers stay as they are shown.
const FILL = `
const company = /\\bdemo-[a-z-]+/.exec(document.body.textContent)?.[0];
const samples = [...document.querySelectorAll("pre[data-runs] code")].filter((code) => /sk_\\.\\.\\.|\\$CLIENT_SECRET/.test(code.textContent));
if (samples.length > 0 && (company === "demo-traders" || company === "demo-driving"))
  fetch("/docs/demo.json", { signal: AbortSignal.timeout(10000) })
    .then((answer) => answer.json())
    .then(({ securitySchemes: keys }) => {
      const [id, secret] =
        company === "demo-driving" ? [keys.schoolId, keys.schoolSecret] : [keys.clientId, keys.clientSecret];
      for (const code of samples)
        code.textContent = code.textContent
          .replaceAll(/ck_\\.\\.\\.|\\$CLIENT_ID/g, id.value)
          .replaceAll(/sk_\\.\\.\\.|\\$CLIENT_SECRET/g, secret.value);
    })
    .catch(() => undefined);
`;

/** Lets each sample of a guide be copied; in a sandbox it also fills in the key of the demo company. */
export function guideScript(isSandbox: boolean): string {
  return isSandbox ? COPY + FILL : COPY;
}
