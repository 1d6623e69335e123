/** Who asks where no address is told: on the platform only our own Workers, which call without an edge in between. */
const untold = 'untold';

/** The network from which other people's Workers call (Cloudflare, "HTTP headers", CF-Connecting-IP in Worker subrequests). */
const workersNetwork = '2a06:98c0:3600:0::/64';

/**
 * The network address that a request is counted under: an IPv4 address as it is, of an IPv6 address the first 64 bits, because
 * one customer of a provider has all addresses of such a network (RFC 6177, section 2). The platform sets CF-Connecting-IP
 * itself and lets no client choose it. Without it, or where it is no address, all are counted as one. Workers share an address with all
 * others, so of them the zone counts too, which the platform tells in CF-Worker.
 */
export function clientAddress(headers: Headers): string {
  const network = networkOf(headers.get('CF-Connecting-IP')?.trim() ?? '');
  return network === workersNetwork ? `${network} ${headers.get('CF-Worker')?.slice(0, 253) ?? ''}` : network;
}

function networkOf(address: string): string {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return address;
  // The URL parser (WHATWG URL, "IPv6 parser") refuses what is no address and writes the others in one way, IPv4 endings included.
  const host = address.includes(':') ? URL.parse(`http://[${address}]/`)?.hostname : undefined;
  return host === undefined ? untold : ofIpv6(host.slice(1, -1));
}

function ofIpv6(address: string): string {
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (mapped) return [mapped[1]!, mapped[2]!].flatMap(bytesOf).join('.');
  const [before, after] = address.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = after === undefined ? [] : Array.from({ length: 8 - before!.length - after.length }, () => '0');
  return `${[...before!, ...zeros, ...(after ?? [])].slice(0, 4).join(':')}::/64`;
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
}
