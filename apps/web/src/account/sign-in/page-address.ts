import { safeReturnTo } from './return-to';

/** What all sign-in pages of one sign-in have in common. All values are optional and untrusted. */
export interface SignInFlow {
  /** The target after the sign-in: a page of the dashboard or of the account, or an application. */
  readonly returnTo?: string | undefined;
  /** Set if the user must sign in again, even with a session. */
  readonly reauthenticate?: string | undefined;
  /** The language that the application asks for. */
  readonly locale?: string | undefined;
}

/** The query of a sign-in page. All values are optional and untrusted. */
export interface PageSearch extends SignInFlow {
  readonly organization?: string | undefined;
  /** The error code of a failed sign-in at an identity provider. */
  readonly error?: string | undefined;
  /** The authorization request of an application that the page shows. */
  readonly interaction?: string | undefined;
  /** The parameters of a sign-out: client id, address to return to, and state. Only `/oauth/logout` checks them. */
  readonly client?: string | undefined;
  readonly redirect?: string | undefined;
  readonly state?: string | undefined;
  /** The code of a device, which the user must compare. */
  readonly userCode?: string | undefined;
}

const ORGANIZATION_MAX_LENGTH = 63;
const USER_CODE_MAX_LENGTH = 32;

export function pageSearch(query: string): PageSearch {
  const parameters = new URLSearchParams(query);
  const text = (name: string): string | undefined => parameters.get(name)?.trim() || undefined;
  return {
    organization: text('organization')?.slice(0, ORGANIZATION_MAX_LENGTH),
    returnTo: safeReturnTo(parameters.get('returnTo')),
    reauthenticate: text('reauthenticate') && '1',
    locale: text('locale'),
    error: text('error'),
    interaction: text('interaction'),
    client: text('client'),
    redirect: text('redirect'),
    state: parameters.get('state') ?? undefined,
    userCode: text('user_code')?.slice(0, USER_CODE_MAX_LENGTH),
  };
}

export const flowOf = ({ returnTo, reauthenticate, locale }: PageSearch): SignInFlow => ({ returnTo, reauthenticate, locale });

export function pageAddress(path: string, search: Readonly<Record<string, string | undefined>> = {}): string {
  const entries = Object.entries(search).filter((entry): entry is [string, string] => !!entry[1]);
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}
