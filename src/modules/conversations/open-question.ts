import { Upload } from '../../http/upload.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Storage } from '../../platform/storage/stored-object.ts';
import type { Person } from '../assistants/access.ts';
import type { ChosenModel } from '../runs/models/model-registry.ts';
import type { FoundPassage } from '../runs/passages.ts';
import type { RunMessage } from '../runs/run-result.ts';
import { receiveAttachments } from './attachments.ts';
import { type ConversationPlace, prepareQuestion } from './prepare-question.ts';
import { readAttachments } from './read-attachments.ts';
import { type ReadFiles, readEarlierFiles } from './read-earlier-files.ts';
import { type StoredQuestion, storeQuestion } from './store-question.ts';
import { writeTitle } from './write-title.ts';

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
  log: Log;
  files: { storage: Storage };
};

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
  /** Lets the model write the title in the background, if the question gave it. */
  answered(answer: string, model: ChosenModel): void;
  /** Removes what was stored of the files. For a question that was not stored. */
  discard(): Promise<void>;
};

/** Checks a question for a conversation of the person. Anything that is refused is refused here. */
export async function openQuestion(
  { conversation, assistantId, person, messages, files }: OpenQuestionInput,
  { database, clock, log, files: { storage } }: QuestionDependencies,
): Promise<OpenQuestion> {
  const { organizationId, userId } = person;
  const question = await prepareQuestion(
    { ...conversation, assistantId, person, messages },
    { database },
  );
  // The text of a file cannot be redacted within the file.
  const received = question.redactsContent
    ? undefined
    : receiveAttachments(files, { organizationId, storage });
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
      stored = await storeQuestion({ owner, question, run, attachments }, { database, clock });
      return stored;
    },
    answered(answer, model) {
      if (stored?.title == null) return;
      void writeTitle(
        {
          ...{ conversationId: conversation.conversationId, organizationId, answer },
          title: stored.title,
          question: question.parts.map(({ text }) => text).join('\n'),
          redactsContent: question.redactsContent,
        },
        { database, model, log },
      );
    },
    async discard() {
      if (!stored) await received?.discard();
    },
  };
}
