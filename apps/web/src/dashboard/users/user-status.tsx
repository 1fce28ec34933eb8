import { type KeyUnder, t } from '../../texts';
import { StatusBadge } from '../../ui/status-badge';

/** The status of a user: active, pending, suspended or deleted. */
export function UserStatus({ status }: { status: KeyUnder<'users.statuses'> }) {
  return <StatusBadge status={status} label={t(`users.statuses.${status}`)} />;
}
