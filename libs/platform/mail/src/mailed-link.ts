/**
 * Returns a link for an email. The link contains the slug of the organization, so that its page can offer the sign-in and a new link even
 * when the token no longer works.
 */
export function mailedLink(
  baseUrl: string,
  page: string,
  { slug }: { readonly slug: string },
  parameters: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...parameters, organization: slug });
  return `${baseUrl}/${page}?${query}`;
}
