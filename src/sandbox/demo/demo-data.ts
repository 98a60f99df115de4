// The records of the demo companies; `demo.ts` makes them through the API. Names and numbers are invented.

export const TRADERS = {
  slug: "demo-traders",
  name: "Demo Traders Private Limited",
  state: "Karnataka",
  gstin: "29AAKCD4821M1Z7",
  email: "accounts@demo-traders.example",
  address: "14 Avenue Road\nBengaluru 560002",
};

/** Where the state is not said, the GSTIN says it. */
export const CUSTOMERS = [
  {
    name: "Kaveri Stationers",
    email: "orders@kaveri-stationers.example",
    gstin: "29AAGFK3174P1ZO",
    city: "Mysuru",
    pincode: "570001",
    payment_terms_days: 15,
  },
  {
    name: "Nandi Hills Cafe",
    email: "hello@nandi-cafe.example",
    gstin: "29AACCN9051Q1ZP",
    city: "Bengaluru",
    pincode: "560001",
    payment_terms_days: 7,
  },
  {
    name: "Shaniwar Furnishings LLP",
    email: "purchase@shaniwar.example",
    gstin: "27ABJFS6620H1ZZ",
    city: "Pune",
    pincode: "411030",
    payment_terms_days: 30,
  },
  {
    name: "Coromandel Office Mart",
    email: "accounts@coromandel-mart.example",
    gstin: "33AAFCC2487L1ZG",
    city: "Chennai",
    pincode: "600002",
    payment_terms_days: 30,
  },
  {
    name: "Deccan Infotech Private Limited",
    email: "ap@deccan-infotech.example",
    gstin: "36AAHCD7739R1ZQ",
    city: "Hyderabad",
    pincode: "500081",
    payment_terms_days: 45,
  },
  {
    name: "Malabar Guest House",
    email: "stay@malabar-house.example",
    gstin: "32AADFM1856N1Z5",
    city: "Kochi",
    pincode: "682001",
    payment_terms_days: 15,
  },
  {
    name: "Sabarmati Studios",
    email: "studio@sabarmati.example",
    gstin: "24AAECS4093B1ZN",
    city: "Ahmedabad",
    pincode: "380009",
    payment_terms_days: 30,
  },
  {
    name: "Whitefield Software Park (SEZ unit)",
    email: "facilities@whitefield-park.example",
    gstin: "29AABCW5512E1ZG",
    gst_category: "sez",
    city: "Bengaluru",
    pincode: "560066",
    payment_terms_days: 30,
  },
  {
    name: "Hooghly Paper House",
    email: "desk@hooghly-paper.example",
    gstin: "19AAJFH8267C1Z4",
    city: "Kolkata",
    pincode: "700073",
    payment_terms_days: 21,
  },
  {
    name: "Krishna Coaching Centre",
    email: "office@krishna-coaching.example",
    gst_category: "unregistered",
    city: "Vijayawada",
    state: "Andhra Pradesh",
    pincode: "520002",
    payment_terms_days: 7,
  },
  {
    name: "Anita Deshpande",
    email: "anita.deshpande@mail.example",
    gst_category: "consumer",
    city: "Bengaluru",
    state: "Karnataka",
    pincode: "560003",
  },
  {
    name: "Yamuna Public School",
    email: "bursar@yamuna-school.example",
    city: "New Delhi",
    state: "Delhi",
    pincode: "110024",
    payment_terms_days: 30,
  },
];

/** What is sold, by the short names that the invoices use. */
export const GOODS = {
  paper: {
    item_name: "Copier paper A4, ream",
    hsn_sac_code: "4802",
    unit: "REAM",
    unit_price: 268,
    tax_rate: 18,
  },
  notebook: {
    item_name: "Exercise notebook",
    hsn_sac_code: "4820",
    unit: "NOS",
    unit_price: 46.5,
    tax_rate: 0,
  },
  pen: { item_name: "Gel pen, box of 20", hsn_sac_code: "9608", unit: "BOX", unit_price: 190, tax_rate: 18 },
  chair: { item_name: "Office chair", hsn_sac_code: "9401", unit: "NOS", unit_price: 7_450, tax_rate: 18 },
  desk: { item_name: "Standing desk", hsn_sac_code: "9403", unit: "NOS", unit_price: 18_990, tax_rate: 18 },
  lamp: { item_name: "LED desk lamp", hsn_sac_code: "9405", unit: "NOS", unit_price: 899.99, tax_rate: 18 },
  coffee: { item_name: "Coffee beans", hsn_sac_code: "0901", unit: "KGS", unit_price: 742.5, tax_rate: 5 },
  tea: { item_name: "Assam tea", hsn_sac_code: "0902", unit: "KGS", unit_price: 415, tax_rate: 5 },
  mug: { item_name: "Ceramic mug", hsn_sac_code: "6912", unit: "NOS", unit_price: 129, tax_rate: 5 },
  water: {
    item_name: "Water can, 20 l",
    hsn_sac_code: "2201",
    unit: "NOS",
    unit_price: 66.6667,
    tax_rate: 5,
  },
  assembly: {
    item_name: "Assembly on site",
    hsn_sac_code: "9987",
    unit: "HRS",
    unit_price: 650,
    tax_rate: 18,
  },
} as const;

