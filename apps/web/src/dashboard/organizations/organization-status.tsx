import { StatusBadge } from '../../ui/status-badge';
import { texts } from '../../texts';

/** Whether an organization is active, suspended, waits for approval or is deleted. */
export function OrganizationStatus({ status }: { status: keyof typeof texts.organizations.statuses }) {
  return <StatusBadge status={status} label={texts.organizations.statuses[status]} />;
}
