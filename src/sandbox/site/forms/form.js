// Sends a form, and says what became of it: what is wrong beside the field, the rest above the button.

/** Sends the form by `send(form)`, which gives a response; `done(body)` gives the words that take the form's place. */
export function whenSent(form, send, done) {
  const alert = form.querySelector("[role=alert]");
  // The button waits for this script: a form that is sent without it would put what was typed into the address.
  form.querySelector("button").disabled = false;
  form.onsubmit = async (event) => {
    event.preventDefault();
    for (const field of form.querySelectorAll("[aria-invalid]")) forget(field);
    alert.textContent = "";
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      const response = await send(form);
      const body = await response.json();
      if (response.ok) return thank(form, done(body));
      const marked = (body.errors ?? []).filter((error) => mark(form, error));
      alert.textContent = marked.length > 0 ? "Please check what is marked." : body.message;
      form.querySelector("[aria-invalid]")?.focus();
    } catch {
      alert.textContent = "This could not be sent. Please check your connection and try again.";
    } finally {
      button.disabled = false;
    }
  };
}

/** Calls the site's own server; throws where it gives no answer. */
export function api(path, request) {
  return fetch(`api/${path}`, { ...request, signal: AbortSignal.timeout(30_000) });
}

function mark(form, { field: name, message }) {
  const field = form.elements.namedItem(name);
  if (field === null) return false;
  const problem = Object.assign(document.createElement("small"), {
    id: `${name}-problem`,
    className: "problem",
  });
  problem.textContent = `This ${message}.`;
  field.after(problem);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", problem.id);
  return true;
}

function forget(field) {
  document.getElementById(`${field.name}-problem`)?.remove();
  field.removeAttribute("aria-invalid");
  field.removeAttribute("aria-describedby");
}

function thank(form, words) {
  const [title, text] = words.map((word, index) =>
    Object.assign(document.createElement(index === 0 ? "h2" : "p"), { textContent: word }),
  );
  title.tabIndex = -1;
  form.replaceChildren(title, text);
  title.focus();
}
