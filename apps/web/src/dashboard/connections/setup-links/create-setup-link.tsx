import { Alert, Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { AlertIcon } from '@primer/octicons-react';
import { type FormEvent, useState } from 'react';
import { api, type Schema, unwrap } from '../../../api/client';
import { formErrors } from '../../../api/form-errors';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';

const STEPS = ['domain', 'sso', 'scim', 'webhook'] as const;
type Step = (typeof STEPS)[number];

const DAY_SECONDS = 86_400;
const LIFETIMES = [1, 7, 30] as const;

export const setupLinksKey = (org: string) => ['setup-links', org] as const;

export function openCreateSetupLinkDialog(org: string): void {
  const modalId = modals.open({
    title: t('setupLinks.create'),
    closeButtonProps: { 'aria-label': t('common.close') },
    children: (
      <CreationForm
        org={org}
        onCancel={() => modals.close(modalId)}
        onCreated={(link) => {
          modals.close(modalId);
          showUrl(link);
        }}
      />
    ),
  });
}

interface Props {
  readonly org: string;
  readonly onCreated: (link: Schema<'CreatedSetupLinkResponse'>) => void;
  readonly onCancel: () => void;
}

function CreationForm({ org, onCreated, onCancel }: Props) {
  const [steps, setSteps] = useState<Step[]>(['domain']);
  const [days, setDays] = useState('7');
  const create = useApiMutation({
    mutationFn: async () => {
      const body = { steps, expiresInSeconds: Number(days) * DAY_SECONDS };
      return (await unwrap(api.POST('/v1/organizations/{org}/setup-links', { params: { path: { org } }, body }))).data;
    },
    invalidates: [setupLinksKey(org)],
    onSuccess: onCreated,
  });
  const { fields, rest } = formErrors(create.error, ['steps', 'expiresInSeconds']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Checkbox.Group
          label={t('setupLinks.steps')}
          description={t('setupLinks.stepsHint')}
          value={steps}
          onChange={setSteps}
          error={fields['steps']}
        >
          <Stack gap="xs" mt="xs">
            {STEPS.map((step) => (
              <Checkbox
                key={step}
                value={step}
                label={t(`setupLinks.stepNames.${step}`)}
                description={t(`setupLinks.stepHints.${step}`)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label={t('setupLinks.lifetime')}
          data={LIFETIMES.map((count) => ({ value: String(count), label: t('setupLinks.days', { count }) }))}
          value={days}
          onChange={(value) => setDays(value ?? days)}
          allowDeselect={false}
        />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <DialogButtons
          submitLabel={t('setupLinks.create')}
          isPending={create.isPending}
          isDisabled={steps.length === 0}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

/** Shows the URL of a new link once. The page does not store the URL. */
function showUrl({ url }: Schema<'CreatedSetupLinkResponse'>): void {
  const modalId = modals.open({
    title: t('setupLinks.shownTitle'),
    size: 'lg',
    // The URL is shown only once, so only the button closes the dialog.
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: (
      <Stack>
        <Alert color="yellow" icon={<AlertIcon size={20} />}>
          {t('setupLinks.shownOnce')}
        </Alert>
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {t('setupLinks.url')}
          </Text>
          <CopyField value={url} label={t('setupLinks.url')} />
        </Stack>
        <Group justify="flex-end">
          <Button onClick={() => modals.close(modalId)}>{t('setupLinks.kept')}</Button>
        </Group>
      </Stack>
    ),
  });
}
