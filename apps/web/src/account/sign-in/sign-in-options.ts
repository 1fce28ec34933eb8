import { api, type Schema, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { bestLanguage, loadTexts } from '../../texts';

export type SignInOptions = Schema<'SignInOptionsResponse'>;

const CACHE_MS = 60_000;
const RETRIES_MAX = 2;
const FIRST_RETRY_DELAY_MS = 1_000;

const loaded = new Map<string, { readonly options: SignInOptions; readonly at: number }>();

/** Returns the sign-in options of an organization by slug or id from the cache. */
export function cachedSignInOptions(organization: string): SignInOptions | undefined {
  const known = loaded.get(organization);
  return known && Date.now() - known.at < CACHE_MS ? known.options : undefined;
}

/** Loads the sign-in options and the texts in the language of the organization. @throws ApiProblem 404 for an unknown organization */
export async function loadSignInOptions(organization: string): Promise<SignInOptions> {
  for (let retries = 0; ; retries += 1) {
    try {
      const { data } = await unwrap(api.GET('/v1/auth/sign-in-options', { params: { query: { organization } } }));
      // `loadTexts` renders the page again, which reads the cache.
      loaded.set(organization, { options: data, at: Date.now() });
      await loadTexts(bestLanguage([...navigator.languages, data.locale]));
      return data;
    } catch (error) {
      if (retries >= RETRIES_MAX || !(error instanceof ApiProblem) || !error.isTemporary) throw error;
      await new Promise((resolve) => setTimeout(resolve, FIRST_RETRY_DELAY_MS * 2 ** retries));
    }
  }
}
