// The first three digits of the pincodes of a state, by its GST code, as the e-invoice portal's master codes have them.
// They have none for Telangana (36) and Ladakh (38), and ranges of neighbours overlap.
const RANGES: Readonly<Record<string, string>> = {
  "01": "180-194",
  "02": "171-177",
  "03": "140-160",
  "04": "140 160",
  "05": "244-263",
  "06": "121-136",
  "07": "110",
  "08": "301-345",
  "09": "201-285",
  "10": "800-855",
  "11": "737",
  "12": "790-792",
  "13": "797-798",
  "14": "795",
  "15": "796",
  "16": "799",
  "17": "793-794",
  "18": "781-788",
  "19": "700-743",
  "20": "813-835",
  "21": "751-770",
  "22": "490-497",
  "23": "450-488",
  "24": "360-396",
  "26": "362 396",
  "27": "400-445",
  "29": "560-591",
  "30": "403",
  "31": "682",
  "32": "670-695",
  "33": "600-643",
  "34": "533 605 607 609 673",
  "35": "744",
  "37": "500-535",
};

/** Whether a pincode is known to lie outside the state of a GST code; false where the ranges do not show it. */
export function isPincodeElsewhere(pincode: string, stateCode: string): boolean {
  const start = pincode.slice(0, 3);
  const ranges = RANGES[stateCode]?.split(" ") ?? [];
  return ranges.length > 0 && !ranges.some((range) => contains(range, start));
}

function contains(range: string, start: string): boolean {
  const [first = "", last = first] = range.split("-");
  return first <= start && start <= last;
}
