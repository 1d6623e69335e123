import { expect, expectTypeOf, test } from 'vitest';
import {
  type ApiErrorCode,
  apiErrorCodes,
  errorCode,
  type FileErrorCode,
} from '../../../packages/client/src/error-codes.ts';
import type { RequestErrorCode, FileErrorCode as ServiceFileErrorCode } from '../../../src/errors.ts';
import { requestErrorCodes } from '../../../src/errors.ts';
import { errorAnswers } from '../../../src/http/error-answers.ts';

test('the codes are the service’s', () => {
  expect([...apiErrorCodes].sort()).toEqual([...requestErrorCodes].sort());
  expectTypeOf<Exclude<ApiErrorCode, 'unknown'>>().toEqualTypeOf<RequestErrorCode>();
  expectTypeOf<FileErrorCode>().toEqualTypeOf<ServiceFileErrorCode>();
});

test('every text that the service writes is told by its code', () => {
  for (const code of requestErrorCodes) {
    const text = errorAnswers[code].text?.replace('<name>', 'a "file".jpg') ?? code;
    expect(errorCode(text)).toBe(code);
  }
});

test('a text that is newer than the client is unknown', () => {
  expect(errorCode('sold_out')).toBe('unknown');
  expect(errorCode(undefined)).toBe('unknown');
});
