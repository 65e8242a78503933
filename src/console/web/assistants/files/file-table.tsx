import { useGraphMutation } from '../../graph/use-graph.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { FilePicker } from '../../ui/fields.tsx';
import { formatBytes } from '../../ui/labels.ts';
import { Badge, FaultNote, Progress } from '../../ui/status.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type AssistantFileFieldsFragment, DeleteFileDocument } from '../documents.ts';
import { useFocusAfterRemoval } from '../use-focus-after-removal.ts';
import { isProcessing, progressOf, typeLabel } from './file-labels.ts';

type FileTableProps = {
  assistantId: string;
  files: readonly AssistantFileFieldsFragment[];
  canEdit: boolean;
  onReplace: (file: File, documentId: string) => void;
};

export function FileTable({ assistantId, files, canEdit, onReplace }: FileTableProps) {
  const { run, fault } = useGraphMutation(DeleteFileDocument, {
    invalidates: ['AssistantFile', 'Assistant'],
  });
  const toast = useToast();
  const { container, onRemoved } = useFocusAfterRemoval(files);
  const remove = async ({ id, originalName }: AssistantFileFieldsFragment) => {
    if (!(await run({ assistantId, documentId: id }))) return;
    onRemoved();
    toast(`${originalName} was deleted`);
  };
  const actions: TableColumn<AssistantFileFieldsFragment> = {
    title: '',
    align: 'end',
    cell: (file) => (
      <div className="row row-actions">
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
      <Table
        caption="Files of this assistant"
        rows={files}
        columns={[
          {
            title: 'Name',
            cell: ({ originalName, contentAddress }) => (
              <a href={contentAddress} download={originalName}>
                {originalName}
              </a>
            ),
          },
          { title: 'State', cell: (file) => <FileState file={file} /> },
          { title: 'Kind', narrow: 'hide', cell: typeLabel },
          { title: 'Size', align: 'end', cell: ({ size }) => formatBytes(size) },
          { title: 'Added', narrow: 'hide', cell: ({ createdAt }) => <Time at={createdAt} /> },
          ...(canEdit ? [actions] : []),
        ]}
      />
    </div>
  );
}

function FileState({ file }: { file: AssistantFileFieldsFragment }) {
  const { processingStatus, processingError, pages } = file;
  if (processingStatus === 'COMPLETED') {
    return (
      <div>
        <Badge tone="good">Ready</Badge>{' '}
        <span className="hint">
          {pages !== null && `${pages} ${pages === 1 ? 'page' : 'pages'}`}
        </span>
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
      <Badge tone="bad">Failed</Badge>
      <p className="hint fault">{processingError?.message}</p>
    </div>
  );
}
