import { Anchor, Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { Link, useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { PageHeader } from '../../../ui/page-header';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useOrganizationId } from '../../organization';
import { SecretDialogContent } from '../signing/secret-dialog';
import { webhooksQueryKey } from '../webhook-queries';
import { WebhookFields } from './webhook-fields';
import { validateWebhook, createRequest, EMPTY_WEBHOOK, webhookErrors, type WebhookFormValues } from './webhook-form-values';
import { useUnsavedChanges } from '../../../ui/unsaved-changes';
import { dialogs } from '../../../ui/dialogs';

/** Creates a webhook and shows its secret once. */
export function NewWebhookPage() {
  const org = useOrganizationId();
  const navigate = useNavigate();
  const form = useForm<WebhookFormValues>({ initialValues: EMPTY_WEBHOOK, validate: validateWebhook });
  useUnsavedChanges(form.isDirty());
  const change = useApiMutation({
    mutationFn: async (values: WebhookFormValues) =>
      (await unwrap(api.POST('/v1/organizations/{org}/webhooks', { params: { path: { org } }, body: createRequest(values) })))
        .data,
    invalidates: [webhooksQueryKey(org)],
    onSuccess: ({ id, secret }) => {
      void navigate({ to: '/dashboard/organizations/$org/webhooks/$webhookId', params: { org, webhookId: id } });
      showNewSecret(secret);
    },
  });
  const { rest } = webhookErrors(change.error, form.values);
  const submit = form.onSubmit(
    (values) =>
      change.mutate(values, {
        onError: (error) => form.setErrors(webhookErrors(error, values).fields),
      }),
    () => document.querySelector<HTMLElement>('[aria-invalid="true"], [data-error]')?.focus(),
  );
  return (
    <>
      <Anchor component={Link} to={`/dashboard/organizations/${org}/webhooks`} size="sm">
        ← {t('webhooks.title')}
      </Anchor>
      <PageHeader title={t('webhooks.addTitle')} description={t('webhooks.addDescription')} />
      <form onSubmit={submit} noValidate>
        <Stack maw={860}>
          <WebhookFields form={form}>
            <SecretField form={form} />
          </WebhookFields>
          {rest !== undefined && <ErrorNotice error={rest} />}
          <Group justify="flex-end">
            <Button variant="default" component={Link} to={`/dashboard/organizations/${org}/webhooks`}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {t('webhookForm.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

function SecretField({ form }: { form: UseFormReturnType<WebhookFormValues> }) {
  return (
    <>
      <Radio.Group
        label={t('webhookForm.secret')}
        value={form.values.secret === undefined ? 'made' : 'own'}
        onChange={(choice) => form.setFieldValue('secret', choice === 'own' ? '' : undefined)}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="made" label={t('webhookForm.secretMade')} description={t('webhookForm.secretMadeHint')} />
          <Radio value="own" label={t('webhookForm.secretOwn')} />
        </Stack>
      </Radio.Group>
      {form.values.secret !== undefined && (
        <TextInput
          label={t('webhookForm.secretOwnLabel')}
          description={t('webhookForm.secretOwnHint')}
          autoComplete="off"
          spellCheck={false}
          maxLength={256}
          {...form.getInputProps('secret')}
        />
      )}
    </>
  );
}

function showNewSecret(secret: string): void {
  const dialogId = dialogs.open({
    title: t('webhookForm.createdTitle'),
    size: 'lg',
    // The secret is shown only once, so a click outside must not close the dialog.
    closeOnClickOutside: false,
    withCloseButton: false,
    children: (
      <SecretDialogContent
        text={t('webhookForm.createdText')}
        secrets={[{ label: t('webhookForm.createdSecret'), secret }]}
        onDone={() => dialogs.close(dialogId)}
      />
    ),
  });
}
