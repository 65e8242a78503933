import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../graph/context.ts';
import { budgetOwner, reserveJsonBody } from '../graph/reserve-body.ts';
import { emptyBody, type JsonBody, readJsonBody } from '../platform/body.ts';
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { ProcessDirectory } from '../platform/process-directory.ts';
import { isForm, readFormWithFiles } from './form-with-files.ts';

type BodyParts = { budget: ByteBudget; directory: Pick<ProcessDirectory, 'path'> };
type Wanted = { takesFiles: boolean; variables: readonly { name: string }[] };

/**
 * A body, and what it occupies until it is released: bytes of the budget, and its files on the
 * disk.
 */
export type HeldBody = JsonBody & { release: () => Promise<void> };
export type RequestBodies = ReturnType<typeof createRequestBodies>;

/** Reads bodies within the budget of whoever sends them. */
export function createRequestBodies({ budget, directory }: BodyParts) {
  return {
    none: async (): Promise<HeldBody> => ({ ...emptyBody, release: async () => undefined }),

    async json(request: Request, context: Context): Promise<HeldBody> {
      const reservation = reserveJsonBody(request, context, budget);
      try {
        return { ...(await readJsonBody(request)), release: async () => reservation.release() };
      } catch (error) {
        reservation.release();
        throw error;
      }
    },

    /**
     * Where the operation takes files it may be a form. Its files wait on the disk until the rule
     * has said that it may read them.
     */
    async jsonOrForm(
      request: Request,
      context: Context,
      { takesFiles, variables }: Wanted,
    ): Promise<HeldBody> {
      if (!takesFiles || !isForm(request.headers)) return this.json(request, context);
      const reservation = budget.reservationFor(budgetOwner(context));
      const files = await mkdtemp(join(directory.path, 'form-'));
      const release = async () => {
        reservation.release();
        await rm(files, { recursive: true, force: true });
      };
      try {
        const wanted = variables.map(({ name }) => name);
        return {
          ...(await readFormWithFiles(request, { wanted, directory: files, reservation })),
          release,
        };
      } catch (error) {
        await release();
        throw error;
      }
    },
  };
}
