import type { KeyboardEvent } from 'react';

const itemsOf = (tree: Element): HTMLElement[] => [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')];

const levelOf = (item: Element): number => Number(item.getAttribute('aria-level'));

/** The actions of the focused item. */
export interface ItemActions {
  readonly isExpanded: boolean;
  readonly canExpand: boolean;
  readonly toggle: () => void;
  readonly open: () => void;
}

/** Handles the keys of the tree pattern (ARIA Authoring Practices). */
export function onTreeKey(event: KeyboardEvent<HTMLElement>, actions: ItemActions): void {
  const item = event.currentTarget;
  if (event.target !== item || event.altKey || event.ctrlKey || event.metaKey) return;
  const handled = handle(event.key, item, actions);
  if (!handled) return;
  event.preventDefault();
  event.stopPropagation();
}

function handle(key: string, item: HTMLElement, { isExpanded, canExpand, toggle, open }: ItemActions): boolean {
  const tree = item.closest('[role=tree]')!;
  const items = itemsOf(tree);
  const index = items.indexOf(item);
  const actionsByKey: Record<string, () => void> = {
    ArrowDown: () => items[index + 1]?.focus(),
    ArrowUp: () => items[index - 1]?.focus(),
    Home: () => items[0]?.focus(),
    End: () => items.at(-1)?.focus(),
    Enter: open,
    ' ': canExpand ? toggle : open,
    ArrowRight: () => {
      if (!canExpand) return;
      if (!isExpanded) toggle();
      else if (items[index + 1] && levelOf(items[index + 1]!) > levelOf(item)) items[index + 1]!.focus();
    },
    ArrowLeft: () => {
      if (canExpand && isExpanded) toggle();
      else
        items
          .slice(0, index)
          .findLast((each) => levelOf(each) < levelOf(item))
          ?.focus();
    },
  };
  const action = actionsByKey[key] ?? (key.length === 1 ? () => nextStartingWith(key, items, index)?.focus() : undefined);
  action?.();
  return action !== undefined;
}

/** Returns the next item whose name starts with a character. Continues at the first item after the last item. */
function nextStartingWith(character: string, items: readonly HTMLElement[], index: number): HTMLElement | undefined {
  return [...items.slice(index + 1), ...items.slice(0, index)].find((item) =>
    item.textContent?.toLocaleLowerCase().startsWith(character.toLocaleLowerCase()),
  );
}
