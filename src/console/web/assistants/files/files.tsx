import { useEffect, useState } from 'react';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { FilePicker, SearchField, SelectField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { fileStates, formatBytes } from '../../ui/labels.ts';
import { EmptyState, Notice } from '../../ui/status.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import {
  type AccessLevel,
  FileQuotasDocument,
  type FileQuotasQuery,
  FilesDocument,
  type QuotaName,
} from '../documents.ts';
import { mayEdit } from '../levels.ts';
import { isHiddenFile } from '../read-dropped.ts';
import { useDroppedFiles } from '../use-dropped-files.ts';
import { fileBytesMax, isProcessing } from './file-labels.ts';
import { FileTable, filesPerPage } from './file-table.tsx';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './upload-queue.ts';
import './files.css';
import { richText, t, withTexts } from '../../texts/text.ts';

type Quotas = FileQuotasQuery['organization']['quotas'];

const noQuotas: Quotas = [];
const refreshMs = 1_000;
// Nobody reads a longer list of uploads, and a folder can have been chosen by mistake.
const filesAtOnceMax = 500;
const nearEnd = 0.9;
const canChooseFolders = 'webkitdirectory' in HTMLInputElement.prototype;
const statuses = [
  { value: '', label: 'files.all' },
  { value: 'COMPLETED', label: fileStates.COMPLETED.label },
  { value: 'PROCESSING', label: fileStates.PROCESSING.label },
  { value: 'PENDING', label: fileStates.PENDING.label },
  { value: 'FAILED', label: fileStates.FAILED.label },
] as const;
const newestFirst = {
  value: 'NEWEST',
  label: 'files.newestFirst',
  orderBy: { field: 'CREATED_AT', direction: 'DESC' },
} as const;
const orders = [
  newestFirst,
  {
    value: 'OLDEST',
    label: 'files.oldestFirst',
    orderBy: { field: 'CREATED_AT', direction: 'ASC' },
  },
  { value: 'NAME', label: 'files.name', orderBy: { field: 'NAME', direction: 'ASC' } },
] as const;

export function Files({ assistantId, level }: { assistantId: string; level: AccessLevel }) {
  const { features, organization } = useViewer();
  if (!features.includes('ASSISTANT_FILES')) {
    return (
      <EmptyState title={t('files.notEnabled')}>
        {t('files.notEnabledHint', { name: organization?.name ?? t('files.thisOrganization') })}
      </EmptyState>
    );
  }
  return <KnowledgeBase assistantId={assistantId} canEdit={mayEdit(level)} />;
}

function KnowledgeBase({ assistantId, canEdit }: { assistantId: string; canEdit: boolean }) {
  const [hasProcessingFiles, setHasProcessingFiles] = useState(false);
  const { filter, page, set, setPage } = useFilter(['search', 'status', 'order']);
  const { search = '' } = filter;
  const status = statuses.find(({ value }) => value === filter['status'])?.value ?? '';
  const order = orders.find(({ value }) => value === filter['order']) ?? newestFirst;
  const answer = useGraphQuery(
    FilesDocument,
    {
      assistantId,
      page,
      pageSize: filesPerPage,
      search: search || null,
      status: status || null,
      orderBy: order.orderBy,
    },
    { typenames: ['AssistantFile'], live: true, ...(hasProcessingFiles ? { refreshMs } : {}) },
  );
  const files = answer.data?.assistantFiles.nodes;
  useEffect(() => setHasProcessingFiles(files?.some(isProcessing) ?? false), [files]);
  const quotas = useGraphQuery(
    FileQuotasDocument,
    {},
    { typenames: ['AssistantFile'], pause: !canEdit },
  );
  const toast = useToast();
  const { queue, uploads } = useUploads(assistantId, (name) => {
    toast.show(t('files.isUploaded', { name }));
    answer.refetch();
    quotas.refetch();
  });
  const [tooMany, setTooMany] = useState(0);
  const add = (chosen: readonly File[]) => {
    const shown = chosen.filter((file) => !isHiddenFile(file));
    setTooMany(shown.length > filesAtOnceMax ? shown.length : 0);
    if (shown.length <= filesAtOnceMax) queue.add(shown);
  };

  return (
    <>
      {canEdit ? (
        <>
          <DropZone onFiles={add} />
          <FileQuota quotas={quotas.data?.organization.quotas ?? noQuotas} />
        </>
      ) : (
        <Notice>{t('files.readOnly')}</Notice>
      )}
      {tooMany > 0 && (
        <Notice tone="bad">{t('files.tooMany', { count: tooMany, max: filesAtOnceMax })}</Notice>
      )}
      <UploadList uploads={uploads} queue={queue} />
      {answer.data && (
        <p className="sr-only" role="status">
          {t('files.readyCount', {
            ready: answer.data.ready.totalCount,
            total: answer.data.all.totalCount,
          })}
        </p>
      )}
      {answer.data?.all.totalCount === 0 ? (
        <EmptyState title={t('files.noFiles')}>
          {canEdit ? t('files.addFilesHint') : t('files.withoutFiles')}
        </EmptyState>
      ) : (
        <>
          <search className="toolbar">
            <SearchField
              label={t('files.fileName')}
              value={search}
              onSearch={(text) => set('search', text)}
            />
            <SelectField
              label={t('files.state')}
              options={withTexts(statuses)}
              value={status}
              onValue={(value) => set('status', value)}
            />
            <SelectField
              label={t('files.order')}
              options={withTexts(orders)}
              value={order.value}
              onValue={(value) => set('order', value)}
            />
          </search>
          <FileTable
            assistantId={assistantId}
            answer={partOf(answer, ({ assistantFiles }) => assistantFiles)}
            page={page}
            onPage={setPage}
            canEdit={canEdit}
            onReplace={(file, documentId) => queue.add([file], documentId)}
          />
        </>
      )}
    </>
  );
}

/** How many files the organization has, and how much it may have. */
function FileQuota({ quotas }: { quotas: Quotas }) {
  const quotaOf = (name: QuotaName) => quotas.find((quota) => quota.name === name);
  const [count, bytes] = [quotaOf('FILES'), quotaOf('BYTES')];
  if (!count || !bytes) return null;
  const isNearEnd = [count, bytes].some(({ used, limit }) => used >= limit * nearEnd);
  return (
    <p className={isNearEnd ? 'assistants-quota hint fault' : 'assistants-quota hint'}>
      {t('files.quota', {
        count: count.used,
        countMax: count.limit,
        bytes: formatBytes(bytes.used),
        bytesMax: formatBytes(bytes.limit),
      })}
    </p>
  );
}

/** Accepts files and folders by drag and drop or by a file dialog, several at once. */
function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const isOver = useDroppedFiles(onFiles);
  return (
    <div className={isOver ? 'assistants-drop row assistants-drop-over' : 'assistants-drop row'}>
      <Icon name="upload" />
      <p>
        {richText('files.dropHere', {
          bytesMax: formatBytes(fileBytesMax),
          hint: (text) => <span className="hint">{text}</span>,
        })}
      </p>
      <FilePicker label={t('files.filesToAdd')} multiple kind="primary" onFiles={onFiles}>
        {t('files.chooseFiles')}
      </FilePicker>
      {canChooseFolders && (
        <FilePicker label={t('files.folderToAdd')} isFolder onFiles={onFiles}>
          {t('files.chooseFolder')}
        </FilePicker>
      )}
    </div>
  );
}
