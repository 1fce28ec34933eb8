/** The public address of the service, which the server writes into the page; where it does not (while developing), that of the page. */
export const baseUrl: string = (() => {
  const given = document.querySelector<HTMLMetaElement>('meta[name="base-url"]')?.content ?? '';
  return URL.canParse(given) ? given.replace(/\/$/, '') : window.location.origin;
})();
