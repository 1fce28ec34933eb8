import { sharedBrowser } from '../../test/support/chromium.ts';

/** The line of a first visit: 1.6 Mbit/s and a round trip of 150 ms. */
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

/** Returns the medians of several first visits for each page. */
export async function measureLoading({ baseUrl, cookie, pages }, runs) {
  const table = {};
  for (const { name, path, usable } of pages) {
    const results = [];
    for (let run = 0; run < runs; run++) results.push(await firstVisit({ baseUrl, cookie, path, usable }));
    table[name] = Object.fromEntries(Object.keys(results[0]).map((key) => [key, median(results.map((result) => result[key]))]));
  }
  return table;
}

/** Loads a page in a new window with an empty cache. */
async function firstVisit({ baseUrl, cookie, path, usable }) {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ baseURL: baseUrl, viewport: { width: 1440, height: 900 } });
  try {
    if (path !== '/account/sign-in') await context.addCookies([cookie]);
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send('Network.enable');
    await client.send('Network.emulateNetworkConditions', LINE);
    const sizes = new Map();
    const types = new Map();
    client.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
    client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
    await page.goto(path, { waitUntil: 'commit' });
    await page.locator(usable).first().waitFor({ timeout: 60_000 });
    const usableMs = await page.evaluate(() => performance.now());
    const [requests, bytes] = [sizes.size, sum([...sizes.values()])];
    const scripts = [...types].filter(([id, type]) => type === 'Script' && sizes.has(id)).length;
    const paintMs = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
    return { scripts, requests, kB: Math.round(bytes / 1000), paintMs: Math.round(paintMs), usableMs: Math.round(usableMs) };
  } finally {
    await context.close();
  }
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
