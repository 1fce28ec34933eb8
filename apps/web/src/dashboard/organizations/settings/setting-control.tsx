import { Group, MultiSelect, NumberInput, Select, Switch, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { choices, t } from '../../../texts';
import { LanguageSelect } from '../../../ui/language-select';
import type { SettingDefinition, SettingValue } from './setting-definitions';
import { type DurationUnit, secondsOf, unitOf } from './setting-text';

interface Props {
  readonly definition: SettingDefinition;
  readonly label: string;
  /** The id of the element with the description. */
  readonly describedBy: string;
  readonly value: SettingValue;
  readonly roleNames: ReadonlyMap<string, string>;
  readonly onChange: (value: SettingValue) => void;
}

export function SettingControl({ definition, label, describedBy, value, roleNames, onChange }: Props) {
  const named = { 'aria-label': label, 'aria-describedby': describedBy };
  switch (definition.kind) {
    case 'switch':
      return (
        <Switch
          {...named}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
          label={value === true ? t('settings.on') : t('settings.off')}
          size="md"
        />
      );
    case 'number':
      return <NumberControl {...named} definition={definition} value={Number(value)} onChange={onChange} />;
    case 'duration':
      return <DurationControl {...named} definition={definition} seconds={Number(value)} onChange={onChange} />;
    case 'methods':
      return (
        <MultiSelect
          {...named}
          data={choices('settings.methods')}
          value={[...(value as readonly string[])]}
          onChange={(chosen) => chosen.length > 0 && onChange(chosen)}
        />
      );
    case 'domains':
    case 'networks':
      return (
        <TagsInput
          {...named}
          placeholder={definition.kind === 'domains' ? t('settings.domainsPlaceholder') : t('settings.networksPlaceholder')}
          value={[...(value as readonly string[])]}
          onChange={(entered) => onChange(entered.map((each) => each.trim().toLowerCase()))}
          splitChars={[',', ' ']}
        />
      );
    case 'approval':
      return <ApprovalControl {...named} texts="settings.approvals" value={String(value)} onChange={onChange} />;
    case 'applicationApproval':
      return <ApprovalControl {...named} texts="settings.applicationApprovals" value={String(value)} onChange={onChange} />;
    case 'language':
      return <LanguageSelect {...named} value={String(value)} onChange={onChange} allowDeselect={false} />;
    case 'role':
      return (
        <Select
          {...named}
          data={[...roleNames].map(([id, name]) => ({ value: id, label: name }))}
          value={String(value)}
          onChange={(role) => role && onChange(role)}
          allowDeselect={false}
          searchable
        />
      );
  }
}

interface NumberProps {
  readonly 'aria-label': string;
  readonly 'aria-describedby': string;
  readonly definition: SettingDefinition;
  readonly onChange: (value: number) => void;
}

function NumberControl({ definition: { path, min, max }, value, onChange, ...named }: NumberProps & { value: number }) {
  const unit = path === 'passwordPolicy.minLength' ? t('settings.units.characters') : t('settings.units.passwords');
  return (
    <NumberInput
      {...named}
      value={value}
      onChange={(entered) => typeof entered === 'number' && onChange(entered)}
      min={min}
      max={max}
      allowDecimal={false}
      clampBehavior="blur"
      suffix={` ${unit}`}
    />
  );
}

function DurationControl({ definition: { min, max }, seconds, onChange, ...named }: NumberProps & { seconds: number }) {
  const [unit, setUnit] = useState<DurationUnit>(() => unitOf(seconds));
  const size = secondsOf(unit);
  const clamp = (entered: number) => Math.min(max!, Math.max(min!, entered));
  return (
    <Group gap="xs" wrap="nowrap">
      <NumberInput
        {...named}
        value={seconds / size}
        onChange={(entered) => typeof entered === 'number' && onChange(Math.round(entered * size))}
        min={min! / size}
        max={max! / size}
        decimalScale={2}
        clampBehavior="blur"
      />
      <Select
        aria-label={t('settings.unitOf', { label: named['aria-label'] })}
        data={(['minutes', 'hours', 'days'] as const).map((each) => ({ value: each, label: t(`settings.units.${each}`) }))}
        value={unit}
        onChange={(chosen) => {
          if (!chosen) return;
          setUnit(chosen);
          onChange(clamp(Math.round((seconds / size) * secondsOf(chosen))));
        }}
        allowDeselect={false}
        w={130}
      />
    </Group>
  );
}

interface ApprovalProps extends Omit<NumberProps, 'definition' | 'onChange'> {
  readonly texts: 'settings.approvals' | 'settings.applicationApprovals';
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ApprovalControl({ texts, value, onChange, ...named }: ApprovalProps) {
  return (
    <Select
      {...named}
      data={choices(texts)}
      value={value}
      onChange={(approval) => approval && onChange(approval)}
      allowDeselect={false}
    />
  );
}
