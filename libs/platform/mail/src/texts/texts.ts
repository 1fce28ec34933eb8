import { createIntl, createIntlCache, type IntlShape } from '@formatjs/intl';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };

export type TextId = keyof typeof en;

/** ICU messages by id, for each language that messages are sent in. */
const CATALOGS = { en, de } satisfies Record<string, Readonly<Record<TextId, string>>>;

export type MailLanguage = keyof typeof CATALOGS;
export const MAIL_LANGUAGES = Object.keys(CATALOGS) as readonly MailLanguage[];

export interface MailTexts {
  readonly language: MailLanguage;
  /** Returns the text of an id. @throws Error for a placeholder without a value */
  text(id: TextId, values?: Readonly<Record<string, string | number>>): string;
  /** Returns a time as text, in UTC, such as `January 31, 2026 at 12:00 PM UTC`. */
  moment(at: Date): string;
}

/**
 * Returns the first language tag whose language is available, or `en`. Keeps the region of the tag, because date formats depend on the
 * region.
 */
export const mailLocale = (...preferred: readonly (string | null | undefined)[]): string =>
  preferred.find((tag) => tag && languageOf(tag)) ?? 'en';

/** Returns the texts for a language tag from `mailLocale`. Uses English for a language that is not available. */
export function textsFor(locale: string): MailTexts {
  const language = languageOf(locale);
  const intl = intlOf(language ?? 'en');
  return {
    language: language ?? 'en',
    text: (id, values) => intl.formatMessage({ id }, values),
    // Depending on the version of ICU, the space before AM and PM is narrow.
    moment: (at) => new Intl.DateTimeFormat(language ? locale : 'en', MOMENT).format(at).replaceAll('\u202f', ' '),
  };
}

const MOMENT = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
} as const;

function languageOf(tag: string): MailLanguage | undefined {
  const [language] = tag.toLowerCase().split('-');
  return MAIL_LANGUAGES.find((available) => available === language);
}

const cache = createIntlCache();
const intls = new Map<MailLanguage, IntlShape>();

function intlOf(language: MailLanguage): IntlShape {
  const cached = intls.get(language);
  if (cached) return cached;
  const intl = createIntl({ locale: language, messages: CATALOGS[language], timeZone: 'UTC', onError: fail }, cache);
  intls.set(language, intl);
  return intl;
}

/** Throws the error, because a mail with an unfilled placeholder must not be sent. */
function fail(error: Error): never {
  throw error;
}
