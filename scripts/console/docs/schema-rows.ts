import { type OpenApiDocument, resolved, type Schema } from './document.ts';

/** One field as the reference shows it. */
export interface FieldRow {
  readonly name: string;
  /** How deep inside other fields. */
  readonly depth: number;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

const DEEPEST = 3;

/** The fields of an object, those of objects in it right after it. */
export function schemaRows(schema: Schema, document: OpenApiDocument, depth = 0): readonly FieldRow[] {
  const { properties = {}, required = [], items } = resolved(schema, document);
  if (items) return schemaRows(items, document, depth);
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = resolved(property, document);
    const row: FieldRow = {
      name,
      depth,
      type: typeName(field, document),
      required: required.includes(name),
      description: [field.description, bounds(field)].filter(Boolean).join(' '),
    };
    const inner = depth < DEEPEST ? schemaRows(field.items ?? field, document, depth + 1) : [];
    return [row, ...inner];
  });
}

/** The type in words: `string`, `array of files`, `number or null`. */
export function typeName(schema: Schema, document: OpenApiDocument): string {
  const { type, items, anyOf, oneOf, format } = schema;
  if (format === 'binary') return 'file';
  if (items) {
    const inner = typeName(resolved(items, document), document);
    return `array of ${inner === 'file' ? 'files' : inner}`;
  }
  if (type !== undefined) return typeof type === 'string' ? type : type.join(' or ');
  const choices = [...(anyOf ?? []), ...(oneOf ?? [])].map((choice) => typeName(resolved(choice, document), document));
  return choices.length > 0
    ? [...new Set(choices)].join(' or ')
    : schema.const === undefined
      ? 'any'
      : typeof schema.const;
}

function bounds({ enum: values, default: preset, minimum, maximum, maxLength, maxItems }: Schema): string {
  const word = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
  return [
    values && `One of ${values.map(word).join(', ')}.`,
    range(minimum, maximum),
    maxLength !== undefined && `At most ${maxLength} characters.`,
    maxItems !== undefined && `At most ${maxItems}.`,
    preset !== undefined && `Default ${word(preset)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  // What zod puts where no bound was meant.
  const high = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum !== undefined && high !== undefined) return `${minimum} to ${high.toLocaleString('en-GB')}.`;
  return high === undefined ? '' : `At most ${high.toLocaleString('en-GB')}.`;
}
