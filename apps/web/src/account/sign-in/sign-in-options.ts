import { api, type Schema, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { bestLanguage, loadTexts } from '../../texts';
import { preferredLanguages } from './preferred-languages';

export type SignInOptions = Schema<'SignInOptionsResponse'>;

const CACHE_MS = 60_000;
const RETRIES_MAX = 2;
const FIRST_RETRY_DELAY_MS = 1_000;

const cache = new Map<string, { readonly options: SignInOptions; readonly at: number }>();

/** Returns the cached sign-in options of an organization by slug or id. */
export function cachedSignInOptions(organization: string): SignInOptions | undefined {
  const cached = cache.get(organization);
  return cached && Date.now() - cached.at < CACHE_MS ? cached.options : undefined;
}

/** Loads the sign-in options and the texts in the language of the organization. @throws ApiProblem 404 for an unknown organization */
export async function loadSignInOptions(organization: string): Promise<SignInOptions> {
  for (let retries = 0; ; retries += 1) {
    try {
      const { data } = await unwrap(api.GET('/v1/auth/sign-in-options', { params: { query: { organization } } }));
      // `loadTexts` rerenders the page, and the rendering reads the cache.
      cache.set(organization, { options: data, at: Date.now() });
      await loadTexts(bestLanguage([...preferredLanguages(), data.locale]));
      return data;
    } catch (error) {
      if (retries >= RETRIES_MAX || !(error instanceof ApiProblem) || !error.isTemporary) throw error;
      await new Promise((resolve) => setTimeout(resolve, FIRST_RETRY_DELAY_MS * 2 ** retries));
    }
  }
}
