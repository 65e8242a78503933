import { Upload } from '../../http/upload.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { committedResult } from '../../platform/database/transaction.ts';
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
import {
  answerAgain,
  type StoredQuestion,
  type StoreRun,
  storeQuestion,
} from './store-question.ts';

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
  /** Adds the question, the place for its answer, and the run to the conversation. */
  store(run: { id: string; model: string }, storeRun: StoreRun): Promise<StoredQuestion>;
  /** Removes what was stored of the files. For a question that was not stored. */
  discard(): Promise<void>;
};

/** Checks a question for a conversation of the person. Anything that is refused is refused here. */
export async function openQuestion(
  { conversation, assistantId, person, messages, files }: OpenQuestionInput,
  { database, clock, files: { storage, quotas } }: QuestionDependencies,
): Promise<OpenQuestion> {
  const { organizationId, userId } = person;
  // Set if the request is repeated after its process ended: then this run answers the stored
  // question, and the files that were stored with it are read, because those of a request can be
  // read once only.
  const earlier = committedResult<StoredQuestion>(database)?.result;
  const question = await prepareQuestion(
    {
      ...{ ...conversation, assistantId, person, messages },
      ...(earlier && { parentMessageId: earlier.parentId }),
      isStored: earlier !== undefined,
    },
    { database },
  );
  // The text of a file cannot be redacted within the file.
  const received =
    earlier || question.redactsContent || files.length === 0
      ? undefined
      : receiveAttachments(files, {
          ...{ organizationId, storage },
          limitToQuota: await limitToQuota({ organizationId, files }, { database, quotas }),
        });
  const storedFiles = async (messageIds: readonly string[]) => {
    const attachments = await readAttachments({ messageIds, organizationId }, database);
    return attachments.map(
      ({ originalName, mimeType, storageKey }) =>
        new Upload(async () => ({
          name: originalName,
          mimeType,
          content: await storage.get(storageKey),
        })),
    );
  };
  let stored = earlier;
  return {
    messages: question.messages,
    async readFiles(read) {
      const passages = await read(
        earlier && !question.redactsContent
          ? await storedFiles([earlier.questionId])
          : (received?.uploads ?? files),
      );
      const uploads = await storedFiles(question.branch.map(({ id }) => id));
      return [...passages, ...(await readEarlierFiles({ uploads, passages }, read))];
    },
    async store(run, storeRun) {
      if (earlier) {
        await answerAgain({ stored: earlier, run, organizationId, storeRun }, { database });
        return earlier;
      }
      const attachments = (await received?.stored()) ?? [];
      const owner = { organizationId, userId };
      stored = await storeQuestion(
        { owner, question, run, attachments, storeRun },
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
