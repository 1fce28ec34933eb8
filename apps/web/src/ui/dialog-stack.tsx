import { Dialog } from './dialog';
import { dialogs, useDialogStack } from './dialogs';

/** Renders the dialogs that are open, one above the other. Dialogs below keep what the user typed. */
export const DialogStack = () =>
  useDialogStack().map(({ id, isOpen, ...dialog }) => (
    <Dialog key={id} {...dialog} opened={isOpen} onClose={() => dialogs.close(id)} />
  ));
