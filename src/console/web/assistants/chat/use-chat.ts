import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { client } from '../../graph/client.ts';
import type { ApiFault } from '../../graph/fault.ts';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { ConversationDocument, DeleteConversationDocument } from '../documents.ts';
import { download, withoutUnreadable } from './attachments.ts';
import { announceConversationChange, useConversationChanges } from './conversation-changes.ts';
import { createConversation } from './create-conversation.ts';
import { turnsOfBranch } from './message-tree.ts';
import { startRun } from './start-run.ts';
import { type ChatTurn, messagesFor } from './turn.ts';
import { joinDrafts, useDraft } from './use-draft.ts';
import { useLiveAnswers } from './use-live-answers.ts';
import { useTurnsWithAnswers } from './use-turns-with-answers.ts';

export type ChatState = ReturnType<typeof useChat>;

/** A turn that is not stored yet, or never when the organization keeps no conversations. */
type LocalTurn = ChatTurn & { conversationId: string | undefined };
type Question = {
  question: string;
  parentId: string | null;
  files: readonly File[];
  /** How many turns of a chat that is not kept stay before the question. */
  keptTurns?: number;
};

const settleMs = 2_000;

/**
 * A conversation with an assistant: the turns of the branch that is shown, and the draft of the next
 * question. Without an id it is a new one, which is created with its first question.
 */
