import { useQuery } from '@tanstack/react-query';
import { t } from '../../texts';
import { ancestorsQuery, organizationQuery, useOrganizationId } from '../organization';

/**
 * Returns a function that returns the name of the current organization or of an ancestor by id. Hidden ancestors have a generic
 * name. With `asOf`, the names are of a past moment.
 */
export function useOrganizationName(asOf?: string): (id: string) => string {
  const org = useOrganizationId();
  const { data: here } = useQuery(organizationQuery(org, asOf));
  const { data: ancestors = [] } = useQuery(ancestorsQuery(org, asOf));
  return (id) => {
    if (here && id === here.id) return here.name;
    return ancestors.find((each) => each.id === id)?.name ?? t('roles.ancestorOrganization');
  };
}

/** Returns a function that compares an id with the current organization. */
export function useIsCurrentOrganization(): (id: string | null) => boolean {
  const { data: here } = useQuery(organizationQuery(useOrganizationId()));
  return (id) => id !== null && id === here?.id;
}
