import { readFileSync } from 'node:fs';

/** A URL to which the service must not connect while only public addresses are allowed. */
export interface HostileUrl {
  /** The URL. Tests replace `PORT` with the port of a listener. */
  url: string;
  /** The addresses to which the host name resolves. Undefined for a URL with an IP address. */
  resolvesTo?: string[];
  why: string;
}

/** IP addresses in many forms, host names with their addresses, and complete URLs. Each row ends with the reason. */
const { literals, names, urls } = JSON.parse(readFileSync(new URL('vectors/hostile-urls.json', import.meta.url), 'utf8')) as {
  literals: [host: string, why: string][];
  names: [host: string, resolvesTo: string[], why: string][];
  urls: [url: string, why: string][];
};

export const HOSTILE_URLS: readonly HostileUrl[] = [
  ...literals.flatMap(([host, why]) => ['https', 'http'].map((scheme) => ({ url: `${scheme}://${host}:PORT/hook`, why }))),
  ...names.map(([host, resolvesTo, why]) => ({ url: `https://${host}:PORT/hook`, resolvesTo, why })),
  ...urls.map(([url, why]) => ({ url, why })),
];

const ANSWERS = new Map(names.map(([host, resolvesTo]) => [new URL(`https://${host}`).hostname.replace(/\.$/, ''), resolvesTo]));

/** Resolves the host names of the hostile URLs. Rejects unknown names with the error of DNS. */
export async function lookupOfHostileUrls(hostname: string): Promise<{ address: string; family: 4 | 6 }[]> {
  const addresses = ANSWERS.get(hostname.replace(/\.$/, ''));
  if (!addresses) throw Object.assign(new Error(`no such name: ${hostname}`), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}
