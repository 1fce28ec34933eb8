import { type KeyUnder, t } from '../../texts';
import { StatusBadge } from '../../ui/status-badge';

export function UserStatus({ status }: { status: KeyUnder<'users.statuses'> }) {
  return <StatusBadge status={status} label={t(`users.statuses.${status}`)} />;
}
