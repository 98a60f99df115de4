// The contact form in the browser: what is sent becomes a lead of the company.
import { api, whenSent } from "./form.js";

whenSent(
  document.querySelector("form"),
  (form) => {
    const filled = [...new FormData(form)].filter(([, value]) => value !== "");
    const lead = { ...Object.fromEntries(filled), source: "website", page_url: location.href };
    return api("enquiry", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(lead),
    });
  },
  () => ["Thank you", "We have your message and will answer within two working days."],
);
