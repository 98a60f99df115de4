/** How the payment of a lesson stands, in the words of each language; `amount` and `moment` are written for it. */
export const SENTENCES = {
  en: {
    payBefore: (moment: string) => `It is not paid yet. Please pay before ${moment}.`,
    unpaid: "It is not paid yet.",
    refundDue: (amount: string) => `We will pay ${amount} back to you.`,
    refunded: (amount: string) => `We have paid ${amount} back to you.`,
  },
  hi: {
    payBefore: (moment: string) => `इसका भुगतान अभी बाकी है। कृपया ${moment} से पहले भुगतान करें।`,
    unpaid: "इसका भुगतान अभी बाकी है।",
    refundDue: (amount: string) => `${amount} आपको लौटा दिए जाएँगे।`,
    refunded: (amount: string) => `${amount} आपको लौटा दिए गए हैं।`,
  },
} as const;
