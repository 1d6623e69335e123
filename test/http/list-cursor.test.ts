import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestError } from '../../src/errors.ts';
import { decodeCursor, encodeCursor } from '../../src/http/list-cursor.ts';

test('a place comes back as it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), fc.uuid(), (createdAt, id) => {
      const cursor = encodeCursor({ createdAt, id });
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(decodeCursor(cursor)).toEqual({ createdAt, id });
    }),
  );
});

test('without a cursor a list begins at its beginning', () => {
  expect(decodeCursor(undefined)).toBeUndefined();
});

test('any other text is refused, and nothing else is thrown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      try {
        expect(encodeCursor(decodeCursor(text)!)).toBe(text);
      } catch (error) {
        expect(error).toBeInstanceOf(RequestError);
        expect(error).toMatchObject({ code: 'invalid_request' });
      }
    }),
  );
});
