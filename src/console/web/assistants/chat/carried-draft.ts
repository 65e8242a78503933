// The draft of a question that goes along when a person chooses another assistant. It is in the
// memory of the page, because files cannot be stored in the browser.

type CarriedDraft = { text: string; files: readonly File[] };

let carried: (CarriedDraft & { assistantId: string }) | undefined;

export function carryDraft(assistantId: string, draft: CarriedDraft): void {
  carried = { assistantId, ...draft };
}

/** Returns the draft for the new chat with this assistant, and forgets it. */
export function takeCarriedDraft(assistantId: string): CarriedDraft | undefined {
  const draft = carried?.assistantId === assistantId ? carried : undefined;
  carried = undefined;
  return draft;
}
