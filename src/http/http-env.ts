import type { Usage } from '../credits/usage.ts';
import type { Caller } from '../keys/caller.ts';
import type { Session } from '../keys/session.ts';

/** What a route did, for the request's line in the log. Counts only: names and contents never get there. */
export interface Work {
  /** Files of the batch, and how many of them failed. */
  readonly files: number;
  readonly failed: number;
  /** Bytes of file content that came in and of results that were made. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Calls of the AI provider, and images for which nothing came back. */
  readonly aiCalls: number;
  readonly aiFailed: number;
}

/** What middleware and routes tell each other about one request (hono's context variables). */
export interface HttpEnv {
  Variables: {
    /** Set for every request before anything else runs. */
    requestId: string;
    /** To be called by a route that has done its part and only waits for others: engines need not stand aside for it. */
    waits: () => void;
    /** Set by `authenticate`: there on every route under /api, elsewhere never. */
    caller: Caller;
    /** Set by `SessionAccess` where the request came with the cookie of a session that counts. */
    session: Session;
    /** Set by `requireAdmin`: the name of the token, on every route under /admin, elsewhere never. */
    admin: string;
    /** Set by a route that knows the usage after its work; without it `usageHeaders` asks the ledger. */
    usage: Usage;
    /** Set by a route that processed files. */
    work: Work;
    /** Set by `handleError`: the code of the error that the request was answered with. */
    errorCode: string | undefined;
  };
}
