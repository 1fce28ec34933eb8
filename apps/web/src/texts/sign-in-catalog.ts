import type { Language, Messages } from '.';

const FILES = {
  en: () => import('./sign-in/en.json', { with: { type: 'json' } }),
  de: () => import('./sign-in/de.json', { with: { type: 'json' } }),
};

/** Texts of the API by their code: errors, permissions and built-in roles. In English, the pages show the texts of the API. */
const SERVICE_FILES: Partial<Record<Language, () => Promise<{ default: Messages }>>> = {
  de: () => import('./service/de.json', { with: { type: 'json' } }),
};

/** Loads the texts of the sign-in pages: `common.…`, `errors.…`, `signIn.…` and `service.…`. */
export async function signInCatalog(language: Language): Promise<Messages> {
  const [own, service] = await Promise.all([FILES[language](), SERVICE_FILES[language]?.()]);
  return { ...service?.default, ...own.default };
}
