import { useEffect, useState } from 'react';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { FilePicker, SearchField, SelectField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { fileStates, formatBytes } from '../../ui/labels.ts';
import { EmptyState, Notice, Progress } from '../../ui/status.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import { type AccessLevel, FilesDocument } from '../documents.ts';
import { mayEdit } from '../levels.ts';
import { useDroppedFiles } from '../use-dropped-files.ts';
import { fileBytesMax, isProcessing } from './file-labels.ts';
import { FileTable, filesPerPage } from './file-table.tsx';
import { type FileUpload, isUploading, type UploadQueue, useUploads } from './upload-queue.ts';
import './files.css';
import { richText, t, withTexts } from '../../texts/text.ts';

const refreshMs = 1_000;
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
  const toast = useToast();
  const { queue, uploads } = useUploads(assistantId, (name) => {
    toast.show(t('files.isUploaded', { name }));
    answer.refetch();
  });

  return (
    <>
      {canEdit ? (
        <DropZone onFiles={(chosen) => queue.add(chosen)} />
      ) : (
        <Notice>{t('files.readOnly')}</Notice>
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

/** The uploads that are waiting, running or rejected. */
function UploadList({ uploads, queue }: { uploads: readonly FileUpload[]; queue: UploadQueue }) {
  if (uploads.length === 0) return null;
  return (
    <ul className="assistants-uploads plain-list" aria-label={t('files.uploads')}>
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} queue={queue} />
      ))}
    </ul>
  );
}

function UploadRow({ upload, queue }: { upload: FileUpload; queue: UploadQueue }) {
  const { id, name, size, state, fraction, fault, replaces } = upload;
  const isActive = isUploading(upload);
  return (
    <li className="assistants-upload row">
      <div className="assistants-upload-details">
        <strong>{name}</strong> <span className="quiet">{formatBytes(size)}</span>
        {isActive && (
          <>
            <Progress value={fraction} label={t('files.uploadOf', { name })} />
            <span className="hint">
              {state === 'waiting'
                ? t('ui.waiting')
                : fraction < 1
                  ? t('files.sent', { percent: Math.floor(fraction * 100) })
                  : t('files.saving')}
            </span>
          </>
        )}
        {fault && (
          <p className="hint fault" role="alert">
            {replaces !== undefined && `${t('files.notReplaced')} `}
            {fault.message}
          </p>
        )}
      </div>
      <div className="row row-actions">
        {state === 'rejected' && queue.canRetry(id) && (
          <Button subject={t('files.withName', { name })} onClick={() => queue.retry(id)}>
            {t('ui.tryAgain')}
          </Button>
        )}
        <Button icon="close" subject={name} kind="quiet" onClick={() => queue.remove(id)}>
          {isActive ? t('ui.cancel') : t('files.dismiss')}
        </Button>
      </div>
    </li>
  );
}

/** Accepts files by drag and drop or by a file dialog, several at once. */
function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
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
    </div>
  );
}
