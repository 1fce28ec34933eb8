/**
 * The public URL of the service, which the server writes into the page. The default is the origin of the page, because the
 * development server of Vite writes no URL.
 */
export const baseUrl: string = (() => {
  const content = document.querySelector<HTMLMetaElement>('meta[name="base-url"]')?.content ?? '';
  return URL.canParse(content) ? content.replace(/\/$/, '') : window.location.origin;
})();
