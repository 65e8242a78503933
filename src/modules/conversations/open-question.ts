import { Upload } from '../../http/upload.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileServices } from '../assistant-files/file-services.ts';
import type { Person } from '../assistants/access.ts';
import { checkFileQuota } from '../quotas/file-quota.ts';
import type { Quotas } from '../quotas/quotas.ts';
import type { FoundPassage } from '../runs/passages.ts';
import type { RunMessage } from '../runs/run-result.ts';
import { receiveAttachments } from './attachments.ts';
import { type ConversationPlace, prepareQuestion } from './prepare-question.ts';
import { readAttachments } from './read-attachments.ts';
import { type ReadFiles, readEarlierFiles } from './read-earlier-files.ts';
import { type StoredQuestion, storeQuestion } from './store-question.ts';

type OpenQuestionInput = {
  conversation: ConversationPlace;
  assistantId: string;
  person: Person;
  messages: readonly RunMessage[];
  files: readonly Upload[];
};
type QuestionDependencies = {
  database: Database;
  clock: Clock;
  files: Pick<FileServices, 'storage'> & QuotaDependencies;
};

type QuotaDependencies = { quotas: Pick<Quotas, 'limits'> };

/** A question for a conversation, which a run answers. */
export type OpenQuestion = {
  /** The messages of the branch, and the question. */
  messages: RunMessage[];
  /**
   * Reads the files of the question, and as many of those of earlier questions of the branch as there
   * is room for.
   */
  readFiles(read: ReadFiles): Promise<FoundPassage[]>;
  /** Adds the question and the place for its answer to the conversation. */
  store(run: { id: string; model: string }): Promise<StoredQuestion>;
  /** Removes what was stored of the files. For a question that was not stored. */
  discard(): Promise<void>;
};

/** Checks a question for a conversation of the person. Anything that is refused is refused here. */
export async function openQuestion(
  { conversation, assistantId, person, messages, files }: OpenQuestionInput,
  { database, clock, files: { storage, quotas } }: QuestionDependencies,
): Promise<OpenQuestion> {
  const { organizationId, userId } = person;
  const question = await prepareQuestion(
    { ...conversation, assistantId, person, messages },
    { database },
  );
  // The text of a file cannot be redacted within the file.
  const received =
    question.redactsContent || files.length === 0
      ? undefined
      : receiveAttachments(files, {
          ...{ organizationId, storage },
          limitToQuota: await limitToQuota({ organizationId, files }, { database, quotas }),
        });
  let stored: StoredQuestion | undefined;
  return {
    messages: question.messages,
    async readFiles(read) {
      const passages = await read(received?.uploads ?? files);
      const messageIds = question.branch.map(({ id }) => id);
      const earlier = await readAttachments({ messageIds, organizationId }, database);
      const uploads = earlier.map(
        ({ originalName, mimeType, storageKey }) =>
          new Upload(async () => ({
            name: originalName,
            mimeType,
            content: await storage.get(storageKey),
          })),
      );
      return [...passages, ...(await readEarlierFiles({ uploads, passages }, read))];
    },
    async store(run) {
      const attachments = (await received?.stored()) ?? [];
      const owner = { organizationId, userId };
      stored = await storeQuestion(
        { owner, question, run, attachments },
        { database, clock, quotas },
      );
      return stored;
    },
    async discard() {
      if (!stored) await received?.discard();
    },
  };
}

/** Refuses files that do not fit into the quota of the organization before they are read. */
const limitToQuota = (
  { organizationId, files }: { organizationId: string; files: readonly Upload[] },
  { database, quotas: { limits } }: Pick<QuestionDependencies, 'database'> & QuotaDependencies,
) =>
  checkFileQuota(
    {
      ...{ organizationId, limits, files: files.length, replacedBytes: 0 },
      bytes: Math.max(
        1,
        files.reduce((sum, { bytesMin }) => sum + bytesMin, 0),
      ),
    },
    { database },
  );
