import { Checkbox, Select, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, type Schema, unwrap } from '../../../api/client';
import { formErrors } from '../../../api/form-errors';
import { t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { showNewSecret } from '../../../ui/new-secret-dialog';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { dialogs } from '../../../ui/dialogs';

const STEPS = ['domain', 'sso', 'scim', 'webhook'] as const;
type Step = (typeof STEPS)[number];

const DAY_SECONDS = 86_400;
const LIFETIMES = [1, 7, 30] as const;

export const setupLinksKey = (org: string) => ['setup-links', org] as const;

export function openCreateSetupLinkDialog(org: string): void {
  const dialogId = dialogs.open({
    title: t('setupLinks.create'),
    children: (
      <CreationForm
        org={org}
        onCancel={() => dialogs.close(dialogId)}
        onCreated={(link) => {
          dialogs.close(dialogId);
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

/** Shows the URL of a new link once. */
function showUrl({ url }: Schema<'CreatedSetupLinkResponse'>): void {
  showNewSecret({
    title: t('setupLinks.shownTitle'),
    warning: t('setupLinks.shownOnce'),
    secret: { label: t('setupLinks.url'), value: url },
    confirmLabel: t('setupLinks.kept'),
  });
}