export function useChat(
  assistantId: string,
  conversationId: string | undefined,
  onStarted: (conversationId: string) => void,
) {
  const { person } = useViewer();
  const chatKey = `${person.id}.${conversationId ?? assistantId}`;
  const [draft, setDraft, returnToDraft] = useDraft(chatKey);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [fault, setFault] = useState<ApiFault>();
  const [localTurns, setLocalTurns] = useState<readonly LocalTurn[]>([]);
  const [shown, setShown] = useState<{ conversationId: string; messageId: string }>();
  const [queued, setQueued] = useState<Omit<Question, 'parentId'>>();
  const isStopRequested = useRef(false);
  const startedConversation = useRef<string>(undefined);
  const [needsPolling, setNeedsPolling] = useState(false);

  const stored = useGraphQuery(
    ConversationDocument,
    { conversationId: conversationId ?? '' },
    {
      pause: conversationId === undefined,
      ...(needsPolling ? { refreshMs: settleMs } : {}),
    },
  );
  const found = stored.data?.conversation;
  const conversation = found?.id === conversationId ? found : undefined;
  const refetch = useCallback(() => {
    if (conversationId !== undefined) stored.refetch();
  }, [conversationId, stored.refetch]);
  useConversationChanges(refetch);

  const unsettled = useMemo(() => {
    const storedRuns = new Set(conversation?.messages.map(({ runId }) => runId));
    return localTurns.filter(
      (turn) =>
        turn.conversationId === conversationId &&
        (turn.runId === undefined || !storedRuns.has(turn.runId)),
    );
  }, [localTurns, conversation, conversationId]);
  const shownMessage =
    shown?.conversationId === conversationId ? shown?.messageId : conversation?.activeMessageId;
  const storedTurns = useMemo(() => {
    const [first] = unsettled;
    const end = first
      ? { messageId: first.parentId, goesOn: false }
      : { messageId: shownMessage ?? null, goesOn: true };
    return [...turnsOfBranch(conversation?.messages ?? [], end), ...unsettled];
  }, [conversation, unsettled, shownMessage]);

  const last = storedTurns.at(-1);
  const live = useLiveAnswers(last?.state === 'running' ? last.runId : undefined, () => {
    refetch();
    announceConversationChange();
  });
  const turns = useTurnsWithAnswers(storedTurns, live.answers);
  const lastTurn = turns.at(-1);
  const isRunning = lastTurn?.state === 'running';
  const isKept = conversationId !== undefined;
  const isSettled =
    !isRunning && (!isKept || (conversation !== undefined && unsettled.length === 0));
  // The stored conversation is behind what is shown: it is read again until it has the answer.
  const isBehind =
    isKept && last?.state === 'running' && live.answers[last.runId ?? ''] !== undefined;
  useEffect(() => setNeedsPolling(isBehind), [isBehind]);

  /** Adds the question to the conversation. The first question creates the conversation. */
  const ask = async ({ question, parentId, files: sentFiles, keptTurns }: Question) => {
    setFault(undefined);
    isStopRequested.current = false;
    const id = crypto.randomUUID();
    const turn = newTurn({ id, question, parentId, files: sentFiles, conversationId });
    const previous = conversationId === undefined ? unsettled.slice(0, keptTurns) : [];
    setLocalTurns([...previous, turn]);
    const refuse = (refusal: ApiFault) => {
      const { fault: shownFault, files: readableFiles } = withoutUnreadable(refusal, sentFiles);
      setFault(shownFault);
      setLocalTurns((all) => all.filter((each) => each.id !== id));
      setDraft(question);
      setFiles(readableFiles);
    };
    const place =
      conversationId === undefined && previous.length === 0
        ? await createConversation(assistantId)
        : { conversationId };
    if (place.fault) return refuse(place.fault);
    const started = await startRun(
      place.conversationId === undefined
        ? { assistantId, messages: messagesFor(turns.slice(0, previous.length), question) }
        : {
            assistantId,
            conversationId: place.conversationId,
            parentMessageId: parentId,
            messages: [{ user: [question] }],
          },
      sentFiles,
    );
    if (started.fault) {
      const { conversationId: createdId } = place;
      if (conversationId === undefined && createdId !== undefined)
        void client.mutation(DeleteConversationDocument, { conversationId: createdId }).toPromise();
      return refuse(started.fault);
    }
    const { runId } = started;
    setShown(undefined);
    setLocalTurns((all) =>
      all.map((each) =>
        each.id === id ? { ...each, runId, conversationId: place.conversationId } : each,
      ),
    );
    if (isStopRequested.current) void live.stop(runId);
    if (conversationId === undefined && place.conversationId !== undefined) {
      startedConversation.current = place.conversationId;
      onStarted(place.conversationId);
    }
    announceConversationChange();
    return undefined;
  };

  const send = (question: string) => {
    setDraft('');
    setFiles([]);
    setFault(undefined);
    if (isSettled) void ask({ question, files, parentId: lastTurn?.answerId ?? null });
    else setQueued({ question, files });
  };
  const sendQueued = useRef(send);
  useEffect(() => {
    sendQueued.current = (question) =>
      void ask({ question, files: queued?.files ?? [], parentId: lastTurn?.answerId ?? null });
  });
  useEffect(() => {
    if (!isSettled || !queued) return;
    setQueued(undefined);
    sendQueued.current(queued.question);
  }, [isSettled, queued]);
  const latestQueued = useRef(queued);
  useEffect(() => {
    latestQueued.current = queued;
  });
  const leftChatKey = useRef(chatKey);
  const leaveQueued = useCallback(() => {
    const left = latestQueued.current;
    latestQueued.current = undefined;
    if (left) returnToDraft(leftChatKey.current, left.question);
  }, [returnToDraft]);
  useEffect(() => {
    // A conversation that has just begun here goes on. In another one nothing is queued: the
    // question returns to the draft of its chat.
    if (conversationId === undefined || startedConversation.current !== conversationId) {
      leaveQueued();
      setQueued(undefined);
      setFiles([]);
      setFault(undefined);
    }
    leftChatKey.current = chatKey;
  }, [conversationId, chatKey, leaveQueued]);
  useEffect(() => leaveQueued, [leaveQueued]);

  /** Asks at the place of an earlier question; the answers to both are branches. */
  const askInstead = async (turn: ChatTurn, question: string) => {
    const sentFiles = await Promise.all(turn.files.map(download));
    await ask({
      question,
      parentId: turn.parentId,
      files: sentFiles.filter((file) => file !== null),
      keptTurns: unsettled.findIndex(({ id }) => id === turn.id),
    });
  };

  return {
    ...{ turns, draft, setDraft, files, setFiles, fault, isRunning, queued, conversation },
    isLoading: isKept && !conversation && !stored.fault,
    isInterrupted: live.isInterrupted,
    /** Why the conversation cannot be shown. */
    conversationFault: isKept && !conversation ? stored.fault : undefined,
    refetch,
    setFault,
    send,
    askInstead,
    /** Makes the queued question a draft again, above what was written since. */
    cancelQueued: () => {
      if (!queued) return;
      setDraft(joinDrafts(queued.question, draft));
      setFiles([...queued.files, ...files]);
      setQueued(undefined);
    },
    /** Returns what was written here, the queued question included, and removes it from this chat. */
    takeDraft: () => {
      setDraft('');
      setQueued(undefined);
      latestQueued.current = undefined;
      return {
        text: joinDrafts(queued?.question ?? '', draft),
        files: [...(queued?.files ?? []), ...files],
      };
    },
    showBranch: (messageId: string) => {
      if (conversationId !== undefined) setShown({ conversationId, messageId });
    },
    stop: () => {
      if (lastTurn?.runId === undefined) isStopRequested.current = true;
      else void live.stop(lastTurn.runId);
    },
    /** Begins a chat that is not kept anew. */
    clear: () => setLocalTurns([]),
  };
}

const newTurn = ({
  files,
  ...turn
}: Question & { id: string; conversationId: string | undefined }): LocalTurn => ({
  ...turn,
  files: files.map(({ name }) => ({ name })),
  branches: [turn.id],
  steps: [],
  state: 'running',
});
