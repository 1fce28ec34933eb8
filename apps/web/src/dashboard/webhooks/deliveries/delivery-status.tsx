import { findText, t } from '../../../texts';
import { StatusBadge } from '../../../ui/status-badge';
import type { Delivery } from '../webhook-queries';

/** Shows the status of a delivery. A pending delivery with failed attempts is shown as retrying. */
export function DeliveryStatusBadge({
  delivery: { status, attemptCount },
}: {
  delivery: Pick<Delivery, 'status' | 'attemptCount'>;
}) {
  const isRetrying = status === 'pending' && attemptCount > 0;
  const label = isRetrying ? t('deliveries.retrying') : (findText(`deliveries.statuses.${status}`) ?? status);
  return <StatusBadge status={isRetrying || status === 'delivering' ? 'retrying' : status} label={label} />;
}
