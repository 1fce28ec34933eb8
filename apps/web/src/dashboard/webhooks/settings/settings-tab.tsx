import { Alert, Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useHasPermission } from '../../permissions';
import { WebhookFields } from '../form/webhook-fields';
import { validateWebhook, updateRequest, valuesOf, webhookErrors, type WebhookFormValues } from '../form/webhook-form-values';
import { webhooksQueryKey, updateWebhook, useWebhookKey, type Webhook, webhookQuery } from '../webhook-queries';
import { DangerZone } from './danger-zone';
import { useUnsavedChanges } from '../../../ui/unsaved-changes';

export function SettingsTab() {
  const { data: webhook } = useQuery(webhookQuery(useWebhookKey()));
  const canWrite = useHasPermission('webhooks:write');
  if (!webhook) return <Skeleton h={320} />;
  if (!canWrite) return <Alert color="gray">{t('webhooks.readOnly')}</Alert>;
  return (
    <Stack maw={860} gap="lg">
      <SettingsForm key={webhook.id} webhook={webhook} />
      <DangerZone webhook={webhook} />
    </Stack>
  );
}

function SettingsForm({ webhook }: { webhook: Webhook }) {
  const key = useWebhookKey();
  // A refetch must not change the form during typing.
  const [before, setBefore] = useState(() => valuesOf(webhook));
  const form = useForm<WebhookFormValues>({ initialValues: before, validate: validateWebhook });
  const change = useApiMutation({
    mutationFn: (values: WebhookFormValues) => updateWebhook(key, updateRequest(before, values)),
    invalidates: [webhooksQueryKey(key.org)],
    successMessage: t('webhooks.settings.saved'),
    onSuccess: (updated) => {
      const values = valuesOf(updated);
      setBefore(values);
      form.setInitialValues(values);
      form.setValues(values);
      form.resetDirty(values);
    },
  });
  const isDirty = form.isDirty();
  useUnsavedChanges(isDirty);
  const { rest } = webhookErrors(change.error, form.values);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) =>
        change.mutate(values, {
          onError: (error) => form.setErrors(webhookErrors(error, values).fields),
        }),
      )}
    >
      <Stack gap="lg">
        <WebhookFields form={form} />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <Paper withBorder p="md" style={{ position: 'sticky', bottom: 0, zIndex: 1 }}>
          <Group justify="space-between">
            <Text size="sm" c={isDirty ? undefined : 'dimmed'} aria-live="polite">
              {isDirty ? t('webhooks.settings.unsaved') : t('webhooks.settings.nothingChanged')}
            </Text>
            <Group gap="sm">
              <Button variant="default" disabled={!isDirty} onClick={form.reset}>
                {t('webhooks.settings.discard')}
              </Button>
              <Button type="submit" disabled={!isDirty} loading={change.isPending}>
                {t('common.save')}
              </Button>
            </Group>
          </Group>
        </Paper>
      </Stack>
    </form>
  );
}
