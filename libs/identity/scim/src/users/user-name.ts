import { asciiAddress } from '#platform/common';
import { ScimRequestInvalid } from '../protocol/scim-errors.js';

/** Fullwidth and halfwidth forms, and the ideographic space. */
const WIDTH_FORMS = /[\uff01-\uffef\u3000]/g;

/**
 * What the IdentifierClass of PRECIS (RFC 8264, section 4.2) excludes: everything but ASCII, letters, digits and marks, and of these the
 * characters that are invisible, that only fill or lengthen lines, or that are parts of Hangul syllables. Spaces are allowed between the parts of
 * a user name.
 */
const EXCLUDED =
  /[^\x20-\x7e\p{L}\p{Nd}\p{Mn}\p{Mc}\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb]|[\p{Default_Ignorable_Code_Point}\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;
/** Characters that are allowed only between certain letters (RFC 5892, appendix A). */
const OUT_OF_CONTEXT = /(?<!l)\u00b7|\u00b7(?!l)|\u0375(?!\p{Script=Greek})|(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u;

/**
 * Returns a user name for comparisons, as RFC 7644, section 5, asks: by the mappings of the profile UsernameCaseMapped (RFC 8265, section 3.3) for
 * width, case and composition. The domain of an email address is in ASCII.
 */
export const userNameKeyOf = (userName: string): string =>
  asciiAddress(
    userName
      .replace(WIDTH_FORMS, (character) => character.normalize('NFKC'))
      .toLowerCase()
      .replace(/ς/g, 'σ')
      .normalize('NFC'),
  );

/** @throws ScimRequestInvalid (400, invalidValue) for a user name that the profile UsernameCaseMapped rejects */
export function assertUserName(userName: string): void {
  const key = userNameKeyOf(userName);
  const excluded = EXCLUDED.exec(key)?.[0] ?? OUT_OF_CONTEXT.exec(key)?.[0] ?? compatibilityForm(key);
  if (excluded !== undefined) {
    const codePoint = excluded.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    throw new ScimRequestInvalid(
      'invalidValue',
      `The attribute "userName" must not contain the character U+${codePoint} (RFC 8265).`,
    );
  }
  if (key !== key.trim() || key === '' || (/[\u0660-\u0669]/.test(key) && /[\u06f0-\u06f9]/.test(key)))
    throw new ScimRequestInvalid(
      'invalidValue',
      'The attribute "userName" must not begin or end with a space, or mix two kinds of Arabic digits (RFC 8265).',
    );
}

/** Returns the first character that stands for others, such as a ligature. */
const compatibilityForm = (text: string): string | undefined =>
  text.normalize('NFKC') === text
    ? undefined
    : [...text].find((character) => character.normalize('NFKC') !== character.normalize('NFC'));
