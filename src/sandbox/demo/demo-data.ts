// The records of the demo companies; `demo.ts` makes them through the API. Names and numbers are invented.

export const TRADERS = {
  slug: "demo-traders",
  name: "Demo Traders Private Limited",
  state: "Karnataka",
  gstin: "29AAKCD4821M1Z7",
  email: "accounts@demo-traders.example",
  address: "14 Avenue Road\nBengaluru 560002",
};

export const CUSTOMERS = [
  firm("Kaveri Stationers", "orders@kaveri-stationers", "29AAGFK3174P1ZO", "Mysuru", "570001", 15),
  firm("Nandi Hills Cafe", "hello@nandi-cafe", "29AACCN9051Q1ZP", "Bengaluru", "560001", 7),
  firm("Shaniwar Furnishings LLP", "purchase@shaniwar", "27ABJFS6620H1ZZ", "Pune", "411030", 30),
  firm("Coromandel Office Mart", "accounts@coromandel-mart", "33AAFCC2487L1ZG", "Chennai", "600002", 30),
  firm("Deccan Infotech Private Limited", "ap@deccan-infotech", "36AAHCD7739R1ZQ", "Hyderabad", "500081", 45),
  firm("Malabar Guest House", "stay@malabar-house", "32AADFM1856N1Z5", "Kochi", "682001", 15),
  firm("Sabarmati Studios", "studio@sabarmati", "24AAECS4093B1ZN", "Ahmedabad", "380009", 30),
  {
    name: "Whitefield Software Park (SEZ unit)",
    email: "facilities@whitefield-park.example",
    gstin: "29AABCW5512E1ZG",
    gst_category: "sez",
    city: "Bengaluru",
    state: "29",
    pincode: "560066",
    payment_terms_days: 30,
  },
  firm("Hooghly Paper House", "desk@hooghly-paper", "19AAJFH8267C1Z4", "Kolkata", "700073", 21),
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
  paper: good("Copier paper A4, ream", "4802", "REAM", 268, 18),
  notebook: good("Exercise notebook", "4820", "NOS", 46.5, 0),
  pen: good("Gel pen, box of 20", "9608", "BOX", 190, 18),
  chair: good("Office chair", "9401", "NOS", 7_450, 18),
  desk: good("Standing desk", "9403", "NOS", 18_990, 18),
  lamp: good("LED desk lamp", "9405", "NOS", 899.99, 18),
  coffee: good("Coffee beans", "0901", "KGS", 742.5, 5),
  tea: good("Assam tea", "0902", "KGS", 415, 5),
  mug: good("Ceramic mug", "6912", "NOS", 129, 5),
  water: good("Water can, 20 l", "2201", "NOS", 66.6667, 5),
  assembly: good("Assembly on site", "9987", "HRS", 650, 18),
};

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

/** A customer with a GSTIN, which says the state. */
function firm(name: string, mailbox: string, gstin: string, city: string, pincode: string, terms: number) {
  const state = gstin.slice(0, 2);
  return { name, email: `${mailbox}.example`, gstin, city, state, pincode, payment_terms_days: terms };
}

function good(item_name: string, hsn_sac_code: string, unit: string, unit_price: number, tax_rate: number) {
  return { item_name, hsn_sac_code, unit, unit_price, tax_rate };
}
