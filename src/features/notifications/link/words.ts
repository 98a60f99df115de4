/** The words of the pages that links of mails to the company's people open. */
export const WORDS = {
  // Titles: a thing's by its kind, a notice's by its rule.
  lead: { en: "Enquiry", hi: "पूछताछ" },
  application: { en: "Application", hi: "आवेदन" },
  order: { en: "Order to review", hi: "देखने लायक ऑर्डर" },
  order_review: { en: "Orders to review", hi: "देखने लायक ऑर्डर" },
  lead_repeated: { en: "Enquiries with new messages", hi: "नए संदेशों वाली पूछताछ" },
  payee_changed: { en: "Where customers pay to now", hi: "ग्राहक अब यहाँ भुगतान करते हैं" },
  expired: { en: "This link has expired", hi: "इस लिंक का समय बीत गया" },
  gone: { en: "Gone", hi: "अब नहीं है" },
  // Names of values.
  number: { en: "Number", hi: "नंबर" },
  name: { en: "Name", hi: "नाम" },
  email: { en: "E-mail", hi: "ई-मेल" },
  phone: { en: "Phone", hi: "फ़ोन" },
  text: { en: "Message", hi: "संदेश" },
  job: { en: "Job", hi: "नौकरी" },
  status: { en: "Status", hi: "स्थिति" },
  amount: { en: "Amount", hi: "राशि" },
  reason: { en: "To review", hi: "कारण" },
  resume: { en: "Résumé", hi: "रिज़्यूमे" },
  // Acts.
  converted: { en: "Close: became a customer", hi: "बंद करें: ग्राहक बने" },
  lost: { en: "Close: came to nothing", hi: "बंद करें: बात नहीं बनी" },
  in_review: { en: "Take into review", hi: "समीक्षा में लें" },
  invoice: { en: "Accept, and make the invoice", hi: "स्वीकार करें और बीजक बनाएँ" },
  dismiss: { en: "Reviewed", hi: "देख लिया" },
  // Sentences.
  nothing_left: { en: "Nothing can be done here.", hi: "यहाँ कुछ करना बाकी नहीं है।" },
  refused: {
    en: "It has changed meanwhile. This is how it is now.",
    hi: "इस बीच यह बदल गया है। अब यह ऐसा है।",
  },
  why_expired: { en: "A link of a mail opens for 14 days.", hi: "ई-मेल का लिंक 14 दिन तक खुलता है।" },
  why_gone: {
    en: "What this link was about was deleted or erased.",
    hi: "जिसके बारे में यह लिंक था, वह हटा या मिटा दिया गया है।",
  },
} as const;

export type Word = keyof typeof WORDS;
