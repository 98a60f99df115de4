import { STATES as IN_HINDI } from "./states-in-hindi.ts";

export type IndianState = { code: string; name: string };

// GST state code, two-letter code, name.
const STATES: readonly (readonly [code: string, letters: string, name: string])[] = [
  ["01", "JK", "Jammu and Kashmir"],
  ["02", "HP", "Himachal Pradesh"],
  ["03", "PB", "Punjab"],
  ["04", "CH", "Chandigarh"],
  ["05", "UK", "Uttarakhand"],
  ["06", "HR", "Haryana"],
  ["07", "DL", "Delhi"],
  ["08", "RJ", "Rajasthan"],
  ["09", "UP", "Uttar Pradesh"],
  ["10", "BR", "Bihar"],
  ["11", "SK", "Sikkim"],
  ["12", "AR", "Arunachal Pradesh"],
  ["13", "NL", "Nagaland"],
  ["14", "MN", "Manipur"],
  ["15", "MZ", "Mizoram"],
  ["16", "TR", "Tripura"],
  ["17", "ML", "Meghalaya"],
  ["18", "AS", "Assam"],
  ["19", "WB", "West Bengal"],
  ["20", "JH", "Jharkhand"],
  ["21", "OD", "Odisha"],
  ["22", "CG", "Chhattisgarh"],
  ["23", "MP", "Madhya Pradesh"],
  ["24", "GJ", "Gujarat"],
  ["26", "DNHDD", "Dadra and Nagar Haveli and Daman and Diu"],
  ["27", "MH", "Maharashtra"],
  ["29", "KA", "Karnataka"],
  ["30", "GA", "Goa"],
  ["31", "LD", "Lakshadweep"],
  ["32", "KL", "Kerala"],
  ["33", "TN", "Tamil Nadu"],
  ["34", "PY", "Puducherry"],
  ["35", "AN", "Andaman and Nicobar Islands"],
  ["36", "TS", "Telangana"],
  ["37", "AP", "Andhra Pradesh"],
  ["38", "LA", "Ladakh"],
  ["96", "OC", "Other Countries"],
  ["97", "OT", "Other Territory"],
];

// What people and older systems still write; 25 was Daman and Diu until it merged into 26 in 2020.
const OLD_NAMES: Readonly<Record<string, string>> = {
  "25": "26",
  // Codes of ISO 3166-2 that are not those of the GST network.
  DH: "26",
  CT: "22",
  UT: "05",
  DN: "26",
  DD: "26",
  "Dadra and Nagar Haveli": "26",
  "Daman and Diu": "26",
  Orissa: "21",
  OR: "21",
  Pondicherry: "34",
  Uttaranchal: "05",
  "NCT of Delhi": "07",
  "New Delhi": "07",
  "Lakshadweep Islands": "31",
  TG: "36",
  Telengana: "36",
  Uttrakhand: "05",
  Chattisgarh: "22",
  Maharastra: "27",
  "Andaman & Nicobar": "35",
  "J&K": "01",
  // As the GST portal lists them.
  "Andhra Pradesh (New)": "37",
  "Foreign Country": "96",
  // In the script of the state.
  ಕರ್ನಾಟಕ: "29",
  தமிழ்நாடு: "33",
  புதுச்சேரி: "34",
  കേരളം: "32",
  తెలంగాణ: "36",
  "ఆంధ్ర ప్రదేశ్": "37",
  ગુજરાત: "24",
  ਪੰਜਾਬ: "03",
  পশ্চিমবঙ্গ: "19",
  অসম: "18",
  ଓଡ଼ିଶା: "21",
};

const nameOf = new Map(STATES.map(([code, , name]) => [code, name]));

const codeOf = new Map([
  ...STATES.flatMap(([code, letters, name]) =>
    [code, letters, name].map((text) => [simplified(text), code] as const),
  ),
  ...Object.entries(IN_HINDI).map(([code, text]) => [simplified(text), code] as const),
  ...Object.entries(OLD_NAMES).map(([text, code]) => [simplified(text), code] as const),
]);

function simplified(text: string): string {
  const plain = text.normalize("NFC").replace(/[\p{Pd}\u2212]/gu, "-");
  return plain
    .toLowerCase()
    .replaceAll("&", "and")
    .replace(/[\s\p{Cf}]/gu, "");
}

/**
 * The code of a text: `29-Karnataka` is how the GST portal writes it, `Karnataka (29)` a bill, IN-KA ISO 3166-2; a sheet
 * drops the 0 of 05.
 */
function codeFor(text: string): string | undefined {
  const plain = simplified(text).replace(/^in-(?=[a-z]{2}$)/, "");
  const [, first, behind, before, last] = /^(\d{1,2})-?(\D.*)$|^(\D+?)-?\(?(\d{1,2})\)?$/.exec(plain) ?? [];
  const [code = "", name = ""] = [first ?? last, behind ?? before];
  if (name === "") return codeOf.get(/^\d$/.test(plain) ? `0${plain}` : plain);
  const named = codeOf.get(name);
  return named !== undefined && named === codeOf.get(code.padStart(2, "0")) ? named : undefined;
}

/** The canonical name of a two-digit GST state code. */
export function stateName(code: string): string | undefined {
  return nameOf.get(code);
}

/** The state meant by a name (also an old one), a letter code or a GST code, ignoring case and spaces. */
export function findIndianState(text: string): IndianState | undefined {
  const code = codeFor(text);
  const name = code && nameOf.get(code);
  return code && name ? { code, name } : undefined;
}