export type Good = keyof typeof GOODS;
type Invoice = {
  customer: string;
  daysAgo: number;
  items: Partial<Record<Good, number>>;
  /** How much of the first good came back. */
  returned?: number;
};

/** Oldest first, so that their numbers follow their dates. */
export const INVOICES: readonly Invoice[] = [
  { customer: "Kaveri Stationers", daysAgo: 61, items: { paper: 120, notebook: 400, pen: 25 } },
  { customer: "Nandi Hills Cafe", daysAgo: 60, items: { coffee: 12.5, mug: 48 } },
  { customer: "Deccan Infotech Private Limited", daysAgo: 58, items: { chair: 24, desk: 12, assembly: 16 } },
  { customer: "Anita Deshpande", daysAgo: 56, items: { lamp: 2 } },
  { customer: "Shaniwar Furnishings LLP", daysAgo: 53, items: { chair: 10, lamp: 30 } },
  { customer: "Yamuna Public School", daysAgo: 50, items: { notebook: 1_500, pen: 80, paper: 60 } },
  {
    customer: "Whitefield Software Park (SEZ unit)",
    daysAgo: 47,
    items: { desk: 20, chair: 20, assembly: 30 },
  },
  { customer: "Malabar Guest House", daysAgo: 45, items: { coffee: 8, tea: 6.25, mug: 60 } },
  { customer: "Hooghly Paper House", daysAgo: 42, items: { paper: 300 } },
  { customer: "Nandi Hills Cafe", daysAgo: 39, items: { coffee: 15, water: 30 } },
  { customer: "Coromandel Office Mart", daysAgo: 36, items: { pen: 150, notebook: 600, lamp: 20 } },
  { customer: "Krishna Coaching Centre", daysAgo: 33, items: { notebook: 250, pen: 12 } },
  { customer: "Kaveri Stationers", daysAgo: 30, items: { paper: 200, pen: 40 }, returned: 15 },
  { customer: "Sabarmati Studios", daysAgo: 28, items: { desk: 4, lamp: 8, assembly: 6.5 } },
  { customer: "Anita Deshpande", daysAgo: 25, items: { coffee: 0.75, mug: 4 } },
  { customer: "Deccan Infotech Private Limited", daysAgo: 22, items: { tea: 20, coffee: 20, water: 120 } },
  { customer: "Shaniwar Furnishings LLP", daysAgo: 19, items: { desk: 6, chair: 6 } },
  { customer: "Nandi Hills Cafe", daysAgo: 17, items: { coffee: 17.5, tea: 2, mug: 24 } },
  { customer: "Malabar Guest House", daysAgo: 14, items: { tea: 8, lamp: 12 } },
  { customer: "Whitefield Software Park (SEZ unit)", daysAgo: 12, items: { water: 200, coffee: 25 } },
  { customer: "Hooghly Paper House", daysAgo: 9, items: { paper: 250, notebook: 800 } },
  { customer: "Yamuna Public School", daysAgo: 7, items: { chair: 8, paper: 40 } },
  { customer: "Krishna Coaching Centre", daysAgo: 4, items: { lamp: 6, notebook: 120 } },
  { customer: "Sabarmati Studios", daysAgo: 2, items: { coffee: 4.2, water: 15 } },
  { customer: "Kaveri Stationers", daysAgo: 0, items: { pen: 60, notebook: 500 } },
];

export const DRIVING_SCHOOL = {
  slug: "demo-driving",
  name: "Demo Driving School",
  country: "AU",
  currency: "AUD",
  timezone: "Australia/Sydney",
  state: "NSW",
  email: "office@demo-driving.example",
};

/** The school charges the tax of its country. */
export const SCHOOL_TAX = {
  tax_registered: true,
  tax_label: "GST",
  tax_number: "38 840 295 173",
  tax_number_label: "ABN",
};
