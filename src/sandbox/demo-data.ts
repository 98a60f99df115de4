/** The demo companies: an Indian trader with a past worth looking at, and an Australian driving school. */

export const TRADER = {
  slug: "demo-traders",
  name: "Demo Traders Private Limited",
  state: "Karnataka",
  gstin: "29AABCR1718E1ZL",
  email: "accounts@demo-traders.example",
  address: "12 Mahatma Gandhi Road\nBengaluru 560001",
};

export const SCHOOL = {
  slug: "demo-driving",
  name: "Demo Driving School",
  state: "New South Wales",
  country: "AU",
  currency: "AUD",
  timezone: "Australia/Sydney",
  email: "hello@demo-driving.example",
  address: "200 Church Street\nParramatta NSW 2150",
};

export const CUSTOMERS = [
  {
    name: "Meera Textiles",
    state: "Karnataka",
    pincode: "560002",
    city: "Bengaluru",
    email: "accounts@meera-textiles.example",
    phone: "+91 98450 11223",
    payment_terms_days: 15,
  },
  {
    name: "Nilgiri Coffee Works",
    state: "Tamil Nadu",
    pincode: "643001",
    city: "Udhagamandalam",
    gstin: "33AAAAR6720M1ZG",
    email: "orders@nilgiri-coffee.example",
    phone: "+91 94430 55667",
    payment_terms_days: 30,
  },
  {
    name: "Sahyadri Hardware",
    state: "Maharashtra",
    pincode: "411004",
    city: "Pune",
    gstin: "27AAPFU0939F1ZV",
    email: "purchase@sahyadri.example",
    phone: "+91 98220 31415",
    payment_terms_days: 30,
  },
  {
    name: "Gujarat Polymers",
    state: "Gujarat",
    pincode: "380009",
    city: "Ahmedabad",
    gstin: "24AAQCA8719H1ZC",
    email: "bills@gujarat-polymers.example",
    payment_terms_days: 45,
  },
  {
    name: "Himalayan Outfitters",
    state: "Uttarakhand",
    pincode: "248001",
    city: "Dehradun",
    gstin: "05AAACG2115R1ZN",
    email: "store@himalayan-outfitters.example",
    payment_terms_days: 15,
  },
  {
    name: "Kutch Export House",
    state: "Gujarat",
    pincode: "370201",
    city: "Gandhidham",
    gstin: "24AANFA2641L1ZF",
    gst_category: "sez",
    email: "sez@kutch-export.example",
    payment_terms_days: 30,
  },
  {
    name: "Anand Stationers",
    state: "Karnataka",
    pincode: "570001",
    city: "Mysuru",
    phone: "+91 99000 12345",
  },
  {
    name: "Delhi Print Studio",
    state: "Delhi",
    pincode: "110001",
    city: "New Delhi",
    email: "studio@delhi-print.example",
    payment_terms_days: 7,
  },
  {
    name: "Malabar Spices",
    state: "Kerala",
    pincode: "682001",
    city: "Kochi",
    email: "desk@malabar-spices.example",
    phone: "+91 98470 77889",
  },
  {
    name: "Charminar Events",
    state: "Telangana",
    pincode: "500002",
    city: "Hyderabad",
    email: "team@charminar-events.example",
  },
  {
    name: "Howrah Cafe Collective",
    state: "West Bengal",
    pincode: "711101",
    city: "Howrah",
    phone: "+91 98300 24680",
  },
  {
    name: "Ravi Kumar",
    state: "Karnataka",
    pincode: "560034",
    city: "Bengaluru",
    email: "ravi@kumar.example",
    phone: "+91 98860 13579",
  },
];

type Good = { item_name: string; unit: string; unit_price: number; tax_rate: number; hsn_sac_code: string };

const GOODS: readonly Good[] = [
  {
    item_name: "Steel bottle, 1 litre",
    unit: "NOS",
    unit_price: 349.5,
    tax_rate: 18,
    hsn_sac_code: "732393",
  },
  { item_name: "Filter coffee powder", unit: "KGS", unit_price: 612.75, tax_rate: 5, hsn_sac_code: "0901" },
  { item_name: "Cotton tote bag", unit: "PCS", unit_price: 129.99, tax_rate: 5, hsn_sac_code: "420222" },
  {
    item_name: "Notebook, ruled, 200 pages",
    unit: "NOS",
    unit_price: 84,
    tax_rate: 0,
    hsn_sac_code: "482020",
  },
  { item_name: "Desk lamp, LED", unit: "NOS", unit_price: 1249, tax_rate: 18, hsn_sac_code: "940521" },
  { item_name: "Ceramic mug, 300 ml", unit: "NOS", unit_price: 199.25, tax_rate: 5, hsn_sac_code: "691110" },
  { item_name: "Packing and delivery", unit: "NOS", unit_price: 150, tax_rate: 18, hsn_sac_code: "996812" },
];

const INVOICES = 26;
const DAYS_BETWEEN = 3;

export type DemoInvoice = { customer: number; daysAgo: number; items: (Good & { quantity: number })[] };

/** A trade of about eleven weeks: every few days another customer, one to four goods, a parcel now and then. */
export const INVOICE_PLAN: readonly DemoInvoice[] = Array.from({ length: INVOICES }, (_, index) => ({
  customer: (index * 5) % CUSTOMERS.length,
  daysAgo: (INVOICES - 1 - index) * DAYS_BETWEEN,
  items: GOODS.filter((_good, good) => (index + good * 3) % 5 < 2)
    .slice(0, 4)
    .map((good, line) => ({
      ...good,
      quantity: good.unit === "KGS" ? 2.5 + line : 1 + ((index + line) % 6),
    })),
}));

export const LOCATIONS = [
  {
    name: "Parramatta office",
    type: "office",
    city: "Parramatta",
    state: "NSW",
    postcode: "2150",
    latitude: -33.815,
    longitude: 151.0011,
    operating_hours: "Mon-Fri 08:00-18:00",
  },
  {
    name: "Silverwater test centre",
    type: "test_centre",
    city: "Silverwater",
    state: "NSW",
    postcode: "2128",
    latitude: -33.8356,
    longitude: 151.0474,
    operating_hours: "Mon-Fri 08:30-16:30",
  },
  {
    name: "Town Hall pickup",
    type: "pickup_point",
    city: "Sydney",
    state: "NSW",
    postcode: "2000",
    latitude: -33.8731,
    longitude: 151.2065,
  },
];
