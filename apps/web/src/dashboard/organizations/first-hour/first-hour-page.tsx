import { Box, Center, Container, Group, Loader, Paper, Stepper } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../../api/problem';
import { choices, t } from '../../../texts';
import { ColorSchemeSwitch } from '../../../ui/color-scheme-switch';
import { ErrorNotice } from '../../../ui/error-notice';
import { PageHeader } from '../../../ui/page-header';
import { Wordmark } from '../../../ui/wordmark';
import { OperatorBanner } from '../../shell/operator-banner';
import { DeadLink } from './dead-link';
import { FirstOrganization } from './first-organization';
import { FirstOwner } from './first-owner';
import { operatorQuery, takeFurtherLink } from './operator-link';
import { SetUp } from './set-up';

/** The page of the one-time link: opens an operator session and guides through the first organization and its owner. */
export function FirstHourPage() {
  const operator = useQuery(operatorQuery);
  useWindowEvent('hashchange', () => {
    if (takeFurtherLink()) void operator.refetch();
  });
  const isDead = operator.error instanceof ApiProblem && operator.error.status === 401;
  return (
    <Box mih="100vh">
      <Group component="header" justify="space-between" px="md" h={56}>
        <Wordmark />
        <ColorSchemeSwitch />
      </Group>
      <Container component="main" size="sm" py="lg">
        {operator.isPending && (
          <Center py="xl">
            <Loader aria-label={t('firstHour.handingIn')} />
          </Center>
        )}
        {isDead && <DeadLink isMissing={false} />}
        {operator.error && !isDead && <ErrorNotice error={operator.error} onRetry={() => void operator.refetch()} />}
        {operator.data === null && <DeadLink isMissing />}
        {operator.data && <Guide />}
      </Container>
    </Box>
  );
}

interface Made {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

function Guide() {
  const [organization, setOrganization] = useState<Made>();
  const [ownerEmail, setOwnerEmail] = useState<string>();
  const step = organization === undefined ? 0 : ownerEmail === undefined ? 1 : 2;
  return (
    <>
      <PageHeader title={t('firstHour.title')} />
      <OperatorBanner />
      <Stepper active={step} size="sm" mb="lg" allowNextStepsSelect={false}>
        {choices('firstHour.steps').map(({ value: name, label }, index) => (
          <Stepper.Step key={name} label={label} allowStepSelect={false} aria-current={index === step ? 'step' : undefined} />
        ))}
      </Stepper>
      <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
        {organization === undefined && <FirstOrganization onMade={setOrganization} />}
        {organization && ownerEmail === undefined && <FirstOwner organization={organization} onInvited={setOwnerEmail} />}
        {organization && ownerEmail !== undefined && <SetUp organization={organization} ownerEmail={ownerEmail} />}
      </Paper>
    </>
  );
}
