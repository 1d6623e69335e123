/** What the engine's Worker says of a job; all numbers are bytes. */
export interface EngineReport {
  /** `done`, or what went wrong. */
  readonly outcome: string;
  /** The plan's peak: arena and heap buffers. */
  readonly planned: number;
  /** The WebAssembly memory of the engine that ran it, which the isolate keeps. */
  readonly arena: number;
  /** The job's peak of heap buffers. */
  readonly buffers: number;
  /** All heap buffers that the job ever took. */
  readonly allocated: number;
  /** The result's. */
  readonly bytes: number;
}
