import { findText, t } from '../../../texts';
import { StatusBadge } from '../../../ui/status-badge';
import type { Delivery } from '../webhook-queries';

/** A delivery's status in words: one that has failed before is being retried. */
export function DeliveryStatusBadge({
  delivery: { status, attemptCount },
}: {
  delivery: Pick<Delivery, 'status' | 'attemptCount'>;
}) {
  const isRetrying = status === 'pending' && attemptCount > 0;
  const label = isRetrying ? t('deliveries.retrying') : (findText(`deliveries.statuses.${status}`) ?? status);
  return <StatusBadge status={isRetrying || status === 'delivering' ? 'retrying' : status} label={label} />;
}
