import type { CSSProperties } from 'react';

/** How far the row of a level, from 1, stands in. */
export const rowIndent = (level: number): CSSProperties => ({ '--tree-indent': level - 1 }) as CSSProperties;
