import { ActionIcon, Box, Code, CopyButton, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from '@primer/octicons-react';
import { t } from '../texts';
import classes from './text-block.module.css';

interface Props {
  /** What it is, for screen readers and the button. */
  readonly label: string;
  /** Shown as text whatever it is: characters that can't be seen, or that turn the direction of text, stand as their signs. */
  readonly value: string;
  /** What is copied, where that is not what is shown. */
  readonly copied?: string;
  readonly copyLabel?: string;
  readonly maxHeight?: number;
}

const CONTROL_PICTURES_FROM = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = '\u2421';
// All control characters but tab and line feed, and the formatting characters that reorder or hide text.
// oxlint-disable-next-line no-control-regex -- to show them is what it is for
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text in which nothing hides. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(INVISIBLE, (character) => {
    const code = character.charCodeAt(0);
    if (code === DELETE) return DELETE_PICTURE;
    return code < 0x20
      ? String.fromCharCode(CONTROL_PICTURES_FROM + code)
      : `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
  });
}

/** Text from elsewhere, to be read and copied: never rendered. */
export function TextBlock({ label, value, copied = value, copyLabel = t('common.copy'), maxHeight = 420 }: Props) {
  return (
    <Box pos="relative">
      <Code block className={classes['text']} tabIndex={0} role="region" aria-label={label} mah={maxHeight} dir="ltr">
        {visibleText(value)}
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
