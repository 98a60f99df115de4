import { moneyToWire } from "#shared/fields/numbers.ts";
import { quoted } from "#shared/text/quoted.ts";
import { formatDate, formatMoney } from "../page/formats.ts";

type Particulars = {
  invoiceNumber: string;
  currency: string;
  totalAmount: number;
  amountDue: number;
  dueDate: string;
  customerName: string;
  company: string;
  /** Of the hosted page. */
  url: string;
  /** Whether the page takes the payment. */
  isPayable: boolean;
  /** What the sender adds, in lines. */
  message: string;
};

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
// A name of another direction takes the signs around it along, unless it is isolated.
const named = (name: string) => `<bdi>${escaped(name)}</bdi>`;
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

const BUTTON =
  "display:inline-block;margin:0 8px 8px 0;padding:10px 18px;text-decoration:none;border-radius:6px";
const button = (url: string, label: string, colours: string) =>
  `<a href="${escaped(url)}" style="${BUTTON};background-color:${colours}">${label}</a>`;

/** The e-mail that an invoice goes out with. */
export function invoiceMail(invoice: Particulars): { subject: string; html: string } {
  const { invoiceNumber, currency, company, url, message } = invoice;
  const money = (minor: number) => escaped(formatMoney(moneyToWire(minor), currency));
  const rows = [
    ["Invoice", escaped(invoiceNumber)],
    ["Total", money(invoice.totalAmount)],
    ["Due", invoice.amountDue > 0 ? `${money(invoice.amountDue)} by ${formatDate(invoice.dueDate)}` : "Paid"],
  ];
  const added = message === "" ? "" : `<p dir="auto">${escaped(message).replaceAll("\n", "<br>")}</p>`;
  const html = `<div style="max-width:32em;font-family:Arial,sans-serif;font-size:15px;line-height:1.5;color:#222">
<p>Dear ${named(invoice.customerName)},</p>
<p>Here is your invoice from ${named(company)}.</p>
${added}<table cellpadding="6" style="border-collapse:collapse">${rows
    .map(([name, value]) => `<tr><td style="color:#666">${name}</td><td><b>${value}</b></td></tr>`)
    .join("")}</table>
${invoice.isPayable ? `<p>${button(`${url}/pay`, "Pay now", "#1a56b0;color:#fff")}</p>` : ""}<p>${button(url, "View the invoice", invoice.isPayable ? "#e8eef8;color:#1a56b0" : "#1a56b0;color:#fff")}</p>
<p>${named(company)}</p>
</div>`;
  return { subject: quoted(`Invoice ${invoiceNumber} from ${company}`, 255), html };
}
