import { ActionIcon, Anchor, Group, List, Paper, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { CheckIcon, CircleIcon, XIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schema } from '../../../api/client';
import { type KeyUnder, t } from '../../../texts';
import { domainsQuery } from '../../connections/domains/domain-queries';
import { covers, permissionsQuery } from '../../permissions';
import { dismissChecklist, isChecklistDismissed } from './dismissed-checklists';
import { applicationCountQuery, webhooksQuery } from './overview-queries';

/** Older organizations are no longer new. */
const NEW_FOR_MS = 30 * 86_400_000;

interface Step {
  readonly name: KeyUnder<'organization.checklist.steps'>;
  readonly path: string;
  /** Without this permission, the step is not shown. */
  readonly permission: string;
  readonly isDone: boolean | undefined;
}

const isNewOrganization = ({ status, createdAt }: Schema<'OrganizationResponse'>): boolean =>
  status === 'active' && Date.now() - Date.parse(createdAt) < NEW_FOR_MS;

export const needsChecklist = (organization: Schema<'OrganizationResponse'>): boolean =>
  isNewOrganization(organization) && !isChecklistDismissed(organization.id);

/** The first steps of a new organization. The state of the organization ticks them. The user can dismiss the list. */
export function Checklist({ organization }: { organization: Schema<'OrganizationResponse'> }) {
  const { id } = organization;
  const [isDismissed, setDismissed] = useState(() => isChecklistDismissed(id));
  const isNew = isNewOrganization(organization);
  const steps = useSteps(organization, isNew && !isDismissed);
  const done = steps.filter(({ isDone }) => isDone).length;
  // Shown when everything is known, so that nothing jumps and no finished list flashes up.
  if (isDismissed || !isNew || done === steps.length || steps.some(({ isDone }) => isDone === undefined)) return null;
  const dismiss = () => {
    dismissChecklist(id);
    setDismissed(true);
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="checklist">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h3" id="checklist">
          {t('organization.checklist.title')}
        </Title>
        <ActionIcon variant="subtle" color="gray" onClick={dismiss} aria-label={t('organization.checklist.dismiss')}>
          <XIcon size={16} />
        </ActionIcon>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {t('organization.checklist.progress', { done, total: steps.length })}
      </Text>
      <List listStyleType="none" spacing={6}>
        {steps.map(({ name, path, isDone }) => (
          <List.Item
            key={name}
            icon={
              <ThemeIcon color={isDone ? 'green' : 'gray'} variant="light" size={24} radius="xl" aria-hidden>
                {isDone ? <CheckIcon size={14} /> : <CircleIcon size={14} />}
              </ThemeIcon>
            }
          >
            <Anchor component={Link} to={`/dashboard/organizations/${id}${path}`} size="sm">
              {t(`organization.checklist.steps.${name}`)}
            </Anchor>
            {isDone && <VisuallyHidden> ({t('setup.stepDone')})</VisuallyHidden>}
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}

function useSteps({ id, memberCount, identityProviders }: Schema<'OrganizationResponse'>, isNeeded: boolean): readonly Step[] {
  const { data: permissions = [] } = useQuery(permissionsQuery(id));
  const may = (permission: string) => covers(permissions, permission);
  const when = (permission: string) => ({ enabled: isNeeded && may(permission) });
  const domains = useQuery({ ...domainsQuery({ client: api, org: id }), ...when('domains:write') });
  const webhooks = useQuery({ ...webhooksQuery(id), ...when('webhooks:write') });
  const applications = useQuery({ ...applicationCountQuery(id), ...when('oauth_clients:write') });
  const steps: readonly Step[] = [
    // The first member is the person who reads the list.
    { name: 'people', path: '/users', permission: 'users:write', isDone: memberCount > 1 },
    {
      name: 'domain',
      path: '/domains',
      permission: 'domains:write',
      isDone: domains.data?.data.some(({ status }) => status === 'verified'),
    },
    {
      name: 'signIn',
      path: '/identity-providers',
      permission: 'organizations:write',
      isDone: identityProviders.some(({ enabled }) => enabled),
    },
    { name: 'webhook', path: '/webhooks', permission: 'webhooks:write', isDone: webhooks.data && webhooks.data.length > 0 },
    {
      name: 'application',
      path: '/applications',
      permission: 'oauth_clients:write',
      isDone: applications.data === undefined ? undefined : applications.data > 0,
    },
  ];
  return steps.filter(({ permission }) => may(permission));
}
