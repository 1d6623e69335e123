import type { ApiSchema } from './document.ts';

/** Fields of objects in objects are shown so deep. */
const DEEPEST = 3;

/** The fields of a schema as a Markdown list, those of inner objects indented under them. */
export function schemaLines(schema: ApiSchema, depth = 0): string[] {
  if (depth > DEEPEST) return [];
  // Events have a title: their name, and what their data is.
  if (schema.title !== undefined) return [`- \`${schema.title}\`: ${typeText(schema.properties?.data ?? schema)}`];
  if (schema.items) return schemaLines(schema.items, depth);
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((choice) => schemaLines(choice, depth));
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    `${'  '.repeat(depth)}- ${fieldText(name, field, required.includes(name))}`,
    ...schemaLines(field, depth + 1),
  ]);
  return [...fields, ...choices];
}

/** One field: name, type, bounds and what it says. */
export function fieldText(name: string, field: ApiSchema, required: boolean): string {
  const facts = [typeText(field), ...(required ? ['required'] : []), ...bounds(field)];
  const what = field.description === undefined ? '' : `: ${field.description}`;
  return `\`${name}\` (${facts.join(', ')})${what}`;
}

/** The type in words: `string`, `array of ResultItem`, `number or null`. */
export function typeText({ $ref, type, format, items, anyOf, oneOf, const: only }: ApiSchema): string {
  if ($ref !== undefined) return `[${nameOf($ref)}](#${nameOf($ref).toLowerCase()})`;
  if (items !== undefined) return `array of ${typeText(items)}`;
  const choices = [...(anyOf ?? []), ...(oneOf ?? [])];
  if (choices.length > 0) return [...new Set(choices.map(typeText))].join(' or ');
  if (only !== undefined) return `always \`${JSON.stringify(only)}\``;
  return format === undefined ? (type ?? 'any') : `${type}, ${format}`;
}

/** The name of the schema that a reference leads to. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function bounds(schema: ApiSchema): string[] {
  const { enum: values, default: preset, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    values && `one of ${values.map((value) => `\`${value}\``).join(', ')}`,
    range('', minimum, maximum),
    range('characters: ', minLength, maxLength),
    range('entries: ', minItems, maxItems),
    preset !== undefined && `default \`${JSON.stringify(preset)}\``,
  ].filter((text) => typeof text === 'string');
}

function range(what: string, least: number | undefined, most: number | undefined): string | undefined {
  const unbounded = most === undefined || most === Number.MAX_SAFE_INTEGER;
  if (least === undefined && unbounded) return undefined;
  if (unbounded) return `${what}${least} or more`;
  return least === undefined ? `${what}${most} or less` : `${what}${least} to ${most}`;
}
