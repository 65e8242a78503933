import type { Conversation } from './conversation.ts';
import type { ConversationMessage } from './conversation-message.ts';
import type { AttachmentSummary } from './read-attachments.ts';

export const exportFormats = ['MARKDOWN', 'JSON'] as const;
export type ExportFormat = (typeof exportFormats)[number];

type ExportedConversation = {
  conversation: Conversation;
  /** Null if the person cannot see the assistant any more. */
  assistantName: string | null;
  messages: readonly ConversationMessage[];
  attachments: ReadonlyMap<string, readonly AttachmentSummary[]>;
};

export const exportTypes: Record<ExportFormat, { mimeType: string; ending: string }> = {
  MARKDOWN: { mimeType: 'text/markdown; charset=utf-8', ending: 'md' },
  JSON: { mimeType: 'application/json', ending: 'json' },
};

/** Writes a conversation as a file: Markdown has the active branch, JSON all messages. */
export const writeExport = (format: ExportFormat, exported: ExportedConversation): string =>
  format === 'JSON' ? toJson(exported) : toMarkdown(exported);

function toJson({
  conversation,
  assistantName,
  messages,
  attachments,
}: ExportedConversation): string {
  const exported = {
    ...conversation,
    assistantName,
    messages: messages.map(({ organizationId: _, conversationId: __, role, ...message }) => ({
      ...message,
      role: role.toLowerCase(),
      attachments: attachments.get(message.id) ?? [],
    })),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}

const stateNotes: Partial<Record<ConversationMessage['state'], string>> = {
  RUNNING: '*This answer is still being written.*',
  FAILED: '*This answer failed.*',
  CANCELLED: '*This answer was cancelled.*',
};

function toMarkdown({
  conversation: { title, createdAt },
  assistantName,
  messages,
  attachments,
}: ExportedConversation): string {
  const sections = messages.map(({ id, role, text, state, citationDetails, createdAt: at }) => {
    const author = role === 'USER' ? 'You' : (assistantName ?? 'Assistant');
    const files = (attachments.get(id) ?? []).map(({ originalName }) => `- File: ${originalName}`);
    const sources = citationDetails.map(({ marker, originalName, page }) =>
      page === null
        ? `- [${marker}] ${originalName}`
        : `- [${marker}] ${originalName}, page ${page}`,
    );
    const parts = [text, stateNotes[state] ?? '', files.join('\n'), sources.join('\n')];
    return [`## ${author}, ${at}`, ...parts.filter((part) => part !== '')].join('\n\n');
  });
  const heading = `# ${title ?? 'Conversation'}\n\nStarted ${createdAt}`;
  return `${[heading, ...sections].join('\n\n')}\n`;
}
