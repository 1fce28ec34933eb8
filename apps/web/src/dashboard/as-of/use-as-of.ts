import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AsOfSearch } from './as-of-search';

/** Returns the past moment of the page, and a function that changes the moment or, without a moment, shows the present. */
export function useAsOf() {
  const { asOf, compare }: AsOfSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    asOf,
    isComparing: asOf !== undefined && compare === true,
    show: (search: AsOfSearch) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, asOf: undefined, compare: undefined, page: undefined, ...search }),
      }),
  };
}
