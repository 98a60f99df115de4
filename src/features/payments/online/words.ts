import type { Problem } from "#shared/problem.ts";
import type { Language } from "#shared/text/language.ts";

/** The texts of the page on which an invoice is paid. */
const ENGLISH = {
  pay: "Pay the invoice",
  to: "To",
  invoice: "Invoice",
  amount: "Amount due",
  payNow: "Pay now",
  goToPayment: "Go to the payment",
  backToInvoice: "Back to the invoice",
  awaited: "Payment on its way",
  awaitedText:
    "We are waiting for the payment service to confirm your payment. This page looks again by itself.",
  unconfirmed:
    "The payment service has not confirmed a payment yet. If you have paid, please do not pay again: the invoice will show it.",
  /** What a refusal says, by its code. */
  refusals: {
    payment_gateway_error:
      "The payment could not be started. Please try again in a minute, or ask the sender of the invoice.",
    idempotency_key_in_use: "This is being done already. Please look again in a moment.",
  },
  refused: "This could not be done. Please ask the sender of the invoice.",
};
type Words = typeof ENGLISH;

const HINDI: Words = {
  pay: "बीजक का भुगतान करें",
  to: "किसे",
  invoice: "बीजक",
  amount: "देय राशि",
  payNow: "अभी भुगतान करें",
  goToPayment: "भुगतान पर जाएँ",
  backToInvoice: "बीजक पर वापस जाएँ",
  awaited: "भुगतान आ रहा है",
  awaitedText: "हम भुगतान सेवा से आपके भुगतान की पुष्टि का इंतज़ार कर रहे हैं। यह पेज अपने आप फिर देखता है।",
  unconfirmed:
    "भुगतान सेवा ने अभी तक किसी भुगतान की पुष्टि नहीं की है। अगर आपने भुगतान कर दिया है, तो कृपया फिर भुगतान न करें: बीजक पर वह दिखेगा।",
  refusals: {
    payment_gateway_error: "भुगतान शुरू नहीं हो सका। कृपया एक मिनट बाद फिर कोशिश करें, या बीजक भेजने वाले से पूछें।",
    idempotency_key_in_use: "यह काम अभी हो रहा है। कृपया थोड़ी देर में फिर देखें।",
  },
  refused: "यह नहीं हो सका। कृपया बीजक भेजने वाले से पूछें।",
};

export const WORDS: Record<Language, Words> = { en: ENGLISH, hi: HINDI };

/** A refusal as its visitor reads it. */
export function refusalOf({ code }: Problem, language: Language): string {
  const { refusals, refused } = WORDS[language];
  return (refusals as Partial<Record<string, string>>)[code] ?? refused;
}
