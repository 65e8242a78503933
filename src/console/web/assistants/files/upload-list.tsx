import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Progress } from '../../ui/progress.tsx';
import { sizeText } from './file-words.ts';
import { isUploading, type Upload, type UploadQueue } from './upload-queue.ts';

/** What is on its way, and what was refused. */
export function UploadList({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  if (uploads.length === 0) return null;
  return (
    <ul className="assistants-uploads" aria-label="Uploads">
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} queue={queue} />
      ))}
    </ul>
  );
}

function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { id, name, size, state, share, fault, replaces } = upload;
  const isOpen = isUploading(upload);
  return (
    <li className="assistants-upload">
      <div className="assistants-upload-words">
        <strong>{name}</strong> <span className="quiet">{sizeText(size)}</span>
        {isOpen && (
          <>
            <Progress value={share} label={`Upload of ${name}`} />
            <span className="hint">
              {state === 'waiting'
                ? 'Waits for its turn'
                : share < 1
                  ? `${Math.floor(share * 100)} % sent`
                  : 'Being stored'}
            </span>
          </>
        )}
        {fault && (
          <p className="hint fault" role="alert">
            {replaces !== undefined && 'It replaces nothing: '}
            {fault.message}
          </p>
        )}
      </div>
      <div className="row-actions">
        {state === 'refused' && queue.canRetry(id) && (
          <Button onClick={() => queue.retry(id)}>
            Try again<span className="sr-only"> with {name}</span>
          </Button>
        )}
        <Button kind="quiet" onClick={() => queue.drop(id)}>
          <Icon name="close" />
          {isOpen ? 'Cancel' : 'Dismiss'}
          <span className="sr-only"> {name}</span>
        </Button>
      </div>
    </li>
  );
}
