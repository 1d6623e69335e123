/** Where Durable Objects run and store: in the European Union, or wherever they are first called from. */
export type Jurisdiction = 'eu';

/** The part of a namespace whose objects run and store in the jurisdiction. The same name is another object there. */
export function objectsWithin<Class extends Rpc.DurableObjectBranded>(
  jurisdiction: Jurisdiction | undefined,
  namespace: DurableObjectNamespace<Class>,
): DurableObjectNamespace<Class> {
  return jurisdiction === undefined ? namespace : namespace.jurisdiction(jurisdiction);
}
