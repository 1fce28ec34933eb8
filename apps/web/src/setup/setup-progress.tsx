import { Anchor, Badge, Group, List, Text, ThemeIcon } from '@mantine/core';
import { CheckIcon, CircleIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { domainsQuery } from '../dashboard/connections/domains/domain-queries';
import { scimConnectionsQuery } from '../dashboard/connections/scim/scim-queries';
import { t } from '../texts';
import { providersQuery, webhooksQuery } from './setup-queries';
import type { SetupScope } from './setup-scope';

type Step = SetupScope['steps'][number];

/** Returns the steps of the link that are done. The step of the domain is done when the domain is verified. */
export function useFinishedSteps(scope: SetupScope): ReadonlySet<Step> {
  const has = (step: Step) => ({ enabled: scope.steps.includes(step) });
  const domains = useQuery({ ...domainsQuery(scope), ...has('domain') });
  const providers = useQuery({ ...providersQuery(scope), ...has('sso') });
  const directories = useQuery({ ...scimConnectionsQuery(scope), ...has('scim') });
  const webhooks = useQuery({ ...webhooksQuery(scope), ...has('webhook') });
  const isDone: Record<Step, boolean | undefined> = {
    domain: domains.data?.data.some(({ status }) => status === 'verified'),
    sso: providers.data && providers.data.length > 0,
    scim: directories.data && directories.data.data.length > 0,
    webhook: webhooks.data && webhooks.data.length > 0,
  };
  return new Set(scope.steps.filter((step) => isDone[step]));
}

interface Props {
  readonly steps: readonly Step[];
  readonly finished: ReadonlySet<Step>;
  /** Whether each step links to its part of the page. */
  readonly withLinks?: boolean;
}

/** Lists the steps with check marks. */
export function StepList({ steps, finished, withLinks = false }: Props) {
  return (
    <List listStyleType="none" spacing={6} aria-label={t('setup.steps')}>
      {steps.map((step) => {
        const isDone = finished.has(step);
        const title = t(`setup.${step}.title`);
        return (
          <List.Item
            key={step}
            icon={
              <ThemeIcon color={isDone ? 'green' : 'gray'} variant="light" size={24} radius="xl" aria-hidden>
                {isDone ? <CheckIcon size={14} /> : <CircleIcon size={14} />}
              </ThemeIcon>
            }
          >
            <Group gap="xs">
              {withLinks ? <Anchor href={`#step-${step}`}>{title}</Anchor> : <Text>{title}</Text>}
              {isDone && <StepDone />}
            </Group>
          </List.Item>
        );
      })}
    </List>
  );
}

export function StepDone() {
  return (
    <Badge color="green" variant="light" autoContrast tt="none" leftSection={<CheckIcon size={12} />}>
      {t('setup.stepDone')}
    </Badge>
  );
}
