import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PlusIcon, TrashIcon } from '@primer/octicons-react';
import { t } from '../../../texts';
import type { WebhookFormValues } from './webhook-form-values';

let added = 0;

/** Edits the custom headers of a webhook. Saved values are never shown. */
export function HeadersField({ form }: { form: UseFormReturnType<WebhookFormValues> }) {
  const { headers } = form.getValues();
  return (
    <Input.Wrapper
      label={t('webhookForm.headers')}
      description={t('webhookForm.headersHint')}
      error={form.errors['headers']}
      labelElement="div"
    >
      <Stack gap="xs" mt="xs">
        {headers.map(({ key, name, savedName }, index) => (
          <Group key={key} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={t('webhookForm.headerName')}
              placeholder={t('webhookForm.headerNamePlaceholder')}
              autoComplete="off"
              spellCheck={false}
              flex={2}
              {...form.getInputProps(`headers.${index}.name`)}
            />
            <TextInput
              aria-label={t('webhookForm.headerValue')}
              placeholder={savedName === undefined ? '' : t('webhookForm.headerValueKept')}
              autoComplete="off"
              spellCheck={false}
              flex={3}
              {...form.getInputProps(`headers.${index}.value`)}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              aria-label={t('webhookForm.headerRemove', { name })}
              onClick={() => form.removeListItem('headers', index)}
            >
              <TrashIcon size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<PlusIcon size={14} />}
          onClick={() => form.insertListItem('headers', { key: `added-${++added}`, name: '', value: '' })}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('webhookForm.headerAdd')}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
