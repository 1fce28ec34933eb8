import { Anchor, type AnchorProps } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { openPage, usePageSearch } from './open-page';
import { flowOf, pageAddress, type PageSearch } from './page-address';

interface Props extends AnchorProps {
  readonly to: string;
  readonly search?: PageSearch;
  readonly children: ReactNode;
}

/** Links to a sign-in page without a page load. */
export function PageLink({ to, search, ...props }: Props) {
  const flow = flowOf(usePageSearch());
  const open = (event: MouseEvent) => {
    // The browser opens a new tab or window, or downloads.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void openPage(to, search);
  };
  return <Anchor {...props} href={pageAddress(to, { ...flow, ...search })} onClick={open} />;
}
