import type { Language, Messages } from '.';
import { signInCatalog } from './sign-in-catalog';

const FILES = {
  en: () => import('./en.json', { with: { type: 'json' } }),
  de: () => import('./de.json', { with: { type: 'json' } }),
};

/** Loads all texts of a language. */
export async function fullCatalog(language: Language): Promise<Messages> {
  const [shared, rest] = await Promise.all([signInCatalog(language), FILES[language]()]);
  return { ...shared, ...rest.default };
}
