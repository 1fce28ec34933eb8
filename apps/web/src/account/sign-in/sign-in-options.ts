import { answerOf, api, type Schema } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { bestLanguage, loadTexts } from '../../texts';

export type SignInOptions = Schema<'SignInOptionsResponse'>;

const KNOWN_FOR_MS = 60_000;
const RETRIES_MAX = 2;
const FIRST_PAUSE_MS = 1_000;

const loaded = new Map<string, { readonly options: SignInOptions; readonly at: number }>();

/** How one signs in to an organization, by its slug or id, if that was loaded a moment ago. */
export function knownSignInOptions(organization: string): SignInOptions | undefined {
  const known = loaded.get(organization);
  return known && Date.now() - known.at < KNOWN_FOR_MS ? known.options : undefined;
}

/** Loads how one signs in to an organization, and the texts of its language. @throws ApiProblem 404 when there is none */
export async function loadSignInOptions(organization: string): Promise<SignInOptions> {
  for (let retries = 0; ; retries += 1) {
    try {
      const { data } = await answerOf(api.GET('/v1/auth/sign-in-options', { params: { query: { organization } } }));
      // First, since another language draws the page anew.
      loaded.set(organization, { options: data, at: Date.now() });
      await loadTexts(bestLanguage([...navigator.languages, data.locale]));
      return data;
    } catch (error) {
      if (retries >= RETRIES_MAX || !(error instanceof ApiProblem) || !error.isTemporary) throw error;
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** retries));
    }
  }
}
