import type { ActiveSession } from '#identity/session-access';
import type { OrganizationChoice } from '../interactions/organization-choice.service.js';
import { acrOf, lacksAcr } from '../provider/session-payload.js';
import type { DeviceRequestPayload } from './device-request.query.js';

/** Returns whether the user must sign in again before allowing the access: the rules of the code flow (`interactionPolicy`). */
export function needsNewSignIn(
  { unmetRule }: Pick<OrganizationChoice, 'unmetRule'>,
  { session }: Pick<ActiveSession, 'session'>,
  { params, iat }: Pick<DeviceRequestPayload, 'params' | 'iat'>,
  now: Date,
): boolean {
  if (unmetRule === 'mfa' || unmetRule === 'time') return true;
  if (lacksAcr(params.acr_values, acrOf(session.authenticationMethods))) return true;
  const authenticatedAt = session.authenticatedAt.getTime();
  const isTooOld = params.max_age !== undefined && authenticatedAt + Number(params.max_age) * 1_000 < now.getTime();
  return isTooOld && authenticatedAt < iat * 1_000;
}
