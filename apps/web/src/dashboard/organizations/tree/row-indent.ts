import type { CSSProperties } from 'react';

/** Returns the indentation of a level; the first level is 1. */
export const rowIndent = (level: number): CSSProperties => ({ '--tree-indent': level - 1 }) as CSSProperties;
