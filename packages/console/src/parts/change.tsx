import { bytes } from '../language/text.ts';

/** Bytes before and after. The arrow points to the right in every script. */
export function Change({ before, after }: { before: number; after: number }) {
  return (
    <bdi dir="ltr">
      {bytes(before)} → <b>{bytes(after)}</b>
    </bdi>
  );
}
