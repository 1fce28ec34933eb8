import { getDefaultZIndex, Modal, type ModalProps } from '@mantine/core';
import { type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { t } from '../texts';
import { confirmDiscarding } from './confirm-discarding';
import type { DialogOptions } from './dialogs';
import { useUnsavedChanges } from './unsaved-changes';

interface Props extends ModalProps, Pick<DialogOptions, 'isDisposable'> {}

/** The ids of the open dialogs, the topmost last. */
const layers: string[] = [];

/**
 * A dialog that asks before it discards what the user typed or selected in it: when the user presses Escape, uses the close button, leaves the
 * page or closes the tab. Only the topmost dialog closes. The Cancel button of a form asks nothing.
 */
export function Dialog({ opened, onClose, children, closeOnEscape = true, closeButtonProps, isDisposable, ...props }: Props) {
  const layer = useLayer(opened);
  const [isEdited, setEdited] = useState(false);
  const [isSubmitted, setSubmitted] = useState(false);
  if (!opened && isEdited) setEdited(false);
  const isAsking = useRef(false);
  const isGuarded = isEdited && !isDisposable;
  // The page that follows a successful submission asks nothing.
  useUnsavedChanges(opened && isGuarded && !isSubmitted);
  const edit = () => {
    setEdited(true);
    setSubmitted(false);
  };
  const editByOption = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('[role=option]')) edit();
  };
  const close = async () => {
    if (isAsking.current || !layer.isTop()) return;
    isAsking.current = true;
    if (!isGuarded || (await confirmDiscarding('dialog'))) onClose();
    isAsking.current = false;
  };
  return (
    <Modal
      {...props}
      opened={opened}
      onClose={() => void close()}
      closeOnEscape={closeOnEscape}
      closeButtonProps={{ 'aria-label': t('common.close'), ...closeButtonProps }}
      zIndex={getDefaultZIndex('modal') + layer.index}
    >
      {/* The events of dropdowns and date pickers in portals also reach this element. */}
      <div onInputCapture={edit} onClickCapture={editByOption} onSubmit={() => setSubmitted(true)}>
        {children}
      </div>
    </Modal>
  );
}

/** Returns the place of an open dialog among the others. */
function useLayer(isOpen: boolean): { readonly index: number; readonly isTop: () => boolean } {
  const id = useId();
  const [index, setIndex] = useState(0);
  useEffect(() => {
    if (!isOpen) return undefined;
    setIndex(layers.push(id));
    return () => {
      layers.splice(layers.indexOf(id), 1);
    };
  }, [id, isOpen]);
  return { index, isTop: () => layers.at(-1) === id };
}
