import type { Defaults } from "../template.ts";
import { BUTTON } from "./styles.ts";

const LESSON = `<p><b>{{booking.date}}, {{booking.time}}</b> ({{booking.zone}})<br>
प्रशिक्षक: {{booking.instructor}}<br>
जगह: {{booking.place}}<br>
बुकिंग: {{booking.number}}</p>`;
const LINK = `<p><a href="{{booking.link}}">अपनी बुकिंग देखें, बदलें या रद्द करें</a></p>`;
const SEE = `<p><a href="{{booking.link}}">अपनी बुकिंग देखें</a></p>`;
const CALENDAR = `<p><a href="{{booking.calendar}}">अपने कैलेंडर में जोड़ें</a></p>`;
const RECEIPT = `<p><a href="{{booking.receipt}}">अपनी रसीद या बीजक देखें</a></p>`;
const PAYMENT = "<p>{{booking.payment}}</p>";
const PHONE = "<p>फ़ोन: {{customer.phone}}</p>";
const LIST = "<p>{{notice.list}}</p>";
const OPEN = `<p><a href="{{notice.link}}" ${BUTTON}>इसे देखें</a></p>`;
const DEAR = "<p>नमस्ते {{customer.name}},</p>";
const FROM = "<p>{{company.name}}</p>";

