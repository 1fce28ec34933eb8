/** The anchor of a heading, as GitHub and its like make it, so that one link serves there and on the site. */
export const slugOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
