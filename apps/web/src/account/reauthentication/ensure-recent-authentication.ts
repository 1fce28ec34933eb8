import { api, unwrap } from '../../api/client';
import { reauthenticate } from './reauthenticate';

/** Allows for the time between this check and the request. */
const MARGIN_MS = 30_000;

/**
 * Asks the user to authenticate again when the last authentication is too old. Needed only for requests without the API client,
 * such as downloads. Resolves to false when the user closes the dialog.
 */
export async function ensureRecentAuthentication(): Promise<boolean> {
  let now = Date.now();
  const { data } = await unwrap(
    api.GET('/v1/auth/session').then((result) => {
      // The clock of the device can be wrong, so the time comes from the service.
      now = Date.parse(result.response.headers.get('date') ?? '') || now;
      return result;
    }),
  );
  return !data.session || Date.parse(data.session.recentUntil) - MARGIN_MS > now || reauthenticate();
}
