import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../access/context.ts';
import { budgetOwner, reserveJsonBody } from '../access/reserve-body.ts';
import { emptyBody, type JsonBody, type JsonBodyOptions, readJsonBody } from '../http/body.ts';
import type { ByteBudget } from '../http/byte-budget.ts';
import { isForm } from '../http/multipart.ts';
import { isDiskFull } from '../platform/disk-full.ts';
import type { ProcessDirectory } from '../platform/process-directory.ts';
import { noSpaceForForm, readFormWithFiles } from './form-with-files.ts';

type RequestBodyDependencies = { budget: ByteBudget; directory: Pick<ProcessDirectory, 'path'> };
type BodyInput = { takesFiles: boolean; variables: readonly { name: string }[] };

/**
 * A body, with the reserved bytes of the memory budget and the temporary files that `release`
 * frees.
 */
export type ReservedBody = JsonBody & { release: () => Promise<void> };
export type RequestBodies = ReturnType<typeof createRequestBodies>;

/** Reads bodies within the memory budget of the sender. */
export function createRequestBodies({ budget, directory }: RequestBodyDependencies) {
  return {
    none: async (): Promise<ReservedBody> => ({ ...emptyBody, release: async () => undefined }),

    async json(
      request: Request,
      context: Context,
      options?: JsonBodyOptions,
    ): Promise<ReservedBody> {
      const reservation = reserveJsonBody(request, context, budget);
      try {
        return {
          ...(await readJsonBody(request, options)),
          release: async () => reservation.release(),
        };
      } catch (error) {
        reservation.release();
        throw error;
      }
    },

    /**
     * Reads JSON, or a form if the operation takes files. The files are written to a temporary
     * directory, where they wait until the operation has checked that the sender may upload them.
     */
    async jsonOrForm(
      request: Request,
      context: Context,
      { takesFiles, variables }: BodyInput,
    ): Promise<ReservedBody> {
      if (!takesFiles) return this.json(request, context);
      if (!isForm(request.headers))
        return this.json(request, context, {
          acceptedTypes: 'application/json or multipart/form-data',
        });
      const directoryOfFiles = await mkdtemp(join(directory.path, 'form-')).catch((error) => {
        throw isDiskFull(error) ? noSpaceForForm() : error;
      });
      const reservation = budget.reservationFor(budgetOwner(context));
      const release = async () => {
        reservation.release();
        await rm(directoryOfFiles, { recursive: true, force: true });
      };
      try {
        const fieldNames = variables.map(({ name }) => name);
        return {
          ...(await readFormWithFiles(request, {
            fieldNames,
            directory: directoryOfFiles,
            reservation,
          })),
          release,
        };
      } catch (error) {
        await release();
        throw error;
      }
    },
  };
}
