import type { EmbeddingUsage, StepObserver } from './run-steps.ts';

/** Adds up what the searches of a run have used, and gives it to the step that they belong to. */
export function countEmbeddings() {
  let used: EmbeddingUsage | undefined;
  return {
    add({ model, tokens }: EmbeddingUsage): void {
      used = { model, tokens: (used?.tokens ?? 0) + tokens };
    },
    addedTo: (observer: StepObserver): StepObserver => ({
      beforeStep: (step) => observer.beforeStep(step),
      stepEnded(step) {
        const embedding = used;
        used = undefined;
        return observer.stepEnded({ ...step, embedding });
      },
    }),
  };
}
