/** 1 MiB in bytes. */
export const MIB = 1024 * 1024;

/** Every limit of the interface, with its unit and its reason. Limits of the engine's memory are in `image/budget`. */
export const limits = {
  /** Files in one request (interface). */
  files: 20,
  /** Bytes of content of one file: the interface's "20 MB", counted while the part streams in. */
  fileBytes: 20 * MIB,
  /** Bytes of a watermark PNG. */
  watermarkBytes: 5 * MIB,
  /** Pixels of a watermark PNG: it is decoded once for each file of the batch. */
  watermarkPixels: 16_000_000,
  /** Parts of one form, files included: the interface has 16 fields, the rest is room for unknown ones. */
  parts: 200,
  /** Bytes of the header of one part: a file name of 255 characters takes 1 KiB of it at the most, percent-encoded 3 KiB. */
  partHeaderBytes: 4 * 1024,
  /** Bytes kept of one text field: the longest is 200 characters, at most 4 bytes each in UTF-8, with room for a clear error. */
  fieldBytes: 8 * 1024,
  /** Bytes of all text that is kept of one form, names of files included: 20 names of 255 characters are 20 KiB at the most. */
  formTextBytes: 32 * 1024,
  /** Characters of sessionId, aiContext, seoKeywords and Idempotency-Key. */
  textCharacters: 200,
  /** Pixels a side of maxWidth and maxHeight. */
  outputSide: 16_384,
  /** Seconds for which an upload (`POST /api/uploads`) can be named in a batch (interface). */
  uploadKeepSeconds: 3600,
  /** Bytes that an upload counts for at the least where an account's are added up: a tiny one takes a row and an object, too. */
  uploadLeastBytes: MIB,
  /** Bytes of one object in staging; up to two of them are in memory while a file streams in. */
  segmentBytes: 2 * MIB,
  /** Small files that go to the objects of batches at once in one isolate, and as many from there to lanes: a row of 1 MiB each. */
  handOversAtOnce: 2,
  /** Uploads at once in one isolate, a request whose body is being read each. With their windows and floors they come to 8 MiB. */
  uploadsAtOnce: 64,
  /** Bytes of a file that each upload may always hold, besides the window through which it reads: one block. */
  uploadFloorBytes: 64 * 1024,
  /** Bytes that all uploads of one isolate hold above their floors: four segments. Taken block by block, for bytes that are there. */
  uploadBytesInFlight: 8 * MIB,
  /** Requests of one isolate that were refused unread and whose bodies are passed over at once, so that their clients see the answer. */
  discardsAtOnce: 12,
  /** Seconds that a request waits for a place among the uploads of its account (then 429) and of the isolate (then 503). */
  uploadQueueSeconds: 10,
  /** Seconds that an upload waits for memory while others store what they have (then 503). */
  uploadMemorySeconds: 15,
  /**
   * Seconds that an upload may let the service wait in all; `uploadBytesPerSecond` earn them back, up to so many. Then 408. A phone
   * at 1 Mbit/s earns 30 s in each second: pauses of 20 s are forgiven as often as they come.
   */
  uploadPauseSeconds: 30,
  /** Bytes a second below which an upload uses its pauses up. */
  uploadBytesPerSecond: 4 * 1024,
  /**
   * The same while all places for uploads are taken: who holds one slowly then keeps others out. A phone at 1 Mbit/s that loses the line
   * for 20 s again and again still earns enough.
   */
  crowdedBytesPerSecond: 32 * 1024,
  /** Seconds that the body of one request may take, whatever the reason. 100 MB at 1 Mbit/s are 13 minutes. */
  uploadSeconds: 15 * 60,
  /** Characters kept of a file name: longer ones are cut, the extension excepted. R2 metadata has 8 KiB in all. */
  fileNameCharacters: 200,
  /**
   * Jobs that wait in front of one isolate's engine (a waiting job holds no pixels), the milliseconds for which an account's jobs wait while
   * none of its own runs, and the silence after which a running job is suspected to be dead.
   */
  queue: { length: 256, ageMs: 15_000, silenceMs: 5_000 },
  /** Characters kept of a file name as it was sent, the extension included: what is reported of 20 files has to fit one database row. */
  sentNameCharacters: 255,
  /** Files of one batch that are in lanes at the same moment. */
  lanesPerBatch: 4,
  /** The same where pictures are described: most of the time they wait for a model, and hold a preview of about 100 kB. */
  lanesPerDescribedBatch: 8,
  /** Items of one page of a list, and the most that may be asked for. */
  pageSize: 20,
  longestPage: 100,
  /** Seconds after which a batch under way renews its reservation, or a third of RESERVATION_TTL_SECONDS where that is shorter. */
  renewSeconds: 30,
  /** Seconds for which who watches a batch waits for a change. */
  watchSeconds: 10,
  /** Seconds for which an authenticated key is remembered by an isolate, so a revocation is everywhere within 60 s. */
  keyCacheSeconds: 30,
  /** Seconds for which it counts after the database last knew it, where the database gives no answer: an outage must not stop customers. */
  keyTrustSeconds: 5 * 60,
  /** Seconds for which a key that the database does not know is remembered, so that a wrong key in a loop asks once. */
  unknownKeySeconds: 10,
  /** Seconds without a request after which an owner's session ends, and seconds that it lasts at the most. */
  ownerIdleSeconds: 12 * 60 * 60,
  ownerSessionSeconds: 30 * 24 * 60 * 60,
  /** The same of an operator's session: it can do more harm. */
  operatorIdleSeconds: 30 * 60,
  operatorSessionSeconds: 8 * 60 * 60,
  /** Seconds in which at most once is written that a session was used. */
  seenEverySeconds: 60,
  /** Sessions of one account at once; one more ends the one that was used longest ago. */
  sessionsPerAccount: 50,
  /** Characters kept of a browser's User-Agent. */
  userAgentCharacters: 200,
  /** Seconds for which an invite can be used. */
  inviteSeconds: 24 * 60 * 60,
  /** Keys that count at once of an account whose owner makes one more. */
  liveKeys: 20,
  /** Seconds for which a key may go on beside the one that was made in its place: a week to change it everywhere. */
  graceSeconds: 7 * 24 * 60 * 60,
  /** Seconds in which at most once is written that a key was used. */
  keyUseSeconds: 60 * 60,
  /** Requests a minute of one address that may be refused for their key; past it they are not looked at. */
  refusalsPerMinute: 60,
  /** Look-ups a minute and isolate that may find no key, whatever the address: who has a /48 of IPv6 has 65,536 networks to guess from. */
  vainLookUpsPerMinute: 1200,
  /** Seconds for which a response is kept under its Idempotency-Key. */
  idempotencySeconds: 24 * 60 * 60,
  /** Results of one ZIP, bytes of the request that names them, and how many of them are looked up at once. */
  zipEntries: 1000,
  zipRequestBytes: 2 * MIB,
  zipLookUpsAtOnce: 6,
  /** Days of the usage by day that are told without a wish, and the most that may be asked for at once. */
  usageDays: 30,
  mostUsageDays: 366,
  /** Entries of one page of a list, unless the request asks for fewer. */
  pageEntries: 100,
  /** Characters that an administration token has at the least: 24 of base64 are 144 bits. */
  adminTokenCharacters: 24,
  /** Seconds for which an isolate repeats its last answer to GET /health/ready, so that nobody can hammer what it asks. */
  readinessSeconds: 5,
  /** Objects that add up what isolates count: enough for 2,000 requests a second (`npm run capacity`). Fewer would lose what the others have. */
  metricStores: 32,
  /**
   * Seconds between two portions of what an isolate counts, that of requests and of jobs. A batch tells at once when it ends: an object that
   * waits is paid for, a request that waits is not.
   */
  metricsSeconds: { requests: 20, jobs: 10 },
} as const;
