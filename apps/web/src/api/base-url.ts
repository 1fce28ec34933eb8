/**
 * The public URL of the service. The server writes it into the page. The development server of Vite does not, so the default
 * is the origin of the page.
 */
export const baseUrl: string = (() => {
  const content = document.querySelector<HTMLMetaElement>('meta[name="base-url"]')?.content ?? '';
  return URL.canParse(content) ? content.replace(/\/$/, '') : window.location.origin;
})();
