import { ActionIcon, Box, Code, CopyButton, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from '@primer/octicons-react';
import { t } from '../texts';
import classes from './code-block.module.css';

interface Props {
  /** The accessible name of the block. */
  readonly label: string;
  /** The shown text. Invisible and bidirectional control characters are made visible. */
  readonly value: string;
  /** The text to copy, when it differs from the shown text. */
  readonly copied?: string;
  readonly copyLabel?: string;
  readonly maxHeight?: number;
}

const CONTROL_PICTURES_FROM = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = '\u2421';
// Control characters except tab and line feed, and formatting characters that reorder or hide text.
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters to show them
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Replaces invisible characters by visible symbols. */
export function escapeInvisible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(INVISIBLE, (character) => {
    const code = character.charCodeAt(0);
    if (code === DELETE) return DELETE_PICTURE;
    return code < 0x20
      ? String.fromCharCode(CONTROL_PICTURES_FROM + code)
      : `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
  });
}

/** Shows untrusted text as code with a copy button. Never renders the text as HTML. */
export function CodeBlock({ label, value, copied = value, copyLabel = t('common.copy'), maxHeight = 420 }: Props) {
  return (
    <Box pos="relative">
      <Code block className={classes['text']} tabIndex={0} role="region" aria-label={label} mah={maxHeight} dir="ltr">
        {escapeInvisible(value)}
      </Code>
      <CopyButton value={copied}>
        {({ copied: isCopied, copy }) => (
          <Tooltip label={isCopied ? t('common.copied') : copyLabel}>
            <ActionIcon className={classes['copy']} variant="default" onClick={copy} aria-label={`${copyLabel}: ${label}`}>
              {isCopied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Box>
  );
}
