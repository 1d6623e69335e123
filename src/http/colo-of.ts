/** The name of the data centre that received a request; off the platform there is one. */
export function coloOf({ cf }: Request): string {
  return typeof cf?.colo === 'string' ? cf.colo : 'local';
}
