import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { texts } from '../texts';

/** An id, secret or command with a button that copies it. */
export function CopyField({ value, label }: { value: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap" maw="100%">
      <Code className="breakable" fz="sm">
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? texts.common.copied : texts.common.copy}>
            <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={`${texts.common.copy}: ${label}`}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
