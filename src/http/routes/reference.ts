import { type Context, Hono } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { openapi } from '../openapi.ts';
import type { ApiDocument } from '../reference/document.ts';
import { llmsText } from '../reference/llms-text.ts';
import { markdownReference } from '../reference/markdown-reference.ts';

export interface ReferenceServices {
  readonly version: string;
  /** The service's public address, where it is not the request's. */
  readonly baseUrl: string | undefined;
}

/** GET /docs.md and /llms.txt: the interface for people's programs and their language models, made from the OpenAPI document. */
export function referenceRoutes({ version, baseUrl }: ReferenceServices): Hono<HttpEnv> {
  // Made once, by the first who asks: it costs more than anybody without a key should.
  let document: ApiDocument | undefined;
  const answer = (c: Context<HttpEnv>, type: string, write: (document: ApiDocument, baseUrl: string) => string) => {
    document ??= openapi(version) as unknown as ApiDocument;
    return c.body(write(document, baseUrl ?? new URL(c.req.url).origin), 200, {
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'public, max-age=300',
      'X-Content-Type-Options': 'nosniff',
    });
  };
  return new Hono<HttpEnv>()
    .get('/docs.md', (c) => answer(c, 'text/markdown', markdownReference))
    .get('/llms.txt', (c) => answer(c, 'text/plain', llmsText));
}
