/** Returns the anchor of a heading in the format of GitHub, so that links work in the repository and on the site. */
export const slugOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
