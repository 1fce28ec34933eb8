import { api, unwrap } from '../../api/client';

/** Allows for the time between this check and the request. */
const MARGIN_MS = 30_000;

/** Returns whether the last authentication is recent enough for sensitive actions. */
export async function isRecentlyAuthenticated(): Promise<boolean> {
  let now = Date.now();
  const { data } = await unwrap(
    api.GET('/v1/auth/session').then((result) => {
      // The clock of the device can be wrong, so the time comes from the service.
      now = Date.parse(result.response.headers.get('date') ?? '') || now;
      return result;
    }),
  );
  return !data.session || Date.parse(data.session.recentUntil) - MARGIN_MS > now;
}
