import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { texts } from '../../../texts';
import type { WebhookFormValues } from './webhook-form-values';

const words = texts.webhookForm;
let added = 0;

/** The webhook's own headers; values that are kept already are never shown. */
export function HeadersField({ form }: { form: UseFormReturnType<WebhookFormValues> }) {
  const { headers } = form.getValues();
  return (
    <Input.Wrapper label={words.headers} description={words.headersHint} error={form.errors['headers']} labelElement="div">
      <Stack gap="xs" mt="xs">
        {headers.map(({ key, name, keptAs }, index) => (
          <Group key={key} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={words.headerName}
              placeholder={words.headerNamePlaceholder}
              autoComplete="off"
              spellCheck={false}
              flex={2}
              {...form.getInputProps(`headers.${index}.name`)}
            />
            <TextInput
              aria-label={words.headerValue}
              placeholder={keptAs === undefined ? '' : words.headerValueKept}
              autoComplete="off"
              spellCheck={false}
              flex={3}
              {...form.getInputProps(`headers.${index}.value`)}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              aria-label={words.headerRemove(name)}
              onClick={() => form.removeListItem('headers', index)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => form.insertListItem('headers', { key: `added-${++added}`, name: '', value: '' })}
          style={{ alignSelf: 'flex-start' }}
        >
          {words.headerAdd}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
