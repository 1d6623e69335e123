/** What a model does when it is asked, whichever wire it speaks. */
export type Reply =
  /** Says this text. */
  | { readonly kind: 'says'; readonly text: string }
  /** Declines in the way that the wire has for it. */
  | { readonly kind: 'refuses' }
  /** Has no capacity. */
  | { readonly kind: 'overloaded' }
  /** Fails in a way that no client can mend. */
  | { readonly kind: 'fails' }
  /** Answers something that is no answer at all. */
  | { readonly kind: 'garbage' }
  /** Never answers. */
  | { readonly kind: 'hangs' };

/** One call as the model sees it. */
export interface SeenCall {
  readonly model: string;
  readonly system: string;
  readonly text: string;
  readonly image: Uint8Array;
  /** `response_format.type`, if any. */
  readonly form: string | undefined;
  readonly schema: { readonly properties: Record<string, unknown>; readonly required: readonly string[] } | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at single fields of the wire
  readonly body: any;
}

export const says = (answer: string | object): Reply => ({
  kind: 'says',
  text: typeof answer === 'string' ? answer : JSON.stringify(answer),
});

/** Replies one after the other; the last one for ever. */
export class Script {
  readonly calls: SeenCall[] = [];
  #replies: Reply[] = [];
  /** Forms of answers that the server knows. */
  forms: readonly (string | undefined)[] = ['json_schema', 'json_object', undefined];

  set(...replies: Reply[]): void {
    this.#replies = replies;
    this.calls.length = 0;
    this.forms = ['json_schema', 'json_object', undefined];
  }

  /** Undefined where the server does not know the form that is asked for. */
  next(call: SeenCall): Reply | undefined {
    this.calls.push(call);
    if (!this.forms.includes(call.form)) return undefined;
    return this.#replies.length > 1 ? this.#replies.shift() : this.#replies[0];
  }
}

/** Reads a chat completion's body as its documentation describes it. @throws Error where it is not that */
export function seenCall(model: unknown, body: unknown): SeenCall {
  // biome-ignore lint/suspicious/noExplicitAny: checked below
  const { messages, response_format: format } = body as any;
  const [system, user] = messages;
  if (messages.length !== 2 || system.role !== 'system' || user.role !== 'user') throw new Error('two messages');
  const [text, image] = user.content;
  if (user.content.length !== 2 || text.type !== 'text' || image.type !== 'image_url') throw new Error('two parts');
  const [head, data] = image.image_url.url.split(',');
  if (head !== 'data:image/jpeg;base64') throw new Error('a JPEG data URI');
  if (format?.type === 'json_schema' && !/^[\w-]{1,64}$/.test(format.json_schema.name))
    throw new Error('a named schema');
  return {
    model: String(model),
    system: system.content,
    text: text.text,
    image: Uint8Array.from(atob(data), (character) => character.charCodeAt(0)),
    form: format?.type,
    schema: format?.json_schema?.schema,
    body,
  };
}

/** A chat completion object (OpenAI API reference). */
export function completion(message: { content: string | null; refusal?: string | null }) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'fake',
    choices: [
      { index: 0, message: { role: 'assistant', refusal: null, ...message }, finish_reason: 'stop', logprobs: null },
    ],
    usage: { prompt_tokens: 400, completion_tokens: 40, total_tokens: 440 },
  };
}
