import { useQuery } from '@tanstack/react-query';
import { t } from '../../texts';
import { ancestorsQuery, organizationQuery, useOrganizationId } from '../organization';

/** The name of the organization that is shown, or of one above it; those that the caller may not see have none. */
export function useOrganizationName(): (id: string) => string {
  const org = useOrganizationId();
  const { data: here } = useQuery(organizationQuery(org));
  const { data: above = [] } = useQuery(ancestorsQuery(org));
  return (id) => {
    if (here && id === here.id) return here.name;
    return above.find((each) => each.id === id)?.name ?? t('roles.organizationAbove');
  };
}

/** Whether an id is that of the organization that is shown. */
export function useIsHere(): (id: string | null) => boolean {
  const { data: here } = useQuery(organizationQuery(useOrganizationId()));
  return (id) => id !== null && id === here?.id;
}
