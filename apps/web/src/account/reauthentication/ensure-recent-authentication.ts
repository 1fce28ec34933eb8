import { reauthenticate } from './reauthenticate';
import { isRecentlyAuthenticated } from './recent-authentication';

/**
 * Asks the user to authenticate again when the last authentication is too old. Needed only for requests without the API client,
 * such as downloads. Resolves to false when the user closes the dialog.
 */
export const ensureRecentAuthentication = async (): Promise<boolean> => (await isRecentlyAuthenticated()) || reauthenticate();
