import { api, type Schema, unwrap } from '../../../api/client';
import { ApiProblem } from '../../../api/problem';
import { loadMe } from '../destination';
import { openPage } from '../open-page';
import { devicePath } from '../return-to';

const COOKIE = 'oauth-user-code';
const COOKIE_SECONDS = 600;

/** The request of a device, and the user who answers. */
export interface OpenDevice {
  readonly request: Schema<'OauthDeviceRequestResponse'>;
  readonly email: string;
}

export type DeviceAnswer = 'approval' | 'denial';

/** Opens the request of a device. Without a session, opens the sign-in page and returns undefined. */
export async function openDevice(userCode: string): Promise<OpenDevice | undefined> {
  try {
    const [{ data: request }, { email }] = await Promise.all([
      unwrap(api.POST('/v1/oauth/device-requests', { body: { userCode } })),
      loadMe(),
    ]);
    storeUserCode('', 0);
    return { request, email };
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
    await signInForDevice(userCode);
    return undefined;
  }
}

/** Opens the sign-in page, which returns to the code. `organization` is set if the user must sign in there again. */
export async function signInForDevice(userCode: string, organization?: string): Promise<void> {
  storeUserCode(userCode, COOKIE_SECONDS);
  const again = organization === undefined ? {} : { organization, reauthenticate: '1' };
  await openPage('/account/sign-in', { returnTo: devicePath(userCode), ...again });
}

export const allowDevice = (userCode: string, organizationId: string) =>
  unwrap(api.POST('/v1/oauth/device-requests/approval', { body: { userCode, organizationId } }));

export const denyDevice = (userCode: string) => unwrap(api.POST('/v1/oauth/device-requests/denial', { body: { userCode } }));

/** Tells the service during the sign-in for which device the user signs in, so that the event of the sign-in names its application. */
function storeUserCode(userCode: string, seconds: number): void {
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  const value = userCode.replace(/[^a-z]/gi, '');
  document.cookie = `${COOKIE}=${value}; path=/v1/auth; max-age=${seconds}; samesite=lax${secure}`;
}
