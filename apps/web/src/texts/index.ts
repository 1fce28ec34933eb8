import { IntlMessageFormat } from 'intl-messageformat';
import { useSyncExternalStore } from 'react';
import type english from './en.json';
import type signInEnglish from './sign-in/en.json';

export type TextId = keyof typeof english | keyof typeof signInEnglish;

/** The languages of the pages. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** ICU messages by id. The build compiles messages with parameters. */
export type Messages = Readonly<Record<string, ConstructorParameters<typeof IntlMessageFormat>[0]>>;
export type Catalog = (language: Language) => Promise<Messages>;

let catalog: Catalog | undefined;
let messages: Messages = {};
// Formatters of the language, created on first use: a list formats many times, and a formatter takes longer to create than to use.
const formats = new Map<TextId, IntlMessageFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();
let relativeFormat: Intl.RelativeTimeFormat | undefined;
let current: Language | undefined;
const listeners = new Set<() => void>();

/** Sets the source of the texts. Must be called before `loadTexts`. */
export function setCatalog(source: Catalog): void {
  catalog = source;
}

/** Loads the texts of a language. Must be awaited before the first rendering. @throws Error without a catalog */
export async function loadTexts(language: Language): Promise<void> {
  if (current === language) return;
  if (!catalog) throw new Error('There is no catalog to load texts from.');
  messages = await catalog(language);
  formats.clear();
  dateFormats.clear();
  relativeFormat = undefined;
  current = language;
  for (const listener of listeners) listener();
}

/** Returns the language of the page, and rerenders the component when the language changes. */
export const useLanguage = (): string => useSyncExternalStore(subscribe, pageLanguage);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the first supported language of these tags (BCP 47), or English. */
export function bestLanguage(tags: readonly (string | null | undefined)[]): Language {
  const languages = tags.map((tag) => tag?.toLowerCase().split('-')[0]);
  return (
    languages.map((tag) => LANGUAGES.find((language) => language === tag)).find((language) => language !== undefined) ?? 'en'
  );
}

/** Returns the text of an id in the language of the page. @throws Error before the texts are loaded, such as in module scope */
export function t(id: TextId, values?: Readonly<Record<string, string | number>>): string {
  const language = pageLanguage();
  const message = messages[id];
  if (message === undefined) throw new Error(`There is no text "${id}".`);
  if (typeof message === 'string') return message;
  const format = formats.get(id) ?? new IntlMessageFormat(message, language);
  formats.set(id, format);
  return String(format.format(values));
}

/** Returns the text of an id, or undefined, such as for a code of a newer release. */
export function findText(id: string, values?: Readonly<Record<string, string | number>>): string | undefined {
  return id in messages ? t(id as TextId, values) : undefined;
}

/** Returns the language of the page. @throws Error before the texts are loaded */
export function pageLanguage(): Language {
  if (!current) throw new Error('The texts are not loaded yet.');
  return current;
}

/** The last segments of the text ids with a prefix. */
export type KeyUnder<Prefix extends string> = TextId extends infer Id
  ? Id extends `${Prefix}.${infer Key}`
    ? Key
    : never
  : never;

/** Returns the texts with a prefix as options of a select, in the order of the file. */
export function choices<Prefix extends string>(prefix: Prefix): { value: KeyUnder<Prefix>; label: string }[] {
  const ids = Object.keys(messages).filter((id) => id.startsWith(`${prefix}.`)) as TextId[];
  return ids.map((id) => ({ value: id.slice(prefix.length + 1) as KeyUnder<Prefix>, label: t(id) }));
}

const DURATION_UNITS = [
  { below: 60, unit: 'second', size: 1 },
  { below: 5_400, unit: 'minute', size: 60 },
  { below: 172_800, unit: 'hour', size: 3_600 },
  { below: Number.POSITIVE_INFINITY, unit: 'day', size: 86_400 },
] as const;

export const formatNumber = (value: number, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(pageLanguage(), options).format(value);

export function formatDate(moment: Date, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(pageLanguage(), options);
  dateFormats.set(key, format);
  return format.format(moment);
}

/** Creates the first formatter, which takes much longer than all others, so that it happens while the page waits for the service. */
export const prepareFormatters = (): void => void formatRelative(0, 'second');

/** Formats a number of units from now: "3 minutes ago", "in 2 days". */
export function formatRelative(value: number, unit: Intl.RelativeTimeFormatUnit): string {
  relativeFormat ??= new Intl.RelativeTimeFormat(pageLanguage(), { numeric: 'auto' });
  return relativeFormat.format(value, unit);
}

/** Formats a duration in its largest useful unit: "45 sec", "2 hr". */
export function shortDuration(seconds: number): string {
  const { unit, size } = DURATION_UNITS.find(({ below }) => seconds < below)!;
  return formatNumber(Math.round(seconds / size), { style: 'unit', unit, unitDisplay: 'short' });
}
