import { Badge, Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schema } from '../../api/client';
import { t } from '../../texts';
import { AddPasskey } from './add-passkey';
import { AddCodeMethod } from './add-code-method';
import { AddTotp } from './add-totp';
import { FACTOR_ICONS, type FactorMethod } from '../factor-icons';
import type { OnAdded } from './on-added';
import { showRecoveryCodes } from './recovery-codes';
import { dialogs } from '../../ui/dialogs';

const FORMS: Readonly<Record<FactorMethod, (onAdded: OnAdded) => ReactNode>> = {
  totp: (onAdded) => <AddTotp onAdded={onAdded} />,
  passkey: (onAdded) => <AddPasskey onAdded={onAdded} />,
  email: (onAdded) => <AddCodeMethod method="email" onAdded={onAdded} />,
  sms: (onAdded) => <AddCodeMethod method="sms" onAdded={onAdded} />,
};

export function AddMfaMethod({ mfa }: { mfa: Schema<'OwnMfaResponse'> }) {
  const add = (method: FactorMethod) => {
    const dialogId = dialogs.open({
      title: t(`account.factors.addMethod.${method}`),
      children: FORMS[method]((recoveryCodes) => {
        dialogs.close(dialogId);
        if (recoveryCodes && recoveryCodes.length > 0) showRecoveryCodes(recoveryCodes);
      }),
    });
  };
  if (mfa.available.length === 0) return null;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h3" mb="md">
        {t('account.factors.addMore')}
      </Title>
      <Stack gap="md">
        {mfa.available.map(({ method, restricted }) => {
          const Icon = FACTOR_ICONS[method];
          return (
            <Group key={method} justify="space-between" align="flex-start">
              <Group wrap="nowrap" align="flex-start" flex="1 1 15rem">
                <Box flex="none">
                  <Icon size={20} />
                </Box>
                <div>
                  <Group gap="xs">
                    <Text fw={600}>{t(`account.factors.methods.${method}`)}</Text>
                    {restricted && (
                      <Badge color="yellow" variant="light" tt="none">
                        {t('account.factors.restricted')}
                      </Badge>
                    )}
                  </Group>
                  <Text size="sm" c="dimmed">
                    {t(`account.factors.explained.${method}`)}
                  </Text>
                </div>
              </Group>
              <Button variant="default" onClick={() => add(method)} aria-label={t(`account.factors.addMethod.${method}`)}>
                {t('account.factors.add')}
              </Button>
            </Group>
          );
        })}
      </Stack>
    </Paper>
  );
}
