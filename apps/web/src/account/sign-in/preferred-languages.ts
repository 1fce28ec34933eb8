import { pageSearch } from './page-address';

/** Returns the languages of the user, the best first: the language that the application asks for, and those of the browser. */
export function preferredLanguages(): readonly string[] {
  const { locale } = pageSearch(window.location.search);
  return locale === undefined ? navigator.languages : [locale, ...navigator.languages];
}
