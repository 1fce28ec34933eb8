/** Returns the anchor of a heading as GitHub makes it, so that links work in the repository and on the site. */
export const slugOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
