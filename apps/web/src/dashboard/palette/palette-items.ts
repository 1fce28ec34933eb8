import type { Icon } from '@primer/octicons-react';
import { matchesSearch } from '../../app/search';

/** An item of the command palette: a page, a command or something that the search found. */
export interface PaletteItem {
  readonly key: string;
  readonly section: string;
  readonly label: string;
  /** A second line: what distinguishes items with the same label. */
  readonly detail?: string;
  readonly icon: Icon;
  /** Further texts that find the item. */
  readonly keywords?: readonly string[];
  /** Runs after the palette is closed. */
  readonly run: () => unknown;
}

/** Returns the items that match what is typed. */
export const matchingItems = (items: readonly PaletteItem[], typed: string): PaletteItem[] =>
  items.filter(({ label, detail = '', keywords = [] }) => matchesSearch([label, detail, ...keywords], typed));

/** Returns the items by section, in the order in which the sections appear first. */
export function sectionsOf(items: readonly PaletteItem[]): [section: string, items: PaletteItem[]][] {
  const sections = new Map<string, PaletteItem[]>();
  for (const item of items) sections.set(item.section, [...(sections.get(item.section) ?? []), item]);
  return [...sections];
}
