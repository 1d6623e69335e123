import { type AnswerForm, answerForms } from './chat-request.ts';

/** A server that does not take the form in which the answer was asked for. */
export class FormRefused extends Error {}

/**
 * Asks for the answer in the strictest form first, and in a looser one where the server refuses it.
 * @throws what `ask` throws; the last form's refusal too
 */
export async function askInForm<T>(ask: (form: AnswerForm) => Promise<T>): Promise<T> {
  const [strictest, ...looser] = answerForms;
  let answer = ask(strictest);
  for (const form of looser) {
    answer = answer.catch((error: unknown) => {
      if (error instanceof FormRefused) return ask(form);
      throw error;
    });
  }
  return await answer;
}