/** The texts that go out where a company has written none of its own, in Hindi. */
export const HINDI: Defaults = {
  "booking_held.customer": {
    subject: "{{booking.date}} की क्लास पक्की करने के लिए भुगतान करें",
    html: `${DEAR}<p>यह क्लास {{booking.held}} तक आपके लिए रोकी गई है। {{booking.amount}} का भुगतान होने पर यह पक्की हो जाएगी:</p>${LESSON}
<p><a href="{{booking.link}}" ${BUTTON}>अभी भुगतान करें</a></p>${FROM}`,
  },
  "booking_unproven.customer": {
    subject: "{{booking.date}} की क्लास पक्की करें",
    html: `${DEAR}<p>यह क्लास {{booking.held}} तक आपके लिए रोकी गई है। कृपया उससे पहले इसे पक्की करें:</p>${LESSON}
<p><a href="{{booking.confirm}}" ${BUTTON}>क्लास पक्की करें</a></p><p>यह बुकिंग आपने नहीं की? तो कुछ न करें।</p>${FROM}`,
  },
  "booking_requested.customer": {
    subject: "{{booking.date}} के लिए आपका अनुरोध मिल गया है",
    html: `${DEAR}<p>धन्यवाद। हम इस क्लास की पुष्टि करेंगे या आपसे संपर्क करेंगे:</p>${LESSON}${LINK}${FROM}`,
  },
  "booking_requested.company": {
    subject: "नया अनुरोध: {{booking.date}}, {{booking.time}}, {{customer.name}}",
    html: `<p>{{customer.name}} ने क्लास के लिए अनुरोध किया है। कृपया इसकी पुष्टि करें।</p>${LESSON}${PHONE}`,
  },
  "booking_confirmed.customer": {
    subject: "{{booking.date}} को {{booking.time}} बजे आपकी क्लास पक्की है",
    html: `${DEAR}<p>आपकी क्लास पक्की हो गई है:</p>${LESSON}${PAYMENT}${RECEIPT}${LINK}${CALENDAR}${FROM}`,
  },
  "booking_confirmed.instructor": {
    subject: "{{booking.date}}, {{booking.time}} की क्लास: {{customer.name}}",
    html: `<p>{{customer.name}} की क्लास आपके साथ है:</p>${LESSON}${PHONE}`,
  },
  "booking_moved.customer": {
    subject: "आपकी क्लास अब {{booking.date}} को {{booking.time}} बजे है",
    html: `${DEAR}<p>आपकी क्लास का समय बदल गया है। नया समय:</p>${LESSON}<p>पहले का समय: {{booking.was}}</p>${PAYMENT}${LINK}${FROM}`,
  },
  "booking_moved.instructor": {
    subject: "क्लास का समय बदला: {{booking.number}}, {{customer.name}}",
    html: `<p>{{customer.name}} की क्लास का समय बदल गया है। नया समय:</p>${LESSON}<p>पहले का समय: {{booking.was}}</p>${PHONE}`,
  },
  "booking_cancelled.customer": {
    subject: "{{booking.date}} की आपकी क्लास रद्द हो गई है",
    html: `${DEAR}<p>यह क्लास रद्द हो गई है:</p>${LESSON}${PAYMENT}${SEE}${FROM}`,
  },
  "booking_cancelled.instructor": {
    subject: "क्लास रद्द: {{booking.date}}, {{booking.time}}, {{customer.name}}",
    html: `<p>{{customer.name}} की यह क्लास रद्द हो गई है:</p>${LESSON}`,
  },
  "booking_reminder_day.customer": {
    subject: "याद रखें: {{booking.date}} को {{booking.time}} बजे आपकी क्लास है",
    html: `${DEAR}<p>आपकी क्लास की याद दिलाने के लिए:</p>${LESSON}${LINK}${FROM}`,
  },
  "booking_reminder_hours.customer": {
    subject: "आपकी क्लास {{booking.time}} बजे शुरू होगी",
    html: `${DEAR}<p>आपकी क्लास जल्द ही शुरू होगी:</p>${LESSON}${LINK}${FROM}`,
  },
  "booking_refunded.customer": {
    subject: "{{payment.amount}} लौटा दिए गए हैं",
    html: `${DEAR}<p>बुकिंग {{booking.number}} के {{payment.amount}} लौटा दिए गए हैं।</p>${FROM}`,
  },
  "order_paid.customer": {
    subject: "ऑर्डर {{order.number}} के लिए धन्यवाद",
    html: `${DEAR}<p>ऑर्डर {{order.number}} के लिए {{invoice.amount}} का भुगतान मिल गया है।</p>
<p><a href="{{invoice.link}}">बीजक {{invoice.number}} देखें</a></p>${FROM}`,
  },
  "payment_receipt.customer": {
    subject: "{{payment.amount}} का भुगतान मिल गया है",
    html: `${DEAR}<p>बीजक {{invoice.number}} के लिए {{payment.amount}} का भुगतान मिल गया है। धन्यवाद।</p>${FROM}`,
  },
  "invoice_overdue.customer": {
    subject: "बीजक {{invoice.number}} का भुगतान {{invoice.due}} तक होना था",
    html: `${DEAR}<p>बीजक {{invoice.number}} के {{invoice.amount}} का भुगतान {{invoice.due}} तक होना था। यदि आप भुगतान कर चुके हैं, तो कृपया इस संदेश पर ध्यान न दें।</p>
<p><a href="{{invoice.link}}">बीजक देखें</a></p>${FROM}`,
  },
  "refund_made.customer": {
    subject: "{{payment.amount}} लौटा दिए गए हैं",
    html: `${DEAR}<p>बीजक {{invoice.number}} के लिए आपके {{payment.amount}} लौटा दिए गए हैं।</p>${FROM}`,
  },
  "credit_note_issued.customer": {
    subject: "क्रेडिट नोट {{credit.number}}: {{credit.amount}}",
    html: `${DEAR}<p>बीजक {{invoice.number}} में से {{credit.amount}} का क्रेडिट दिया गया है। यह पहले बकाया राशि से घटेगा, बाकी आपके खाते में जमा रहेगा।</p>
<p><a href="{{credit.link}}">क्रेडिट नोट देखें</a></p>${FROM}`,
  },
  "refund_sent.customer": {
    subject: "{{payment.amount}} आपको लौटा दिए गए हैं",
    html: `${DEAR}<p>{{payment.amount}} आपको लौटा दिए गए हैं। राशि उसी खाते या कार्ड में जाएगी जिससे आपने भुगतान किया था। बैंक में दिखने में कुछ दिन लग सकते हैं।</p>
<p>यह भुगतान इसके लिए था: {{payment.for}}</p><p>{{payment.rest}}</p><p><a href="{{payment.link}}">विवरण देखें</a></p>${FROM}`,
  },
  "refund_failed.company": {
    subject: "असफल रिफ़ंड: {{notice.count}}",
    html: `<p>{{company.name}} के कुछ रिफ़ंड असफल रहे। पिछले घंटे में: {{notice.count}}। यह पैसा अब भी लौटाना है। हर रिफ़ंड फिर से भेजें, या पैसा किसी और तरीके से लौटाएँ।</p>${LIST}`,
  },
  "lead_received.company": {
    subject: "{{lead.name}} ने संपर्क किया है",
    html: `<p>{{lead.name}} ने आपको लिखा है:</p><p>{{lead.text}}</p><p>ई-मेल: {{lead.email}}<br>फ़ोन: {{lead.phone}}<br></p>${OPEN}`,
  },
  "lead_acknowledged.lead": {
    subject: "आपका संदेश मिल गया है",
    html: `<p>नमस्ते {{lead.name}},</p><p>आपके संदेश के लिए धन्यवाद। हम जल्द ही उत्तर देंगे।</p>${FROM}`,
  },
  "application_received.company": {
    subject: "नया आवेदन: {{job.title}}, {{customer.name}}",
    html: `<p>{{customer.name}} ने {{job.title}} पद के लिए आवेदन किया है।</p><p>ई-मेल: {{customer.email}}<br>फ़ोन: {{customer.phone}}<br></p>${OPEN}`,
  },
  "application_acknowledged.applicant": {
    subject: "आपका आवेदन: {{job.title}}",
    html: `${DEAR}<p>{{job.title}} पद के लिए आवेदन करने के लिए धन्यवाद। आपका आवेदन मिल गया है और हम आपसे संपर्क करेंगे।</p>${FROM}`,
  },
  "order_review.company": {
    subject: "ऑर्डर जिन्हें देखना है: {{notice.count}}",
    html: `<p>{{company.name}} के कुछ ऑर्डर देखने की ज़रूरत है। पिछले घंटे में: {{notice.count}}।</p>${LIST}${OPEN}`,
  },
  "booking_review.company": {
    subject: "बुकिंग जिन्हें देखना है: {{notice.count}}",
    html: `<p>{{company.name}} की कुछ बुकिंग देखने की ज़रूरत है। पिछले घंटे में: {{notice.count}}।</p>${LIST}`,
  },
  "endpoint_disabled.company": {
    subject: "बंद किए गए इवेंट एंडपॉइंट: {{notice.count}}",
    html: `<p>{{company.name}} के इवेंट एंडपॉइंट काम नहीं कर रहे थे और बंद कर दिए गए हैं। पिछले घंटे में: {{notice.count}}। फिर से चालू करने तक उन्हें कोई इवेंट नहीं मिलेगा।</p>`,
  },
  "provider_unhealthy.company": {
    subject: "संदेश सेवाएँ जो काम नहीं कर रहीं: {{notice.count}}",
    html: `<p>{{company.name}} की संदेश सेवाएँ काम नहीं कर रही हैं और रोक दी गई हैं। पिछले घंटे में: {{notice.count}}।</p>${LIST}`,
  },
  "stock_low.company": {
    subject: "कम स्टॉक वाले उत्पाद: {{notice.count}}",
    html: `<p>{{company.name}} के कुछ उत्पादों का स्टॉक कम है। पिछले घंटे में: {{notice.count}}।</p>${LIST}`,
  },
  "lead_repeated.company": {
    subject: "पहले की पूछताछ में नए संदेश: {{notice.count}}",
    html: `<p>{{company.name}} की पहले की पूछताछ में नए संदेश आए हैं। पिछले घंटे में: {{notice.count}}।</p>${LIST}${OPEN}`,
  },
  "receiver_changed.former": {
    subject: "{{company.name}} की सूचनाएँ अब दूसरे पते पर जाती हैं",
    html: "<p>{{company.name}} का प्रबंधन करने वाले किसी व्यक्ति ने वह ई-मेल पता या फ़ोन नंबर बदला या जोड़ा है जिस पर सूचनाएँ जाती हैं। अब तक वे आपके पास आती थीं; हो सकता है कि आगे न आएँ।</p><p>अगर आपको इसकी उम्मीद नहीं थी, तो खाते के मालिक से API कुंजियाँ जाँचने को कहें।</p>",
  },
  "payee_changed.company": {
    subject: "{{company.name}} के भुगतान अब किसी दूसरे खाते में जा सकते हैं",
    html: `<p>{{company.name}} की UPI आईडी, बैंक खाता या भुगतान गेटवे का खाता बदला या जोड़ा गया है। ग्राहक जो भुगतान करते हैं, वह अब किसी दूसरे खाते में जा सकता है।</p>${LIST}${OPEN}<p>हर पंक्ति में लिखा है कि बदलाव किसने किया, उसकी API कुंजी की आईडी के साथ। अगर आपको इसकी उम्मीद नहीं थी, तो खाते के मालिक से वह कुंजी रद्द करने को कहें।</p>`,
  },
  "setting_changed.company": {
    subject: "{{company.name}} की सेटिंग बदली गई हैं",
    html: `<p>{{company.name}} की API कुंजियाँ या वे सेटिंग बदली गई हैं जो तय करती हैं कि उसके ई-मेल और डेटा कहाँ जाते हैं।</p>${LIST}<p>हर पंक्ति में लिखा है कि बदलाव किसने किया, उसकी API कुंजी की आईडी के साथ। अगर आपको इसकी उम्मीद नहीं थी, तो खाते के मालिक से वह कुंजी रद्द करने को कहें।</p>`,
  },
};
