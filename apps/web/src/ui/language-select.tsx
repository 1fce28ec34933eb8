import { Select, type SelectProps } from '@mantine/core';
import { LANGUAGES, pageLanguage, t } from '../texts';

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** A language tag, or an empty string for no language. */
  readonly value?: string;
  readonly onChange: (tag: string) => void;
}

/** Selects a supported language. An unsupported current value stays selectable. */
export function LanguageSelect({ value = '', onChange, ...props }: Props) {
  const tags = [...new Set([...LANGUAGES, ...(value === '' ? [] : [value])])];
  return (
    <Select
      data={tags.map((tag) => ({ value: tag, label: languageName(tag) }))}
      value={value === '' ? null : value}
      onChange={(tag) => onChange(tag ?? '')}
      placeholder={t('common.automatic')}
      {...props}
    />
  );
}

export const languageName = (tag: string): string => new Intl.DisplayNames(pageLanguage(), { type: 'language' }).of(tag) ?? tag;
