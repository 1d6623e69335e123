import { expect, test } from 'vitest';
import { clientAddress } from '../../src/http/client-address.ts';

const of = (address: string, more: Record<string, string> = {}) =>
  clientAddress(new Headers({ 'CF-Connecting-IP': address, ...more }));

test('an IPv4 address is counted as it is, also where it is written as IPv6', () => {
  expect(of('192.0.2.7')).toBe('192.0.2.7');
  for (const mapped of ['::ffff:192.0.2.7', '::FFFF:c000:207']) expect(of(mapped)).toBe('192.0.2.7');
});

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
])('of %s the first 64 bits count: %s', (address, network) => {
  expect(of(address)).toBe(network);
});

test('what is no address, and no header at all, are counted as one', () => {
  const none = clientAddress(new Headers());
  for (const text of ['', 'localhost', '1.2.3', ':', '2001:db8', '1:2:3:4:5:6:7:8:9', 'a]b:c', '::1/64']) {
    expect(of(text)).toBe(none);
  }
  expect(clientAddress(new Headers({ 'X-Forwarded-For': '192.0.2.7' }))).toBe(none);
});

test('Workers of others share an address, and are counted by their zone', () => {
  const worker = '2a06:98c0:3600::103';
  expect(of(worker, { 'CF-Worker': 'a.example' })).not.toBe(of(worker, { 'CF-Worker': 'b.example' }));
  expect(of('192.0.2.7', { 'CF-Worker': 'a.example' })).toBe('192.0.2.7');
});
