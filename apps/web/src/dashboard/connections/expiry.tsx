import { Badge, Group, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { choices, t } from '../../texts';
import { RelativeTime } from '../../ui/relative-time';

const DAYS: Readonly<Record<string, number>> = { days30: 30, days90: 90, days365: 365 };
const DAY_MS = 86_400_000;

/** The expiry of a credential in a form: a period, `date` or `never`. */
export interface ExpiryValues {
  readonly expiry: string;
  /** The last day, for `date`. */
  readonly date: string;
}

interface Props {
  readonly form: {
    readonly values: ExpiryValues;
    readonly getInputProps: (field: keyof ExpiryValues) => ReturnType<UseFormReturnType<ExpiryValues>['getInputProps']>;
  };
  /** Explains the choice `never`. */
  readonly neverHint: string;
  readonly error: string | undefined;
}

export function ExpiryFields({ form, neverHint, error }: Props) {
  return (
    <Group align="flex-start">
      <Select
        label={t('apiKeys.expiry')}
        description={form.values.expiry === 'never' ? neverHint : undefined}
        data={choices('apiKeys.expiries')}
        allowDeselect={false}
        w={260}
        {...form.getInputProps('expiry')}
        error={error}
      />
      {form.values.expiry === 'date' && (
        <TextInput type="date" label={t('apiKeys.date')} required w={200} {...form.getInputProps('date')} />
      )}
    </Group>
  );
}

/** Returns the expiry: the end of the selected day, or undefined for never. */
export function expiryOf({ expiry, date }: ExpiryValues): Date | undefined {
  if (expiry === 'never') return undefined;
  if (expiry === 'date') return new Date(`${date}T23:59:59`);
  return new Date(Date.now() + DAYS[expiry]! * DAY_MS);
}

/** Returns the error of the selected day, or null. */
export const expiryError = (values: ExpiryValues): string | null =>
  values.expiry === 'date' && !(expiryOf(values)! > new Date()) ? t('apiKeys.dateMissing') : null;

/** Shows when a credential expires. */
export function Expiry({ at }: { at: string | null }) {
  if (at && new Date(at) <= new Date()) {
    return (
      <Badge color="gray" variant="light" tt="none" autoContrast>
        {t('apiKeys.expired')}
      </Badge>
    );
  }
  return <RelativeTime at={at} />;
}
