/** How a payment stands, in the words of each language; `amount` and `moment` are written for it. */
export const SENTENCES = {
  en: {
    payBefore: (moment: string) => `It is not paid yet. Please pay before ${moment}.`,
    unpaid: "It is not paid yet.",
    received: (amount: string) => `We have received your payment of ${amount}.`,
    refundDue: (amount: string) => `We will pay ${amount} back to you.`,
    refundDueToo: (amount: string) => `We will pay another ${amount} back to you.`,
    refunded: (amount: string) => `We have paid ${amount} back to you.`,
    staysPaid: (amount: string) => `${amount} stays paid.`,
    paidFor: {
      booking: (number: string) => `booking ${number}`,
      order: (number: string) => `order ${number}`,
      invoice: (number: string) => `invoice ${number}`,
    },
  },
  hi: {
    payBefore: (moment: string) => `इसका भुगतान अभी बाकी है। कृपया ${moment} से पहले भुगतान करें।`,
    unpaid: "इसका भुगतान अभी बाकी है।",
    received: (amount: string) => `${amount} का भुगतान मिल गया है।`,
    refundDue: (amount: string) => `${amount} आपको लौटा दिए जाएँगे।`,
    refundDueToo: (amount: string) => `आपको ${amount} और लौटाए जाएँगे।`,
    refunded: (amount: string) => `${amount} आपको लौटा दिए गए हैं।`,
    staysPaid: (amount: string) => `${amount} का भुगतान बना हुआ है।`,
    paidFor: {
      booking: (number: string) => `बुकिंग ${number}`,
      order: (number: string) => `ऑर्डर ${number}`,
      invoice: (number: string) => `बीजक ${number}`,
    },
  },
} as const;
