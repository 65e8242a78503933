// A question that was written on another page than the chat, which sends it when it is shown.

const keyOf = (assistantId: string) => `atrium.question.${assistantId}`;

export const storeAskedQuestion = (assistantId: string, question: string): void =>
  sessionStorage.setItem(keyOf(assistantId), question);

/** Returns the question and forgets it, so that a reload does not ask again. */
export function takeAskedQuestion(assistantId: string): string | null {
  const question = sessionStorage.getItem(keyOf(assistantId));
  sessionStorage.removeItem(keyOf(assistantId));
  return question;
}
