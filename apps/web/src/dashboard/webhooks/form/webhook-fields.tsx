import { Checkbox, NumberInput, Paper, Stack, TextInput, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { t } from '../../../texts';
import { EventsPicker } from './events-picker';
import { FilterField } from './filter-field';
import { FormatField } from './format-field';
import { HeadersField } from './headers-field';
import type { WebhookFormValues } from './webhook-form-values';

const RATE_LIMIT_MAX = 1_000;

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Title order={2} mb="md">
        {title}
      </Title>
      <Stack>{children}</Stack>
    </Paper>
  );
}

/** The fields of a webhook. `children` are added to the options. */
export function WebhookFields({ form, children }: { form: UseFormReturnType<WebhookFormValues>; children?: ReactNode }) {
  return (
    <>
      <Section title={t('webhookForm.destination')}>
        <TextInput
          label={t('webhookForm.url')}
          description={t('webhookForm.urlHint')}
          placeholder="https://example.com/hooks"
          type="url"
          inputMode="url"
          required
          autoComplete="off"
          {...form.getInputProps('url')}
        />
        <TextInput
          label={t('webhookForm.name')}
          description={t('webhookForm.nameHint')}
          placeholder={t('webhookForm.namePlaceholder')}
          maxLength={200}
          {...form.getInputProps('name')}
        />
        <FormatField value={form.values.format} {...form.getInputProps('format')} />
      </Section>
      <Section title={t('webhookForm.events')}>
        <EventsPicker
          value={form.values.events}
          onChange={(events) => form.setFieldValue('events', events)}
          error={form.errors['events']}
        />
        <Checkbox
          label={t('webhookForm.includeDescendants')}
          description={t('webhookForm.includeDescendantsHint')}
          {...form.getInputProps('includeDescendants', { type: 'checkbox' })}
        />
        <FilterField
          value={form.values.filter}
          onChange={(filter) => form.setFieldValue('filter', filter)}
          error={form.errors['filter']}
        />
      </Section>
      <Section title={t('webhookForm.options')}>
        <HeadersField form={form} />
        <NumberInput
          label={t('webhookForm.rateLimit')}
          description={t('webhookForm.rateLimitHint')}
          placeholder={t('webhookForm.rateLimitPlaceholder')}
          min={1}
          max={RATE_LIMIT_MAX}
          allowDecimal={false}
          maw={320}
          {...form.getInputProps('rateLimit')}
        />
        {children}
      </Section>
    </>
  );
}
