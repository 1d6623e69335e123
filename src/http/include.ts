/** What an answer shows beyond what it always does. */
export interface Include {
  /** The failed files, in the body. */
  readonly errors: boolean;
  /** More of each result: sides, savings, warnings. */
  readonly details: boolean;
}

/** Reads `?include=`: names between commas or in several parameters; unknown ones are ignored. */
export function readInclude(parameters: readonly string[] | undefined): Include {
  const names = (parameters ?? []).flatMap((list) => list.split(',')).map((name) => name.trim());
  return { errors: names.includes('errors'), details: names.includes('details') };
}
