import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../../api/client';
import { sessionQuery } from '../../../app/session';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useOrganizationId } from '../../organization';
import { type Impersonation, impersonationsKey, startImpersonation } from './impersonation-queries';

type Verb = 'approve' | 'deny' | 'start' | 'end';

/** The actions on a pending, approved or active impersonation. */
export function ImpersonationActions({ impersonation }: { impersonation: Impersonation }) {
  const org = useOrganizationId();
  const { data: session } = useQuery(sessionQuery);
  const { id, impersonatorEmail, userId } = impersonation;
  const act = useApiMutation({
    mutationFn: async (verb: Verb): Promise<unknown> => {
      const params = { path: { org, id } };
      if (verb === 'start') return startImpersonation(impersonation);
      if (verb === 'approve') return unwrap(api.POST('/v1/organizations/{org}/impersonations/{id}/approve', { params }));
      if (verb === 'deny') return unwrap(api.POST('/v1/organizations/{org}/impersonations/{id}/deny', { params }));
      return unwrap(api.POST('/v1/organizations/{org}/impersonations/{id}/end', { params }));
    },
    invalidates: [impersonationsKey(org)],
  });
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        {verbsFor(impersonation, session?.user?.id).map((verb) => (
          <Button
            key={verb}
            size="xs"
            variant={verb === 'approve' || verb === 'start' ? 'filled' : 'default'}
            loading={act.isPending && act.variables === verb}
            onClick={() => act.mutate(verb)}
            aria-label={t('impersonation.named', {
              action: t(`impersonation.${verb}`),
              who: `${impersonatorEmail}, ${userId}`,
            })}
          >
            {t(`impersonation.${verb}`)}
          </Button>
        ))}
      </Group>
      {act.error && <ErrorNotice error={act.error} />}
    </Stack>
  );
}

/** Returns what the signed-in user can do. The service decides. */
function verbsFor({ status, approval, impersonatorId }: Impersonation, ownId: string | undefined): readonly Verb[] {
  const isOwn = impersonatorId === ownId;
  if (status === 'pending') return isOwn || approval === 'user' ? ['end'] : ['approve', 'deny', 'end'];
  if (status === 'approved') return isOwn ? ['start', 'end'] : ['end'];
  return status === 'active' ? ['end'] : [];
}
