import { createInflate } from 'node:zlib';
import { FileError } from '../../../errors.ts';
import { brokenPng } from './broken-png.ts';
import { isDataAt, isIntact, readChunk } from './chunks.ts';
import { runTransform } from './run-transform.ts';

/** Bytes given to the inflater at once. */
const INPUT_BYTES = 32 * 1024;

/** Bytes of one piece of inflated data at the most. */
const OUTPUT_BYTES = 64 * 1024;

/**
 * The peak of one inflater in bytes: its window and tables (RFC 1951: 32 KiB of history), the runtime's copy of a piece of
 * input, and the output that the stream holds ready.
 */
export const INFLATER_BYTES = 320 * 1024;

/**
 * The inflated picture data: the IDAT chunks as one zlib stream (third edition, clause 10).
 * @throws FileError broken_image
 */
export async function* imageData(file: Uint8Array, dataStart: number): AsyncGenerator<Uint8Array> {
  try {
    yield* runTransform(idatPieces(file, dataStart), createInflate({ chunkSize: OUTPUT_BYTES }));
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw brokenPng('its compressed picture data cannot be read');
  }
}

function* idatPieces(file: Uint8Array, dataStart: number): Generator<Uint8Array> {
  for (let start = dataStart; isDataAt(file, start); ) {
    const chunk = readChunk(file, start);
    if (!isIntact(file, chunk)) throw brokenPng('its picture data fails its checksum');
    for (let at = 0; at < chunk.data.length; at += INPUT_BYTES) yield chunk.data.subarray(at, at + INPUT_BYTES);
    start = chunk.end;
  }
}

/** The peak of one deflater in bytes: its window, hash tables and symbol buffer, and the output that the stream holds ready. */
export const DEFLATER_BYTES = 768 * 1024;
