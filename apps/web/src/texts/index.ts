import { IntlMessageFormat } from 'intl-messageformat';
import { useSyncExternalStore } from 'react';
import type english from './en.json';
import type signInEnglish from './sign-in/en.json';

export type TextId = keyof typeof english | keyof typeof signInEnglish;

/** Languages in which all texts exist. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** ICU messages by id: the build compiles those that have parameters. */
export type Messages = Readonly<Record<string, ConstructorParameters<typeof IntlMessageFormat>[0]>>;
/** Loads the texts of a language, as far as the pages need them. */
export type Catalogue = (language: Language) => Promise<Messages>;

let catalogue: Catalogue | undefined;
let messages: Messages = {};
/** Of the messages that were shown. */
const formats = new Map<TextId, IntlMessageFormat>();
let current: Language | undefined;
const listeners = new Set<() => void>();

/** Sets where the texts come from; to be called before any are loaded. */
export function setCatalogue(source: Catalogue): void {
  catalogue = source;
}

/** Loads the texts of a language; to be awaited before anything is rendered. @throws Error without a catalogue */
export async function loadTexts(language: Language): Promise<void> {
  if (current === language) return;
  if (!catalogue) throw new Error('There is no catalogue to load texts from.');
  messages = await catalogue(language);
  formats.clear();
  current = language;
  for (const listener of listeners) listener();
}
/** The language of the page; a component that uses it renders again when the language changes. */
export const useLanguage = (): string => useSyncExternalStore(subscribe, pageLanguage);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The first of these language tags (BCP 47) that there are texts for, or English. */
export function bestLanguage(tags: readonly (string | null | undefined)[]): Language {
  const wanted = tags.map((tag) => tag?.toLowerCase().split('-')[0]);
  return wanted.map((tag) => LANGUAGES.find((language) => language === tag)).find((language) => language !== undefined) ?? 'en';
}

/** The text of an id in the language of the page. @throws Error when no texts are loaded yet, such as from the scope of a module */
export function t(id: TextId, values?: Readonly<Record<string, string | number>>): string {
  const language = pageLanguage();
  const message = messages[id];
  if (message === undefined) throw new Error(`There is no text "${id}".`);
  if (typeof message === 'string') return message;
  const format = formats.get(id) ?? new IntlMessageFormat(message, language);
  formats.set(id, format);
  return String(format.format(values));
}

/** The text of an id that may not exist, such as one that ends with a code of a newer service. */
export function findText(id: string): string | undefined {
  return id in messages ? t(id as TextId) : undefined;
}

/** The language of the page, for the formats of `Intl`. @throws Error when no texts are loaded yet */
export function pageLanguage(): Language {
  if (!current) throw new Error('The texts are not loaded yet.');
  return current;
}

/** The last parts of the ids that begin with a prefix. */
export type KeyUnder<Prefix extends string> = TextId extends infer Id
  ? Id extends `${Prefix}.${infer Key}`
    ? Key
    : never
  : never;

/** What can be chosen from: all texts of a prefix, in the order of the file. */
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

export const formatDate = (moment: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(pageLanguage(), options).format(moment);

/** A length of time in its largest useful unit: "45 sec", "2 hr". */
export function shortDuration(seconds: number): string {
  const { unit, size } = DURATION_UNITS.find(({ below }) => seconds < below)!;
  return formatNumber(Math.round(seconds / size), { style: 'unit', unit, unitDisplay: 'short' });
}
