/** Maximum length of a language tag: long enough for a language, a script, a region and variants (RFC 5646, section 4.4.1). */
export const MAX_LOCALE_LENGTH = 35;

/** Returns a BCP 47 language tag in its canonical form, such as `pt-BR` for `PT-br`, or undefined if the text is no language tag. */
export function canonicalLocale(tag: string): string | undefined {
  if (tag.length > MAX_LOCALE_LENGTH) return undefined;
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical !== undefined && canonical.length <= MAX_LOCALE_LENGTH ? canonical : undefined;
  } catch {
    return undefined;
  }
}
