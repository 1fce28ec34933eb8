import { ActionIcon, Anchor, Group, List, Paper, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { CheckIcon, CircleIcon, XIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schema } from '../../../api/client';
import { type KeyUnder, t } from '../../../texts';
import { covers } from '../../permissions';
import { dismissChecklist, isChecklistDismissed } from './dismissed-checklists';
import { isNewOrganization, type LoadedHints } from './hint-queries';

interface Step {
  readonly name: KeyUnder<'organization.checklist.steps'>;
  readonly path: string;
  /** Without this permission, the step is not shown. */
  readonly permission: string;
  readonly isDone: boolean | undefined;
}

interface Props {
  readonly organization: Schema<'OrganizationResponse'>;
  readonly hints: LoadedHints;
}

/** The first steps of a new organization. The state of the organization ticks them. The user can dismiss the list. */
export function Checklist({ organization, hints }: Props) {
  const { id } = organization;
  const [isDismissed, setDismissed] = useState(() => isChecklistDismissed(id));
  const steps = stepsOf(organization, hints);
  const done = steps.filter(({ isDone }) => isDone).length;
  // A query that failed leaves a step unknown.
  const isKnown = steps.every(({ isDone }) => isDone !== undefined);
  if (isDismissed || !isNewOrganization(organization) || done === steps.length || !isKnown) return null;
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

function stepsOf(
  { memberCount, identityProviders }: Schema<'OrganizationResponse'>,
  { permissions, domains, webhooks, applicationCount }: LoadedHints,
): readonly Step[] {
  const steps: readonly Step[] = [
    // The first member is the person who reads the list.
    { name: 'people', path: '/users', permission: 'users:write', isDone: memberCount > 1 },
    {
      name: 'domain',
      path: '/domains',
      permission: 'domains:write',
      isDone: domains?.some(({ status }) => status === 'verified'),
    },
    {
      name: 'signIn',
      path: '/identity-providers',
      permission: 'organizations:write',
      isDone: identityProviders.some(({ enabled }) => enabled),
    },
    { name: 'webhook', path: '/webhooks', permission: 'webhooks:write', isDone: webhooks && webhooks.length > 0 },
    {
      name: 'application',
      path: '/applications',
      permission: 'oauth_clients:write',
      isDone: applicationCount === undefined ? undefined : applicationCount > 0,
    },
  ];
  return steps.filter(({ permission }) => covers(permissions, permission));
}
