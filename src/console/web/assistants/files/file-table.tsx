import { useState } from 'react';
import { type GraphQueryResult, useGraphMutation } from '../../graph/use-graph.ts';
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
    toast.show(`${originalName} was deleted`);
  };
  const removeSelected = async () => {
    let count = 0;
    for (const { id } of selected) {
      if (!(await run({ assistantId, documentId: id }))) break;
      count += 1;
    }
    if (count === 0) return;
    onRemoved();
    if (count === selected.length) toast.show(`${countFiles(count)} deleted`);
  };
  const actions: TableColumn<AssistantFileFieldsFragment> = {
    title: '',
    align: 'end',
    cell: (file) => (
      <div className="row row-actions assistants-file-actions">
        {/* The old file stays searchable until the new one is ready. */}
        <FilePicker
          label={`A file to replace ${file.originalName}`}
          subject={file.originalName}
          onFiles={([chosen]) => chosen && onReplace(chosen, file.id)}
        >
          Replace
        </FilePicker>
        <ConfirmButton
          kind="danger"
          label="Delete"
          subject={file.originalName}
          title={`Delete ${file.originalName}?`}
          question="The assistant stops using it immediately. This cannot be undone."
          confirmLabel="Delete"
          onConfirm={() => remove(file)}
        />
      </div>
    ),
  };

  return (
    <div ref={container} tabIndex={-1}>
      <FaultNote fault={fault} />
      <PagedTable
        caption="Files of this assistant"
        answer={answer}
        page={page}
        pageSize={filesPerPage}
        onPage={onPage}
        empty={
          <EmptyState title="No matching files">Change the search text or the state.</EmptyState>
        }
        {...(canEdit && {
          selection: {
            keys: selectedIds,
            nameOf: ({ originalName }: AssistantFileFieldsFragment) => originalName,
            onSelect: setSelectedIds,
          },
        })}
        columns={[
          {
            title: 'Name',
            cell: ({ originalName, contentAddress }) => (
              <a className="assistants-file-name" href={contentAddress} download={originalName}>
                {originalName}
              </a>
            ),
          },
          { title: 'State', cell: (file) => <FileState file={file} /> },
          {
            title: 'Kind',
            narrow: 'hide',
            cell: (file) => <span className="assistants-file-kind">{typeLabel(file)}</span>,
          },
          { title: 'Size', align: 'end', cell: ({ size }) => formatBytes(size) },
          { title: 'Added', narrow: 'hide', cell: ({ createdAt }) => <Time at={createdAt} /> },
          ...(canEdit ? [actions] : []),
        ]}
      />
      {selected.length > 0 && (
        <section className="table-bulk row" aria-label="Selected files">
          <p aria-live="polite">
            <strong>{selected.length} selected</strong>
          </p>
          <Button kind="quiet" onClick={() => setSelectedIds(new Set())}>
            Clear selection
          </Button>
          <ConfirmButton
            kind="danger"
            label="Delete selected"
            title={`Delete ${countFiles(selected.length)}?`}
            question="The assistant stops using them immediately. This cannot be undone."
            confirmLabel="Delete"
            onConfirm={removeSelected}
          />
        </section>
      )}
    </div>
  );
}

const countFiles = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

function FileState({ file }: { file: AssistantFileFieldsFragment }) {
  const { processingStatus, processingError, pages, notices } = file;
  if (processingStatus === 'COMPLETED') {
    return (
      <div>
        <Badge tone={fileStates.COMPLETED.tone}>{fileStates.COMPLETED.label}</Badge>{' '}
        <span className="hint">
          {pages !== null && `${pages} ${pages === 1 ? 'page' : 'pages'}`}
        </span>
        {notices.map(({ code, message }) => (
          <p key={code} className="hint assistants-file-fault">
            {message}
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
        <Progress value={done} label={`Processing of ${file.originalName}`} />
      </div>
    );
  }
  return (
    <div>
      <Badge tone={fileStates.FAILED.tone}>{fileStates.FAILED.label}</Badge>
      <p className="hint fault assistants-file-fault">{processingError?.message}</p>
    </div>
  );
}
