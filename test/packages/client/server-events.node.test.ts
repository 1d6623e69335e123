import { expect, test } from 'vitest';
import { type ServerEvent, serverEvents } from '../../../packages/client/src/server-events.ts';

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

async function read(...texts: string[]): Promise<ServerEvent[]> {
  const all: ServerEvent[] = [];
  for await (const event of serverEvents(pieces(...texts))) all.push(event);
  return all;
}

const stream = 'event: accepted\ndata: {"files":2}\n\n: still running\n\nevent: done\r\ndata: {}\r\n\r\n';
const expected = [
  { event: 'accepted', data: '{"files":2}' },
  { event: 'done', data: '{}' },
];

test('events are read wherever the text is cut', async () => {
  expect(await read(stream)).toEqual(expected);
  for (let cut = 0; cut <= stream.length; cut++) {
    expect(await read(stream.slice(0, cut), stream.slice(cut))).toEqual(expected);
  }
  expect(await read(...stream)).toEqual(expected);
});

test('data of several lines is one, an event without a name is a message, a half one is none', async () => {
  expect(await read('data: a\ndata:b\n\n')).toEqual([{ event: 'message', data: 'a\nb' }]);
  expect(await read('event: result\ndata: {"index":0')).toEqual([]);
  expect(await read('event: empty\n\n')).toEqual([]);
});
