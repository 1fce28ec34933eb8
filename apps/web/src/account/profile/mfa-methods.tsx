import { ActionIcon, Badge, Button, Group, Paper, Stack, Text, TextInput, Title, Tooltip } from '@mantine/core';
import { PencilIcon, TrashIcon } from '@primer/octicons-react';
import { type FormEvent, useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { ErrorNotice } from '../../ui/error-notice';
import { RelativeTime } from '../../ui/relative-time';
import { useApiMutation } from '../../ui/use-api-mutation';
import { FACTOR_ICONS } from '../factor-icons';

type Mfa = Schema<'OwnMfaResponse'>;
type Factor = Mfa['factors'][number];

export function MfaMethods({ mfa }: { mfa: Mfa }) {
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h3">
        {t('account.factors.heading')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {mfa.enabled ? t('account.factors.enabled') : t('account.factors.disabled')}
      </Text>
      {mfa.factors.length === 0 && <Text size="sm">{t('account.factors.none')}</Text>}
      <Stack gap="md">
        {mfa.factors.map((factor) => (
          <FactorRow key={factor.id ?? factor.method} factor={factor} />
        ))}
      </Stack>
    </Paper>
  );
}

/** Removes a factor after a confirmation. */
function useFactorRemoval(factor: Factor, name: string) {
  const removal = useApiMutation({
    mutationFn: () =>
      factor.id === undefined
        ? unwrap(api.DELETE('/v1/auth/mfa/{method}', { params: { path: { method: factor.method as never } } }))
        : unwrap(api.DELETE('/v1/auth/mfa/passkeys/{id}', { params: { path: { id: factor.id } } })),
    invalidates: [['own-mfa'], ['me'], ['own-sessions']],
    successMessage: t('account.factors.removed'),
  });
  return () =>
    confirm({
      title: t('account.factors.removeTitle', { name }),
      consequences: t('account.factors.removeText'),
      confirmLabel: t('common.remove'),
      isDangerous: true,
      action: () => removal.mutateAsync(),
    });
}

function FactorRow({ factor }: { factor: Factor }) {
  const [isRenaming, setRenaming] = useState(false);
  const name = factor.name ?? t(`account.factors.methods.${factor.method}`);
  const Icon = FACTOR_ICONS[factor.method];
  const confirmRemoval = useFactorRemoval(factor, name);
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Group wrap="nowrap" align="flex-start">
        <Icon size={20} />
        <div>
          <Group gap="xs">
            <Text fw={600} className="breakable">
              {name}
            </Text>
            {factor.restricted && <Note text={t('account.factors.restricted')} />}
            {!factor.allowed && <Note text={t('account.factors.notAllowed')} />}
          </Group>
          <Text size="sm" c="dimmed">
            {factor.destination && `${factor.destination} · `}
            {t('account.factors.added')} <RelativeTime at={factor.createdAt} /> · {t('account.factors.lastUsed')}{' '}
            <RelativeTime at={factor.lastUsedAt} />
          </Text>
          {isRenaming && factor.id !== undefined && <RenameForm id={factor.id} name={name} onDone={() => setRenaming(false)} />}
        </div>
      </Group>
      <Group gap={4} wrap="nowrap">
        {factor.id !== undefined && (
          <Tooltip label={t('account.factors.rename')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={() => setRenaming(true)}
              aria-label={`${t('account.factors.rename')}: ${name}`}
            >
              <PencilIcon size={18} />
            </ActionIcon>
          </Tooltip>
        )}
        <Tooltip label={t('common.remove')}>
          <ActionIcon variant="subtle" color="red" onClick={confirmRemoval} aria-label={`${t('common.remove')}: ${name}`}>
            <TrashIcon size={18} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  );
}

function Note({ text }: { text: string }) {
  return (
    <Badge color="yellow" variant="light" tt="none">
      {text}
    </Badge>
  );
}

function RenameForm({ id, name: oldName, onDone }: { id: string; name: string; onDone: () => void }) {
  const [name, setName] = useState(oldName);
  const rename = useApiMutation({
    mutationFn: () => unwrap(api.PATCH('/v1/auth/mfa/passkeys/{id}', { params: { path: { id } }, body: { name: name.trim() } })),
    invalidates: [['own-mfa']],
    onSuccess: onDone,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" mt="xs">
        <TextInput
          label={t('account.factors.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          required
        />
        <Button type="submit" loading={rename.isPending}>
          {t('common.save')}
        </Button>
      </Group>
      {rename.error && <ErrorNotice error={rename.error} />}
    </form>
  );
}
