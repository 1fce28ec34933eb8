import { useBlocker } from '@tanstack/react-router';
import { confirmDiscarding } from './confirm-discarding';

interface Location {
  readonly pathname: string;
  readonly search: object;
}

/** The parameters of the URL that replace the form of a page. Other parameters, such as filters, keep it. */
const REPLACING_PARAMETERS = ['tab', 'asOf'];

let isSaved = false;

/** Runs what follows a successful save. A navigation in it asks nothing. */
export function afterSaving(run: () => void): void {
  isSaved = true;
  try {
    run();
  } finally {
    isSaved = false;
  }
}

/** Asks before the user leaves a form with unsaved changes, also when the user closes the tab. */
export function useUnsavedChanges(isDirty: boolean): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => !isSaved && isOtherForm(current, next) && !(await confirmDiscarding('page')),
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
  });
}

const isOtherForm = (current: Location, next: Location): boolean =>
  current.pathname !== next.pathname || REPLACING_PARAMETERS.some((name) => valueOf(current, name) !== valueOf(next, name));

const valueOf = ({ search }: Location, name: string): unknown => (search as Record<string, unknown>)[name];
