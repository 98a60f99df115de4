import { findIndianState } from "./states.ts";

// ISO 3166-1: each country's two letters and its three.
const CODES = `
  ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE
  BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS
  BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN
  COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST
  EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF
  GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD
  HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM
  JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA
  LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD
  MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM
  NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG
  PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA
  SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD
  STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON
  TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR
  VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE
`;

// What people write that is no code and no name of the standard.
const COMMON: Readonly<Record<string, string>> = { UK: "GB", UAE: "AE", USA: "US", BHARAT: "IN" };

const names = new Intl.DisplayNames("en", { type: "region" });
const codes = CODES.trim()
  .split(/\s+/)
  .map((pair) => [pair.slice(0, 2), pair.slice(2)] as const);
const known = new Set(codes.map(([two]) => two));
let spelled: Map<string, string> | undefined;

/** A country as a person wrote it: its ISO 3166-1 alpha-2 code, or null where the text names none. */
export type ReadCountry = {
  code: string | null;
  /** The part that an ISO 3166-2 code such as `IN-KA` names. */
  subdivision: string | null;
};

/** Reads a code of two or three letters, one with a part of the country behind a hyphen, or an English name. */
export function readCountry(text: string): ReadCountry {
  const whole = simplified(text);
  const code = codeOf(whole);
  if (code !== null) return { code, subdivision: null };
  const [country = "", subdivision] = whole.split("-");
  const outer = subdivision === undefined ? null : codeOf(country);
  return { code: outer, subdivision: outer === null ? null : (subdivision ?? null) };
}

/** The English name of what names a country; any other text as it stands. */
export function countryName(text: string): string {
  const { code } = readCountry(text);
  return code === null ? text : (names.of(code) ?? text);
}

/** The country that decides a tax: the one that is named, else India for a state of India, else none. */
export function taxCountry(country: string | null, state: string | null): string | null {
  const code = country === null ? null : readCountry(country).code;
  if (code !== null) return code;
  return state !== null && findIndianState(state) !== undefined ? "IN" : null;
}

function codeOf(text: string): string | null {
  if (known.has(text)) return text;
  spelled ??= new Map([
    ...codes.map(([two]) => [simplified(names.of(two) ?? two), two] as const),
    ...codes.map(([two, three]) => [three, two] as const),
    ...Object.entries(COMMON),
  ]);
  return spelled.get(text) ?? null;
}

function simplified(text: string): string {
  return text.toUpperCase().replace(/[.\s]/g, "");
}
