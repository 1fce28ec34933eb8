import type { Language, Messages } from '.';

const FILES = {
  en: () => import('./all/en'),
  de: () => import('./all/de'),
};

/** Loads all texts of a language. */
export async function fullCatalog(language: Language): Promise<Messages> {
  return (await FILES[language]()).messages;
}
