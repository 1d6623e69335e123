import { z } from 'zod';
import { RequestError } from '../errors.ts';

/** Characters of a received value that an error message repeats. */
const ECHO = 60;

/**
 * Reads the text fields of a form as the shape says: numbers in plain decimal notation, booleans in any case, text as it
 * is. An empty text field counts as absent; fields that the shape does not know are ignored.
 * @throws RequestError invalid_request, naming each wrong field, what is allowed and what was received
 */
export function readFields<S extends z.ZodRawShape>(
  shape: z.ZodObject<S>,
  fields: ReadonlyMap<string, string>,
): z.output<z.ZodObject<S>> {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape.shape)) {
    const text = fields.get(name);
    const value = text === undefined ? undefined : readValue(inner(schema), text);
    if (value !== undefined) values[name] = value;
  }
  const result = shape.safeParse(values);
  if (result.success) return result.data;
  throw new RequestError(
    'invalid_request',
    result.error.issues.map((issue) => complaint(issue, shape, fields)).join(' '),
  );
}

/** The value that the text stands for, or the text itself where it stands for none: the schema then refuses it. */
function readValue(schema: z.core.$ZodType, text: string): unknown {
  if (schema instanceof z.ZodNumber) return /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(text) ? Number(text) : text;
  if (schema instanceof z.ZodBoolean) return { true: true, false: false }[text.trim().toLowerCase()] ?? text;
  if (schema instanceof z.ZodString && text === '') return undefined;
  return text;
}

function complaint(issue: z.core.$ZodIssue, shape: z.ZodObject, fields: ReadonlyMap<string, string>): string {
  const name = String(issue.path[0]);
  const received = fields.get(name) ?? '';
  const schema = shape.shape[name];
  return `${name} must be ${schema === undefined ? 'valid' : allowed(inner(schema))}; received ${quote(received)}.`;
}

function inner(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodExactOptional ? inner(schema.unwrap()) : schema;
}

function allowed(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodNumber) {
    const kind = schema.format === 'safeint' ? 'a whole number' : 'a number';
    return `${kind} from ${schema.minValue} to ${schema.maxValue}`;
  }
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.join(', ')}`;
  if (schema instanceof z.ZodBoolean) return 'true or false';
  return `text of at most ${schema instanceof z.ZodString ? schema.meta()?.maxLength : 0} characters`;
}

function quote(value: string): string {
  const characters = [...value];
  if (characters.length <= ECHO) return JSON.stringify(value);
  return `${JSON.stringify(`${characters.slice(0, ECHO).join('')}…`)} (${characters.length} characters)`;
}
