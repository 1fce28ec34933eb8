import { useLayoutEffect } from 'react';

/** Removes the frame of the HTML file, which the browser shows until the first page is rendered. */
export const useFrameRemoval = (): void => useLayoutEffect(() => document.getElementById('frame')?.remove(), []);
