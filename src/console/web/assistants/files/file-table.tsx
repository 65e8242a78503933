import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Progress } from '../../ui/progress.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { DeleteFileDocument, type FilePartsFragment } from '../documents.ts';
import { useFocusAfterRemoval } from '../use-focus-after-removal.ts';
import { isUnderWay, kindText, processingOf, sizeText } from './file-words.ts';
import { ReplaceButton } from './replace-button.tsx';

type FileTableProps = {
  assistantId: string;
  files: readonly FilePartsFragment[];
  mayChange: boolean;
  onReplace: (file: File, documentId: string) => void;
};

export function FileTable({ assistantId, files, mayChange, onReplace }: FileTableProps) {
  const { run, fault } = useGraphMutation(DeleteFileDocument, {
    invalidates: ['AssistantFile', 'Assistant'],
  });
  const toast = useToast();
  const { box, onRemoved } = useFocusAfterRemoval(files);
  const remove = async ({ id, originalName }: FilePartsFragment) => {
    if (!(await run({ assistantId, documentId: id }))) return;
    onRemoved();
    toast(`${originalName} was deleted`);
  };
  const actions: Column<FilePartsFragment> = {
    title: '',
    align: 'end',
    cell: (file) => (
      <div className="row-actions">
        <ReplaceButton name={file.originalName} onFile={(chosen) => onReplace(chosen, file.id)} />
        <ConfirmButton
          kind="danger"
          label={
            <>
              Delete<span className="sr-only"> {file.originalName}</span>
            </>
          }
          title={`Delete ${file.originalName}?`}
          question="The assistant forgets it at once. This can not be undone."
          confirmLabel="Delete it"
          onConfirm={() => remove(file)}
        />
      </div>
    ),
  };

  return (
    <div ref={box} tabIndex={-1} className="assistants-rows">
      {fault && <FaultNote fault={fault} />}
      <Table
        caption="Files of this assistant"
        rows={files}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Name',
            cell: ({ originalName, contentAddress }) => (
              <a href={contentAddress} download={originalName}>
                {originalName}
              </a>
            ),
          },
          { title: 'State', cell: (file) => <State file={file} /> },
          { title: 'Kind', narrow: 'hide', cell: kindText },
          { title: 'Size', align: 'end', cell: ({ size }) => sizeText(size) },
          { title: 'Added', narrow: 'hide', cell: ({ createdAt }) => <Time at={createdAt} /> },
          ...(mayChange ? [actions] : []),
        ]}
      />
    </div>
  );
}

function State({ file }: { file: FilePartsFragment }) {
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
  if (isUnderWay(file)) {
    const { label, done } = processingOf(file);
    return (
      <div className="assistants-processing">
        <Badge tone="busy">{label}</Badge>
        <Progress value={done} label={`Processing of ${file.originalName}`} />
      </div>
    );
  }
  return (
    <div>
      <Badge tone="bad">Not readable</Badge>
      <p className="hint fault">{processingError?.message}</p>
    </div>
  );
}
