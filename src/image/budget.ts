const MIB = 1024 * 1024;

/**
 * How the 128 MB of an isolate (122 MiB) are shared out, in bytes. The runtime's heap and code take about 15 MiB and
 * uploads in flight 8 MiB (`limits.uploadBytesInFlight`); the rest is the engine's.
 */
export const budget = {
  /**
   * The arena: the one WebAssembly memory in which every library codec and every large table lives, in turns. It never shrinks, so
   * what a job takes of it an isolate keeps: only sources that a library decodes (AVIF, whole) may take this much.
   */
  arena: 72 * MIB,
  /** What all other jobs may take of the arena: more would only make the turning of the largest pictures faster. */
  streamed: 56 * MIB,
  /** What they do with wherever a plan can be made for it: an isolate keeps what one of its jobs has taken. */
  usual: 52 * MIB,
  /** The arena of small jobs, which run in the pauses of a large one: nobody waits for a minute for an image of a moment. */
  small: 16 * MIB,
  /**
   * Buffers on the JavaScript heap that one job may hold at once: bands, frames, the file where it is not in the arena. The
   * largest file (20 MiB) and the largest watermark (5 MiB) must be able to stand side by side until they are understood.
   */
  buffers: 25 * MIB,
  /**
   * How much a step may keep of a picture that it turns, the best first: less means that the source is decoded more often, more may
   * leave too little to the encoder.
   */
  kept: [36, 28, 24, 22, 20, 17, 14, 12, 10, 7, 5, 3.5, 2.5].map((mebibytes) => mebibytes * MIB),
  /** The same where with less of it the job would take too long. */
  keptInHaste: [44, 40].map((mebibytes) => mebibytes * MIB),
} as const;

/**
 * CPU seconds that a job may take, estimated for the worst content: within them it is kept by faster settings, past them it is refused. The
 * platform ends a job at 300 (`limits.cpu_ms`), on machines that may be slower than those of the estimates.
 */
export const MAX_CPU_SECONDS = 120;

/** Pixels of one picture (interface: 100 megapixels), decided from the header alone. */
export const MAX_PIXELS = 100_000_000;

/** Pixels a side of one picture (interface). */
export const MAX_SIDE = 65_535;
