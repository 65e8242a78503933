import { fragment } from '../../platform/database/sql.ts';
import { hashName } from '../../platform/hash.ts';

export const processingStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const;
export const processingStages = ['EXTRACTING', 'CHUNKING', 'EMBEDDING', 'INDEXING'] as const;

export type ProcessingStatus = (typeof processingStatuses)[number];
export type ProcessingStage = (typeof processingStages)[number];

export type FileNotice = { code: string; message: string };

/** A file of an assistant's knowledge base. */
export type AssistantFile = {
  id: string;
  assistantId: string;
  organizationId: string;
  originalName: string;
  mimeType: string;
  size: number;
  hash: string;
  storageKey: string;
  status: ProcessingStatus;
  stage: ProcessingStage | null;
  errorCode: string | null;
  errorMessage: string | null;
  derivations: string[];
  pages: number | null;
  passages: number | null;
  /** What of the file was not read. */
  notices: FileNotice[];
  /** The previous version of the file. Runs search its passages until this file is COMPLETED. */
  replacesId: string | null;
  createdAt: string;
  updatedAt: string;
};

/** The fields that most lists show. Reading only these columns is cheaper. */
export const briefFile: ReadonlySet<string> = new Set([
  'id',
  'originalName',
  'mimeType',
  'size',
  'hash',
  'processingStatus',
  'createdAt',
  'updatedAt',
]);

/** Columns of `assistant_files f` for the fields of `briefFile`. */
export const briefFileColumns = fragment`
  f.id, f.original_name as "originalName", f.mime_type as "mimeType", f.size, f.hash, f.status, f.created_at as "createdAt", f.updated_at as "updatedAt"`;

export const assistantFileColumns = fragment`
  ${briefFileColumns}, f.assistant_id as "assistantId", f.organization_id as "organizationId", f.storage_key as "storageKey", f.stage,
  f.error_code as "errorCode", f.error_message as "errorMessage", f.derivations, f.pages, f.passages, f.notices, f.replaces_id as "replacesId"`;

const taggedFields = [
  'id',
  'mimeType',
  'status',
  'stage',
  'errorCode',
  'errorMessage',
  'derivations',
  'pages',
  'passages',
  'updatedAt',
] as const;

/** The entity tag of a file. It changes whenever a field that the API shows changes. */
export const etagOf = (file: AssistantFile): string =>
  `"${hashName(JSON.stringify(taggedFields.map((name) => file[name]))).slice(0, 22)}"`;

/**
 * The download path of a file. A program with an API key uses REST. A browser opens the link with
 * its cookie; there, only the query parameter can name the organization.
 */
export const contentAddressOf = (
  { id, assistantId }: Pick<AssistantFile, 'id' | 'assistantId'>,
  { kind, organizationId }: { kind: 'SESSION' | 'USER_KEY'; organizationId: string },
): string =>
  kind === 'SESSION'
    ? `/files/${assistantId}/${id}?organization=${organizationId}`
    : `/api/assistant-files/v1/assistants/${assistantId}/files/${id}/content`;
