import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from '@primer/octicons-react';
import { t } from '../texts';

interface Props {
  readonly value: string;
  readonly label: string;
  /** The minimum width in a table, whose narrow columns would break the value after few characters. */
  readonly minWidth?: number;
}

/** Shows an id, secret or command with a copy button. */
export function CopyField({ value, label, minWidth }: Props) {
  return (
    <Group gap={4} wrap="nowrap" miw={minWidth} maw="100%">
      <Code className="breakable" fz="sm">
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('common.copied') : t('common.copy')}>
            <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={`${t('common.copy')}: ${label}`}>
              {copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
