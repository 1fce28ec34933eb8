import { Badge } from '@mantine/core';
import { t } from '../../../texts';
import type { ScimConnection } from './scim-queries';

const COLORS = { preview: 'blue', applying: 'blue', active: 'green', stopped: 'red', rolling_back: 'yellow' } as const;

export function ScimModeBadge({ mode }: Pick<ScimConnection, 'mode'>) {
  return (
    <Badge color={COLORS[mode]} variant="light" style={{ flexShrink: 0 }}>
      {t(`scim.modes.${mode}`)}
    </Badge>
  );
}
