import type { ModalProps } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';

export interface DialogOptions extends Omit<ModalProps, 'opened' | 'onClose' | 'children' | 'title' | 'id'> {
  readonly title: string;
  readonly children: ReactNode;
  /** Runs once when the dialog closes, for whatever reason. */
  readonly onClose?: () => void;
  /** Whether the dialog closes without a question, although the user typed into it: the text is a password or a confirmation. */
  readonly isDisposable?: boolean;
}

export interface StackedDialog extends DialogOptions {
  readonly id: string;
  readonly isOpen: boolean;
}

/** Long enough for the closing transition, which also returns the focus. */
const REMOVED_AFTER_MS = 1_000;

let stack: readonly StackedDialog[] = [];
let counter = 0;
const listeners = new Set<() => void>();

function update(changed: readonly StackedDialog[]): void {
  stack = changed;
  for (const listener of listeners) listener();
}

/** Opens a dialog above all others, which stay as they are, and returns its id. */
function open(options: DialogOptions): string {
  const id = `dialog-${++counter}`;
  update([...stack, { ...options, id, isOpen: true }]);
  return id;
}

/** Closes a dialog without a question. */
function close(id: string): void {
  const closed = stack.find((dialog) => dialog.id === id);
  if (!closed?.isOpen) return;
  update(stack.map((dialog) => (dialog === closed ? { ...dialog, isOpen: false } : dialog)));
  setTimeout(() => update(stack.filter((dialog) => dialog.id !== id)), REMOVED_AFTER_MS);
  closed.onClose?.();
}

/** Dialogs that any code can open. `DialogStack` renders them. */
export const dialogs = { open, close };

export const useDialogStack = (): readonly StackedDialog[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => stack,
  );
