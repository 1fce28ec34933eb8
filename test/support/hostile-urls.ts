/** A URL to which the service must not connect while only public addresses are allowed. */
export interface HostileUrl {
  /** The URL. Tests replace `PORT` with the port of a listener. */
  url: string;
  /** The addresses to which the host name resolves. Undefined for a URL with an IP address. */
  resolvesTo?: string[];
  why: string;
}

const PUBLIC = '93.184.215.14';

const literals: [host: string, why: string][] = [
  ['127.0.0.1', 'loopback'],
  ['127.0.0.1.', 'loopback with a final dot'],
  ['127.1', 'loopback, short'],
  ['127.0.1', 'loopback, short'],
  ['127.255.255.254', 'loopback, other end'],
  ['2130706433', 'loopback, decimal'],
  ['017700000001', 'loopback, octal'],
  ['0x7f000001', 'loopback, hexadecimal'],
  ['0177.0.0.1', 'loopback, octal part'],
  ['0x7f.1', 'loopback, hexadecimal part'],
  ['0x7F.0x0.0x0.0x1', 'loopback, hexadecimal parts'],
  ['%31%32%37.0.0.1', 'loopback, percent-encoded'],
  ['１２７.０.０.１', 'loopback, full-width digits'],
  ['①②⑦.⓪.⓪.①', 'loopback, circled digits'],
  ['127。0。0。1', 'loopback, ideographic dots'],
  ['0.0.0.0', 'this host'],
  ['0', 'this host, short'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['3232235521', 'private, decimal'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.127.255.255', 'carrier-grade NAT'],
  ['100.100.100.200', 'metadata of a cloud, in carrier-grade NAT'],
  ['169.254.169.254', 'metadata of clouds'],
  ['0xA9FEA9FE', 'metadata of clouds, hexadecimal'],
  ['169.254.170.2', 'metadata of containers'],
  ['168.63.129.16', 'wire server of a cloud'],
  ['192.0.0.1', 'protocol assignments'],
  ['192.0.0.192', 'metadata of a cloud'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', '6to4 relay'],
  ['198.18.0.1', 'benchmarking'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['[::1]', 'loopback'],
  ['[0:0:0:0:0:0:0:1]', 'loopback, long'],
  ['[::]', 'unspecified'],
  ['[::ffff:127.0.0.1]', 'mapped loopback'],
  ['[::ffff:7f00:1]', 'mapped loopback, hexadecimal'],
  ['[::ffff:93.184.215.14]', 'mapped form, public'],
  ['[::127.0.0.1]', 'compatible loopback'],
  ['[::ffff:0:127.0.0.1]', 'translated loopback'],
  ['[64:ff9b::7f00:1]', 'NAT64'],
  ['[64:ff9b::a9fe:a9fe]', 'NAT64 of metadata'],
  ['[64:ff9b:1::1]', 'local NAT64'],
  ['[100::1]', 'discard'],
  ['[2001::1]', 'Teredo'],
  ['[2001:2::1]', 'benchmarking'],
  ['[2001:10::1]', 'ORCHID'],
  ['[2001:20::1]', 'ORCHIDv2'],
  ['[2001:db8::1]', 'documentation'],
  ['[2002:7f00:1::]', '6to4 of loopback'],
  ['[2002:a9fe:a9fe::]', '6to4 of metadata'],
  ['[3fff::1]', 'documentation'],
  ['[4000::1]', 'not handed out'],
  ['[5f00::1]', 'SRv6'],
  ['[fc00::1]', 'unique local'],
  ['[fd00:ec2::254]', 'metadata of a cloud'],
  ['[fe80::1]', 'link-local'],
  ['[fec0::1]', 'site-local'],
  ['[ff02::1]', 'multicast'],
];

const names: [host: string, resolvesTo: string[], why: string][] = [
  ['localhost', ['127.0.0.1', '::1'], 'reserved name'],
  ['LOCALHOST', ['127.0.0.1', '::1'], 'reserved name'],
  ['localhost.', ['127.0.0.1', '::1'], 'reserved name with a final dot'],
  ['ｌocalhost', ['127.0.0.1', '::1'], 'reserved name, full-width letter'],
  ['hooks.localhost', ['127.0.0.1', '::1'], 'below the reserved name'],
  ['hooks.localhost.', ['127.0.0.1', '::1'], 'below the reserved name'],
  ['ip6-loopback.test', ['::1'], 'name of loopback'],
  ['metadata.google.internal', ['169.254.169.254'], 'metadata by name'],
  ['metadata.google.internal.', ['169.254.169.254'], 'metadata by name'],
  ['instance-data.ec2.internal', ['169.254.169.254'], 'metadata by name'],
  ['127.0.0.1.nip.test', ['127.0.0.1'], 'public name of loopback'],
  ['kubernetes.default.svc', ['10.96.0.1'], 'cluster service'],
  ['db.internal.test', ['10.0.0.5'], 'internal name'],
  ['mapped.test', ['::ffff:10.0.0.5'], 'mapped AAAA'],
  ['nat64.test', ['64:ff9b::a00:5'], 'NAT64 AAAA'],
  ['scoped.test', ['fe80::1%1'], 'address with a zone'],
  ['mixed.test', [PUBLIC, '127.0.0.1'], 'public first, loopback second'],
  ['mixed6.test', [PUBLIC, '::1'], 'public A, loopback AAAA'],
  ['zero.test', ['0.0.0.0'], 'this host'],
  ['nonsense.test', ['not-an-address'], 'answer that is no address'],
];

export const HOSTILE_URLS: readonly HostileUrl[] = [
  ...literals.flatMap(([host, why]) => ['https', 'http'].map((scheme) => ({ url: `${scheme}://${host}:PORT/hook`, why }))),
  ...names.map(([host, resolvesTo, why]) => ({ url: `https://${host}:PORT/hook`, resolvesTo, why })),
  { url: 'https://user:secret@127.0.0.1:PORT/', why: 'credentials before loopback' },
  { url: 'https://example.com@127.0.0.1:PORT/', why: 'public name as a user' },
  { url: 'https://127.0.0.1:PORT\\@example.com/', why: 'backslash ends the host' },
  { url: 'https:127.0.0.1:PORT/', why: 'no slashes' },
  { url: 'https:\\\\127.0.0.1:PORT/', why: 'backslashes for slashes' },
  { url: 'https:///127.0.0.1:PORT/', why: 'three slashes' },
  { url: 'HTTPS://127.0.0.1:PORT/', why: 'scheme in capitals' },
  { url: 'https://127.0.0.1:PORT/#@example.com', why: 'public name in the fragment' },
  { url: 'https://127.0.0.1:PORT?@example.com/', why: 'public name in the query' },
  { url: `http://${PUBLIC}:PORT/`, why: 'http to a public address' },
  { url: 'ftp://127.0.0.1:PORT/', why: 'other scheme' },
  { url: 'file:///etc/passwd', why: 'other scheme' },
  { url: 'gopher://127.0.0.1:PORT/_GET', why: 'other scheme' },
  { url: 'ws://127.0.0.1:PORT/', why: 'other scheme' },
  { url: 'unix:/var/run/docker.sock', why: 'other scheme' },
  { url: 'javascript:fetch("http://127.0.0.1:PORT")', why: 'other scheme' },
  { url: 'data:text/plain,x', why: 'other scheme' },
  { url: '//127.0.0.1:PORT/', why: 'relative' },
  { url: '127.0.0.1:PORT', why: 'no scheme' },
  { url: 'https://', why: 'no host' },
  { url: 'https://[::1', why: 'broken brackets' },
  { url: 'https://[fe80::1%25lo]:PORT/', why: 'zone in a literal' },
  { url: 'https://1.2.3.4.5:PORT/', why: 'five parts' },
  { url: 'https://256.256.256.256:PORT/', why: 'parts too large' },
  { url: 'https://127.0.0.1:99999/', why: 'port too large' },
];

const ANSWERS = new Map(names.map(([host, resolvesTo]) => [new URL(`https://${host}`).hostname.replace(/\.$/, ''), resolvesTo]));

/** Resolves the host names of the hostile URLs. Rejects unknown names with the error of DNS. */
export async function lookupOfHostileUrls(hostname: string): Promise<{ address: string; family: 4 | 6 }[]> {
  const addresses = ANSWERS.get(hostname.replace(/\.$/, ''));
  if (!addresses) throw Object.assign(new Error(`no such name: ${hostname}`), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}
