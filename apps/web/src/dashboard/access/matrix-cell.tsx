import { Box, Checkbox, Tooltip, VisuallyHidden } from '@mantine/core';
import { CheckIcon, DashIcon, LockIcon } from '@primer/octicons-react';
import { t } from '../../texts';

/** The tooltip stays in the landmark of the page. The fixed strategy avoids clipping by the scrollable table. */
const TOOLTIP_PROPS = { withinPortal: false, floatingStrategy: 'fixed', multiline: true, maw: 300 } as const;

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly isHeld: boolean;
  /** The selected pattern that includes the permission. */
  readonly coveredBy?: string;
  readonly isLocked: boolean;
  readonly onToggle?: (isOn: boolean) => void;
}

/** A cell of the matrix: a checkbox, or an icon when the matrix is read-only. */
export function MatrixCell({ label, description, isHeld, coveredBy, isLocked, onToggle }: Props) {
  const isOn = isHeld || coveredBy !== undefined;
  const covered = coveredBy && t('permissionMatrix.coveredBy', { pattern: coveredBy });
  if (!onToggle) {
    return (
      <Tooltip label={[description, covered].filter(Boolean).join(' ') || label} {...TOOLTIP_PROPS}>
        <Box
          component="span"
          pos="relative"
          c={isOn ? undefined : 'dimmed'}
          style={{ display: 'inline-flex', verticalAlign: 'middle' }}
        >
          {isOn ? <CheckIcon size={18} /> : <DashIcon size={14} />}
          <VisuallyHidden>{isOn ? t('permissionMatrix.yes') : t('permissionMatrix.no')}</VisuallyHidden>
        </Box>
      </Tooltip>
    );
  }
  const lock = isLocked && !isOn ? t('permissionMatrix.lacking') : undefined;
  const reason = covered ?? lock;
  return (
    <Tooltip label={[description, reason].filter(Boolean).join(' ') || label} {...TOOLTIP_PROPS}>
      <Box style={{ display: 'inline-flex', verticalAlign: 'middle' }}>
        <Checkbox
          aria-label={reason ? `${label}. ${reason}` : label}
          checked={isOn}
          disabled={reason !== undefined}
          icon={lock ? LockCheckIcon : undefined}
          indeterminate={lock !== undefined}
          onChange={(event) => onToggle(event.currentTarget.checked)}
        />
      </Box>
    </Tooltip>
  );
}

function LockCheckIcon({ className }: { className: string }) {
  return <LockIcon className={className} />;
}
