// Of the scripts of India too, whatever the language of the page.
const TITLE =
  /^(mrs?|ms|miss|mx|dr|prof|sir|madam|sh|shri|sri|shrimati|smt|kum|kumari|sushri|श्री|श्रीमती|सुश्री|कुमारी|कु|डॉ|प्रो|শ্রী|শ্রীমতী|শ্রীমতি|ডাঃ|શ્રી|શ્રીમતી|ડૉ|ਸ਼੍ਰੀ|ਸ਼੍ਰੀਮਤੀ|ਡਾ|ଶ୍ରୀ|ଶ୍ରୀମତୀ|திரு|திருமதி|செல்வி|శ్రీ|శ్రీమతి|డాక్టర్|ಶ್ರೀ|ಶ್ರೀಮತಿ|ಡಾ|ശ്രീ|ശ്രീമതി|محترم|محترمہ|جناب|ڈاکٹر)[.:。]?$/iu;

/** What a person is greeted with: the first name, or the whole name where a title stands in front of it. */
export function greeted(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = ""] = words;
  return TITLE.test(first) ? words.join(" ") : first;
}
