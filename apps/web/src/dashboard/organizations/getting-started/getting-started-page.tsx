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
import { InvalidLink } from './invalid-link';
import { FirstOrganization } from './first-organization';
import { FirstOwner } from './first-owner';
import { operatorQuery, readNewLink } from './operator-link';
import { NextSteps } from './next-steps';

/** The page of the one-time link: opens an operator session and guides through the first organization and its owner. */
export function GettingStartedPage() {
  const operator = useQuery(operatorQuery);
  useWindowEvent('hashchange', () => {
    if (readNewLink()) void operator.refetch();
  });
  const isInvalidLink = operator.error instanceof ApiProblem && operator.error.status === 401;
  return (
    <Box mih="100vh">
      <Group component="header" justify="space-between" px="md" h={56}>
        <Wordmark />
        <ColorSchemeSwitch />
      </Group>
      <Container component="main" size="sm" py="lg">
        {operator.isPending && (
          <Center py="xl">
            <Loader aria-label={t('gettingStarted.checkingLink')} />
          </Center>
        )}
        {isInvalidLink && <InvalidLink isMissing={false} />}
        {operator.error && !isInvalidLink && <ErrorNotice error={operator.error} onRetry={() => void operator.refetch()} />}
        {operator.data === null && <InvalidLink isMissing />}
        {operator.data && <Guide />}
      </Container>
    </Box>
  );
}

interface CreatedOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

function Guide() {
  const [organization, setOrganization] = useState<CreatedOrganization>();
  const [ownerEmail, setOwnerEmail] = useState<string>();
  const step = organization === undefined ? 0 : ownerEmail === undefined ? 1 : 2;
  return (
    <>
      <PageHeader title={t('gettingStarted.title')} />
      <OperatorBanner />
      <Stepper active={step} size="sm" mb="lg" allowNextStepsSelect={false}>
        {choices('gettingStarted.steps').map(({ value: name, label }, index) => (
          <Stepper.Step key={name} label={label} allowStepSelect={false} aria-current={index === step ? 'step' : undefined} />
        ))}
      </Stepper>
      <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
        {organization === undefined && <FirstOrganization onCreated={setOrganization} />}
        {organization && ownerEmail === undefined && <FirstOwner organization={organization} onInvited={setOwnerEmail} />}
        {organization && ownerEmail !== undefined && <NextSteps organization={organization} ownerEmail={ownerEmail} />}
      </Paper>
    </>
  );
}
