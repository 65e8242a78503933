import { useState } from 'react';
import { fileText } from '../../graph/code-text.ts';
import { type GraphQueryResult, useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { FilePicker } from '../../ui/fields.tsx';
import { fileStates, formatBytes } from '../../ui/labels.ts';
import { Badge, EmptyState, FaultNote, Progress } from '../../ui/status.tsx';
import { PagedTable, type TableColumn } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type AssistantFileFieldsFragment, DeleteFileDocument } from '../documents.ts';
import { useFocusAfterRemoval } from '../use-focus-after-removal.ts';
import { isProcessing, progressOf, typeLabel } from './file-labels.ts';

type FilePage = { nodes: readonly AssistantFileFieldsFragment[]; totalCount: number };

type FileTableProps = {
  assistantId: string;
  answer: GraphQueryResult<FilePage>;
  page: number;
  onPage: (page: number) => void;
  canEdit: boolean;
  onReplace: (file: File, documentId: string) => void;
};

export const filesPerPage = 25;
const noFiles: FilePage['nodes'] = [];

/** A page of the files that match the search. Files that are not on the page are not selected. */
export function FileTable({
  assistantId,
  answer,
  page,
  onPage,
  canEdit,
  onReplace,
}: FileTableProps) {
  const files = answer.data?.nodes ?? noFiles;
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const selected = files.filter(({ id }) => selectedIds.has(id));
  const { run, fault } = useGraphMutation(DeleteFileDocument, {
    invalidates: ['AssistantFile', 'Assistant'],
  });
  const toast = useToast();
  const { container, onRemoved } = useFocusAfterRemoval(files);
  const remove = async ({ id, originalName }: AssistantFileFieldsFragment) => {
    if (!(await run({ assistantId, documentId: id }))) return;
    onRemoved();
    toast.show(t('files.wasDeleted', { originalName }));
  };
  const removeSelected = async () => {
    let count = 0;
    for (const { id } of selected) {
      if (!(await run({ assistantId, documentId: id }))) break;
      count += 1;
    }
    if (count === 0) return;
    onRemoved();
    if (count === selected.length) toast.show(t('files.countDeleted', { count }));
  };
  const actions: TableColumn<AssistantFileFieldsFragment> = {
    title: '',
    align: 'end',
    cell: (file) => (
      <div className="row row-actions assistants-file-actions">
        {/* The old file stays searchable until the new one is ready. */}
        <FilePicker
          label={t('files.replacementFor', { originalName: file.originalName })}
          subject={file.originalName}
          onFiles={([chosen]) => chosen && onReplace(chosen, file.id)}
        >
          {t('files.replace')}
        </FilePicker>
        <ConfirmButton
          kind="danger"
          label={t('files.delete')}
          subject={file.originalName}
          title={t('files.deleteQuestion', { originalName: file.originalName })}
          question={t('files.deleteHint')}
          confirmLabel={t('files.delete')}
          onConfirm={() => remove(file)}
        />
      </div>
    ),
  };

  return (
    <div ref={container} tabIndex={-1}>
      <FaultNote fault={fault} />
      <PagedTable
        caption={t('files.filesOfAssistant')}
        answer={answer}
        page={page}
        pageSize={filesPerPage}
        onPage={onPage}
        empty={<EmptyState title={t('files.noMatching')}>{t('files.noMatchingHint')}</EmptyState>}
        {...(canEdit && {
          selection: {
            keys: selectedIds,
            nameOf: ({ originalName }: AssistantFileFieldsFragment) => originalName,
            onSelect: setSelectedIds,
          },
        })}
        columns={[
          {
            title: t('files.name'),
            cell: ({ originalName, contentAddress }) => (
              <a className="assistants-file-name" href={contentAddress} download={originalName}>
                {originalName}
              </a>
            ),
          },
          { title: t('files.state'), cell: (file) => <FileState file={file} /> },
          {
            title: t('files.kind'),
            narrow: 'hide',
            cell: (file) => <span className="assistants-file-kind">{typeLabel(file)}</span>,
          },
          { title: t('files.size'), align: 'end', cell: ({ size }) => formatBytes(size) },
          {
            title: t('files.added'),
            narrow: 'hide',
            cell: ({ createdAt }) => <Time at={createdAt} />,
          },
          ...(canEdit ? [actions] : []),
        ]}
      />
      {selected.length > 0 && (
        <section className="table-bulk row" aria-label={t('files.selectedFiles')}>
          <p aria-live="polite">
            <strong>{t('files.selectedCount', { count: selected.length })}</strong>
          </p>
          <Button kind="quiet" onClick={() => setSelectedIds(new Set())}>
            {t('files.clearSelection')}
          </Button>
          <ConfirmButton
            kind="danger"
            label={t('files.deleteSelected')}
            title={t('files.deleteCountQuestion', { count: selected.length })}
            question={t('files.deleteThemHint')}
            confirmLabel={t('files.delete')}
            onConfirm={removeSelected}
          />
        </section>
      )}
    </div>
  );
}

const FileState = ({ file }: { file: AssistantFileFieldsFragment }) => (
  <>
    <ProcessingState file={file} />
    {file.sameContentAs && (
      <p className="hint assistants-file-fault">
        {t('files.sameContent', { originalName: file.sameContentAs.originalName })}
      </p>
    )}
  </>
);

function ProcessingState({ file }: { file: AssistantFileFieldsFragment }) {
  const { processingStatus, processingError, pages, notices, filesBefore } = file;
  if (processingStatus === 'COMPLETED') {
    return (
      <div>
        <Badge tone={fileStates.COMPLETED.tone}>{t(fileStates.COMPLETED.label)}</Badge>{' '}
        <span className="hint">{pages !== null && t('files.pageCount', { pages })}</span>
        {notices.map((notice) => (
          <p key={notice.code} className="hint assistants-file-fault">
            {fileText(notice)}
          </p>
        ))}
      </div>
    );
  }
  if (isProcessing(file)) {
    const { label, done } = progressOf(file);
    return (
      <div className="assistants-processing">
        <Badge tone="busy">{label}</Badge>
        <Progress
          value={done}
          label={t('files.processingOf', { originalName: file.originalName })}
        />
        {filesBefore !== null && filesBefore > 0 && (
          <span className="hint">{t('files.filesBefore', { count: filesBefore })}</span>
        )}
      </div>
    );
  }
  return (
    <div>
      <Badge tone={fileStates.FAILED.tone}>{t(fileStates.FAILED.label)}</Badge>
      <p className="hint fault assistants-file-fault">
        {processingError && fileText(processingError)}
      </p>
    </div>
  );
}
