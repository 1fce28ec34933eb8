import type { OptionsFilter } from '@mantine/core';

/** Letters of the Latin script with their form in ASCII. The build defines it (`vite.config.ts`). */
declare const ASCII_FORMS: Readonly<Record<string, string>>;

/** Returns the form of a text in which searches compare, as `searchKey` of the service: without case, accents and strokes. */
const searchKey = (text: string): string =>
  Array.from(
    text
      .normalize('NFKD')
      .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '')
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replace(/ς/g, 'σ'),
    (letter) => ASCII_FORMS[letter] ?? letter,
  )
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns whether one of the texts contains the search text. Ignores case and accents. */
export const matchesSearch = (texts: readonly string[], search: string): boolean =>
  texts.some((text) => searchKey(text).includes(searchKey(search)));

/** Filters the options of a field that the API has not filtered already. */
export const filterOptions: OptionsFilter = ({ options, search }) => {
  const isMatch = ({ label }: { readonly label: string }): boolean => matchesSearch([label], search);
  return options
    .map((option) => ('items' in option ? { ...option, items: option.items.filter(isMatch) } : option))
    .filter((option) => ('items' in option ? option.items.length > 0 : isMatch(option)));
};
