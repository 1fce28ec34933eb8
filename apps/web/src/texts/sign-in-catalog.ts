import type { Language, Messages } from '.';

const FILES = {
  en: () => import('./sign-in/en.json', { with: { type: 'json' } }),
  de: () => import('./sign-in/de.json', { with: { type: 'json' } }),
};

/** Loads the texts of the sign-in pages: `common.…`, `errors.…` and `signIn.…`. */
export const signInCatalog = async (language: Language): Promise<Messages> => (await FILES[language]()).default;
