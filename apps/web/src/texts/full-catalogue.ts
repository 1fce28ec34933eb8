import type { Language, Messages } from './index';
import { signInCatalogue } from './sign-in-catalogue';

const FILES = {
  en: () => import('./en.json', { with: { type: 'json' } }),
  de: () => import('./de.json', { with: { type: 'json' } }),
};

/** Loads all texts of a language. */
export async function fullCatalogue(language: Language): Promise<Messages> {
  const [shared, rest] = await Promise.all([signInCatalogue(language), FILES[language]()]);
  return { ...shared, ...rest.default };
}
