/** The words of the pages that links of mails to the company's people open. */
export const WORDS = {
  en: {
    titles: {
      lead: "Enquiry",
      application: "Application",
      order: "Order to review",
      order_review: "Orders to review",
      lead_repeated: "Enquiries with new messages",
      payee_changed: "Where customers pay to now",
    },
    labels: {
      ...{ number: "Number", name: "Name", email: "E-mail", phone: "Phone", text: "Message", job: "Job" },
      ...{ status: "Status", amount: "Amount", reason: "To review", resume: "Résumé" },
    },
    acts: {
      converted: "Close: became a customer",
      lost: "Close: came to nothing",
      in_review: "Take into review",
      invoice: "Accept, and make the invoice",
      dismiss: "Reviewed",
    },
    nothingLeft: "Nothing can be done here.",
    refused: "It has changed meanwhile. This is how it is now.",
    over: {
      expired: ["This link has expired", "A link of a mail opens for 14 days."],
      gone: ["Gone", "What this link was about was deleted or erased."],
    },
  },
  hi: {
    titles: {
      lead: "पूछताछ",
      application: "आवेदन",
      order: "देखने लायक ऑर्डर",
      order_review: "देखने लायक ऑर्डर",
      lead_repeated: "नए संदेशों वाली पूछताछ",
      payee_changed: "ग्राहक अब यहाँ भुगतान करते हैं",
    },
    labels: {
      ...{ number: "नंबर", name: "नाम", email: "ई-मेल", phone: "फ़ोन", text: "संदेश", job: "नौकरी" },
      ...{ status: "स्थिति", amount: "राशि", reason: "कारण", resume: "रिज़्यूमे" },
    },
    acts: {
      converted: "बंद करें: ग्राहक बने",
      lost: "बंद करें: बात नहीं बनी",
      in_review: "समीक्षा में लें",
      invoice: "स्वीकार करें और बीजक बनाएँ",
      dismiss: "देख लिया",
    },
    nothingLeft: "यहाँ कुछ करना बाकी नहीं है।",
    refused: "इस बीच यह बदल गया है। अब यह ऐसा है।",
    over: {
      expired: ["इस लिंक का समय बीत गया", "ई-मेल का लिंक 14 दिन तक खुलता है।"],
      gone: ["अब नहीं है", "जिसके बारे में यह लिंक था, वह हटा या मिटा दिया गया है।"],
    },
  },
} as const;

export type Words = (typeof WORDS)["en" | "hi"];
export type Act = keyof Words["acts"];
