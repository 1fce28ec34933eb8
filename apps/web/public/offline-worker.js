// Shows a page of the service instead of the error page of the browser when a page can't be loaded. Stores only that page and its icon.
// Pages, scripts and responses always come from the service, so nothing can be out of date.
const PAGE = '/offline';
const ICON = '/favicon.svg';

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open('offline').then((cache) => cache.addAll([new Request(PAGE, { cache: 'reload' }), ICON])));
});

// The browser requests a page while it starts this script, and with the cookies of a request without this script.
self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const isPage = request.mode === 'navigate';
  if (!isPage && new URL(request.url).pathname !== ICON) return;
  const load = async () => (await event.preloadResponse) ?? fetch(request);
  event.respondWith(load().catch(() => caches.match(isPage ? PAGE : ICON)));
});
