import { StatusBadge } from '../../ui/status-badge';
import { type KeyUnder, t } from '../../texts';

export function OrganizationStatus({ status }: { status: KeyUnder<'organizations.statuses'> }) {
  return <StatusBadge status={status} label={t(`organizations.statuses.${status}`)} />;
}
