// The career page in the browser: it shows the open jobs, and sends an application with its file.
import { api, whenSent } from "./form.js";

const form = document.querySelector("form");
const jobs = document.getElementById("jobs");

whenSent(
  form,
  () => {
    const body = new FormData(form);
    const slug = body.get("job");
    body.delete("job");
    // What was left empty is not sent.
    for (const [name, value] of [...body]) if (value === "") body.delete(name);
    return api(`jobs/${encodeURIComponent(slug)}/apply`, { method: "POST", body });
  },
  ({ data }) => ["Thank you", `We have your application ${data.application_number} for ${data.job.title}.`],
);

try {
  const { data } = await (await api("jobs")).json();
  jobs.replaceChildren(...data.map(card));
  form.elements.job.append(...data.map(({ slug, title }) => new Option(title, slug)));
} catch {
  jobs.textContent = "The jobs could not be loaded. Please try again in a minute.";
}

function card({
  slug,
  title,
  department,
  location,
  workplace_type: place,
  description_html: html,
  closes_at: last,
}) {
  const item = document.createElement("li");
  const facts = [department?.name, location?.city, place.replace("_", " "), last && `until ${last}`];
  const about = Object.assign(document.createElement("p"), { className: "quiet" });
  about.textContent = facts.filter(Boolean).join(" · ");
  // The API gives it clean: it may stand in a page as it is.
  const text = Object.assign(document.createElement("div"), { innerHTML: html });
  const apply = Object.assign(document.createElement("a"), {
    href: "#apply",
    textContent: `Apply: ${title}`,
  });
  apply.onclick = () => {
    form.elements.job.value = slug;
  };
  item.append(Object.assign(document.createElement("h3"), { textContent: title }), about, text, apply);
  return item;
}
