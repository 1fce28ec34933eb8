import { ActionIcon, Button, Fieldset, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { PlusIcon, XIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { formErrors } from '../../../api/form-errors';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useUnsavedChanges } from '../../../ui/unsaved-changes';

export interface ApiValues {
  readonly name: string;
  readonly identifier: string;
  readonly scopes: { name: string; description: string }[];
}

export const EMPTY_SCOPE = { name: '', description: '' };

interface Props {
  readonly initial: ApiValues;
  /** Whether the identifier can no longer be changed. */
  readonly isExisting?: boolean;
  readonly isReadOnly?: boolean;
  readonly submitLabel: string;
  readonly change: { isPending: boolean; error: unknown; mutate: (values: ApiValues) => void };
  /** Shown next to the submit button. */
  readonly children?: ReactNode;
}

/** Edits an API: its name, its identifier and its scopes. */
export function ApiForm({ initial, isExisting = false, isReadOnly = false, submitLabel, change, children }: Props) {
  const form = useForm<ApiValues>({ initialValues: initial });
  useUnsavedChanges(form.isDirty());
  const { fields: errors, rest } = formErrors(change.error, ['name', 'identifier']);
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <Stack maw={640}>
        <TextInput
          label={t('applications.name')}
          description={t('applications.apis.nameHint')}
          required
          maxLength={100}
          disabled={isReadOnly}
          {...form.getInputProps('name')}
          error={errors['name']}
        />
        <TextInput
          label={t('applications.apis.identifier')}
          description={t('applications.apis.identifierHint')}
          placeholder="https://api.example.com"
          required
          maxLength={255}
          disabled={isReadOnly || isExisting}
          {...form.getInputProps('identifier')}
          error={errors['identifier']}
        />
        <ScopesField form={form} isReadOnly={isReadOnly} />
        {rest !== undefined && <ErrorNotice error={rest} />}
        {!isReadOnly && (
          <Group>
            <Button type="submit" loading={change.isPending}>
              {submitLabel}
            </Button>
            {children}
          </Group>
        )}
      </Stack>
    </form>
  );
}

interface ScopesProps {
  readonly form: {
    readonly values: ApiValues;
    readonly getInputProps: (path: string) => object;
    readonly insertListItem: (path: 'scopes', item: typeof EMPTY_SCOPE) => void;
    readonly removeListItem: (path: 'scopes', index: number) => void;
  };
  readonly isReadOnly: boolean;
}

function ScopesField({ form, isReadOnly }: ScopesProps) {
  const { scopes } = form.values;
  return (
    <Fieldset legend={t('applications.apis.scopes')} disabled={isReadOnly}>
      <Stack>
        {scopes.map((_scope, index) => (
          <Group key={index} align="flex-end" wrap="nowrap">
            <Group grow flex={1} preventGrowOverflow={false} align="flex-start">
              <TextInput
                label={t('applications.apis.scopeName')}
                placeholder="invoices:read"
                required
                maxLength={100}
                miw={130}
                {...form.getInputProps(`scopes.${index}.name`)}
              />
              <TextInput
                label={t('applications.apis.scopeDescription')}
                placeholder={t('applications.apis.scopeExample')}
                maxLength={200}
                miw={130}
                {...form.getInputProps(`scopes.${index}.description`)}
              />
            </Group>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              disabled={scopes.length === 1}
              aria-label={t('applications.apis.removeScope', { number: index + 1 })}
              onClick={() => form.removeListItem('scopes', index)}
            >
              <XIcon size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon size={14} />}
            onClick={() => form.insertListItem('scopes', EMPTY_SCOPE)}
          >
            {t('applications.apis.addScope')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

/** Returns the scopes of a request. */
export const scopesOf = ({ scopes }: ApiValues) =>
  scopes.map(({ name, description }) => ({
    name: name.trim(),
    ...(description.trim() ? { description: description.trim() } : {}),
  }));
