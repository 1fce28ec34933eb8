/** Maximum length of a language tag with a language, a script, a region and variants (RFC 5646, section 4.4.1). */
export const MAX_LOCALE_LENGTH = 35;

/** Returns the canonical form of a BCP 47 language tag, such as `pt-BR` for `PT-br`. Returns undefined for all other texts. */
export function canonicalLocale(tag: string): string | undefined {
  if (tag.length > MAX_LOCALE_LENGTH) return undefined;
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical !== undefined && canonical.length <= MAX_LOCALE_LENGTH ? canonical : undefined;
  } catch {
    return undefined;
  }
}
