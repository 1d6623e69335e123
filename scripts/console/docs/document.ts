/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, MediaType>> }>
  >;
}

export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value?: unknown }>>;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** One call with where it is. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** A group of calls as the reader sees it. */
export interface Section {
  readonly name: string;
  readonly description: string;
  readonly calls: readonly Call[];
}

/** The calls by their tag, in the document's order of tags. */
export function sectionsOf(document: OpenApiDocument): readonly Section[] {
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method): Call[] => {
      const operation = item[method];
      return operation ? [{ method, path, operation }] : [];
    }),
  );
  const byTag = Map.groupBy(calls, ({ operation }) => operation.tags?.[0] ?? 'API');
  const told = new Map((document.tags ?? []).map(({ name, description = '' }) => [name, description]));
  const order = [...told.keys(), ...byTag.keys()];
  return [...new Set(order)]
    .filter((name) => byTag.has(name))
    .map((name) => ({ name, description: told.get(name) ?? '', calls: byTag.get(name)! }));
}

/** The schema itself, where another one only points to it. */
export function resolved(schema: Schema, document: OpenApiDocument): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined
    ? schema
    : { ...document.components.schemas[name], ...(schema.description && { description: schema.description }) };
}
