import { t } from '../../texts';
import { downloadUrl } from '../../ui/download';
import { notifyError } from '../../ui/notify';
import { ensureRecentAuthentication } from './ensure-recent-authentication';

/** Downloads a file of an operation that requires a recent authentication. The browser streams the file to disk, so the file can be large. */
export async function downloadRecentlyAuthenticated(address: string): Promise<void> {
  try {
    if (await ensureRecentAuthentication()) downloadUrl(address);
  } catch (error) {
    notifyError(t('errors.heading'), error);
  }
}
